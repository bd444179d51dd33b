// A temporary repository with a fault in it, and ai-agent at work there.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '../../src/lib/json/values.ts';
import { bin } from '../loop.ts';
import type { Step } from '../scripted-model.ts';

/** Reads, sees the test fail, mends, sees it pass, answers. Each shell command notes that it ran. */
export const MENDING: readonly Step[] = [
  [
    { name: 'Read', input: { file_path: 'sum.sh' } },
    { name: 'Bash', input: { command: 'echo 1 >>ran; sh test.sh' } },
  ],
  [{ name: 'Edit', input: { file_path: 'sum.sh', old_string: '$1 - $2', new_string: '$1 + $2' } }],
  [{ name: 'Bash', input: { command: 'echo 2 >>ran; sh test.sh' } }],
  'Mended: sum.sh subtracted.',
];

export interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number | null;
}

export class Repository {
  readonly path = mkdtempSync(join(tmpdir(), 'agent-'));
  readonly conversation = join(this.path, 'c.jsonl');
  readonly work = join(this.path, 'work');
  readonly #url: string;

  constructor(url: string, permissions: JsonObject = { allow: ['Read', 'Edit', 'Bash', 'Task'] }) {
    this.#url = url;
    spawnSync('git', ['init', '-q', this.work]);
    this.write('work/sum.sh', 'echo $(($1 - $2))\n');
    this.write('work/test.sh', '[ "$(sh sum.sh 2 3)" = 5 ] && echo passed || { echo failed; exit 1; }\n');
    this.write('rules.json', JSON.stringify({ permissions }));
  }

  write(name: string, text: string): string {
    const path = join(this.path, name);
    writeFileSync(path, text, { mode: 0o644 });
    return path;
  }

  read(name: string): string {
    const path = join(this.path, name);
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }

  env(more: Readonly<Record<string, string>> = {}): Record<string, string> {
    return {
      PATH: `${bin('')}:${process.env.PATH}`,
      HOME: this.path,
      LC_ALL: 'C',
      AI_ASK: `ai-complete -n --base-url ${this.#url} -m openai/gpt-4o`,
      AI_RULES: join(this.path, 'rules.json'),
      ...more,
    };
  }

  /** Runs ai-agent in the working tree, in a session of its own, without a terminal. `stop` is asked all the time whether to kill the whole group. */
  run(args: readonly string[], env: Readonly<Record<string, string>> = {}, stop?: () => boolean): Promise<Ended> {
    const child = spawn(bin('ai-agent'), [...args], {
      cwd: this.work,
      env: this.env(env),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const said = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk) => {
      said.stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      said.stderr += chunk;
    });
    const timer = stop && setInterval(() => stop() && killTree(child.pid ?? 0), 1);
    return new Promise((resolve) =>
      child.on('close', (status) => {
        clearInterval(timer);
        resolve({ ...said, status });
      }),
    );
  }

  get records(): JsonObject[] {
    return this.read('c.jsonl')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** Kills a process and all that came from it, the children last found first, so that none sees another end. */
function killTree(pid: number): void {
  const { stdout } = spawnSync('ps', ['-e', '-o', 'pid=,ppid=']);
  const children = new Map<number, number[]>();
  for (const line of stdout.toString().split('\n')) {
    const [child = 0, parent = 0] = line.trim().split(/\s+/).map(Number);
    children.set(parent, [...(children.get(parent) ?? []), child]);
  }
  const all = (parent: number): number[] => [parent, ...(children.get(parent) ?? []).flatMap(all)];
  for (const each of all(pid)) {
    try {
      process.kill(each, 'SIGKILL');
    } catch {
      // Gone already.
    }
  }
}
