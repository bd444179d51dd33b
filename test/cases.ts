// The golden cases: one text file each. See CONTRIBUTING for their form.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export interface Case {
  readonly path: string;
  readonly name: string;
  /** One sentence: what the case holds. */
  readonly title: string;
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: number;
}

const ROOT = join(import.meta.dirname, 'cases');

export function readCases(): Case[] {
  return globSync('**/*.txt', { cwd: ROOT })
    .sort()
    .map((path) => readCase(join(ROOT, path)));
}

function readCase(path: string): Case {
  const [head = '', ...sections] = readFileSync(path, 'utf8').split(/^-- (stdin|stdout|stderr|exit) --\n/m);
  const lines = head.trim().split('\n');
  const command = lines.find((line) => line.startsWith('$ '))?.slice(2);
  const title = lines[0];
  if (!title || title.startsWith('$') || !command)
    throw new Error(`${path}: a case begins with a sentence and a "$ command" line`);
  const env = lines.filter((line) => line.startsWith('env ')).map((line) => line.slice(4).split(/=(.*)/s).slice(0, 2));
  const texts = Object.fromEntries(sections.flatMap((part, i) => (i % 2 === 0 ? [[part, sections[i + 1] ?? '']] : [])));
  const { stdin = '', stdout = '', stderr = '', exit = '0' } = texts;
  return {
    path,
    name: relative(ROOT, path).replace(/\.txt$/, ''),
    title,
    command,
    env: Object.fromEntries(env),
    stdin,
    stdout,
    stderr,
    exit: Number(exit),
  };
}

/** Writes what the program says now into the case: `UPDATE=1`, then look at `git diff`. */
export function update(found: Case, result: { stdout: string; stderr: string; status: number }): void {
  const head = readFileSync(found.path, 'utf8').split(/^-- /m)[0]?.trimEnd();
  const ended = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`);
  const parts = [
    `${head}\n`,
    found.stdin === '' ? '' : `-- stdin --\n${ended(found.stdin)}`,
    `-- stdout --\n${ended(result.stdout)}`,
    result.stderr === '' ? '' : `-- stderr --\n${ended(result.stderr)}`,
    `-- exit --\n${result.status}\n`,
  ];
  writeFileSync(found.path, parts.join(''));
}
