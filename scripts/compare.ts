// Runs two builds of the programs on the same files and prints where their output differs. For changes that must not change behaviour.
//   node scripts/compare.ts OTHER-CHECKOUT FILE...
// Each file goes through every program with each of its option sets. Output is equal if it has the same JSON values line by line, and if a line
// that equals its input byte for byte in one build does so in the other. Notes on standard error and exit statuses are compared as they stand.

import { readFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { execa } from 'execa';
import yargs from 'yargs';

const ROOT = join(import.meta.dirname, '..');
const DIALECTS = ['anthropic', 'openai', 'openai-responses', 'gemini', 'bedrock', 'mistral', 'cohere', 'ollama'];

const RUNS: { readonly [program: string]: readonly string[] } = {
  'ai-transform': [
    ...DIALECTS.map((dialect) => `--to ${dialect}`),
    '--to openai --carry',
    '--to anthropic --roll',
    '--to gemini --model gemini-2.5-pro --report /dev/stderr',
    '--to openai --tools-to-prompt hermes',
    '--to markdown',
    '--to claude-code',
    '--to anthropic --sse',
    '--unroll',
    '--check',
    '--repair',
  ],
  'ai-condense': [
    '--trigger 8000 --budget 4000',
    '--trigger 20000 --budget 20000 --explain',
    '--trigger 6000 --budget 3000 --mark',
    '--trigger 3000 --budget 3000 --strategy window',
    '--trigger 3000 --budget 3000 --strategy results,arguments,clip',
    '--max-bytes 20000',
    '--max-images 1 --trigger 5000 --budget 4000',
    '--trigger 4000 --budget 2000 --on-overflow compact --system',
  ],
  'ai-recover-tools': ['', '--strict', '--salvage', '--explain', '--in-reasoning', '--trust-quotes', '--keep-going'],
  'ai-route': [
    '-m gpt-4o',
    '-m claude-sonnet-4-5 --dry-run',
    '-m auto --credentials ignore --explain',
    '--preprocess -m gpt-4o',
  ],
  'ai-complete': [
    '-m echo',
    '-m echo -n',
    '-m echo -t',
    '-m extract -n',
    '-m openai/gpt-4o --dry-run',
    '-m anthropic/claude-sonnet-4-5 --dry-run',
  ],
  'ai-wc': ['', '--status', '--json'],
  'ai-turn': ['', '--answer', '--say again'],
  'ai-pending': ['', '--all'],
  'ai-grep': ['-c the', '--json -i error', '--kind call -o records .'],
};

interface Outcome {
  readonly status: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

const environment = {
  PATH: process.env.PATH,
  HOME: tmpdir(),
  XDG_STATE_HOME: join(tmpdir(), 'compare-state'),
  NO_COLOR: '1',
  LANG: 'C.UTF-8',
  OPENAI_API_KEY: 'none',
  ANTHROPIC_API_KEY: 'none',
};

async function run(checkout: string, program: string, options: string, file: string): Promise<Outcome> {
  const args = [...options.split(' ').filter(Boolean), file];
  const { exitCode, signal, stdout, stderr } = await execa(join(checkout, 'bin', program), args, {
    env: environment,
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    timeout: 60_000,
    stripFinalNewline: false,
    maxBuffer: 1 << 28,
  });
  return { status: exitCode ?? signal ?? 'timeout', stdout, stderr: stderr.replaceAll(checkout, '') };
}

const parse = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
};

/** The first difference, in words; undefined if there is none. */
function difference(ours: Outcome, theirs: Outcome, input: ReadonlySet<string>): string | undefined {
  if (ours.status !== theirs.status) return `status ${theirs.status} → ${ours.status}`;
  if (ours.stdout !== theirs.stdout) {
    const [now, before] = [ours.stdout.split('\n'), theirs.stdout.split('\n')];
    for (let i = 0; i < Math.max(now.length, before.length); i += 1) {
      if (now[i] === before[i]) continue;
      if (input.has(before[i] ?? '')) return `line ${i + 1} was untouched`;
      if (!isDeepStrictEqual(parse(now[i] ?? ''), parse(before[i] ?? '')))
        return `line ${i + 1}: ${before[i]?.slice(0, 200)} → ${now[i]?.slice(0, 200)}`;
    }
  }
  return ours.stderr === theirs.stderr
    ? undefined
    : `notes: ${theirs.stderr.slice(0, 200)} → ${ours.stderr.slice(0, 200)}`;
}

const values = await yargs(process.argv.slice(2))
  .usage('Usage: compare OTHER-CHECKOUT FILE...')
  .demandCommand(2, 'give another checkout, built, and files')
  .strictOptions()
  .parse();
const [other = '', ...files] = values._.map(String);
const jobs = Object.entries(RUNS).flatMap(([program, sets]) =>
  sets.flatMap((options) => files.map((file) => ({ program, options, file: resolve(file) }))),
);
let equal = 0;
let different = 0;
async function work(): Promise<void> {
  for (let job = jobs.pop(); job; job = jobs.pop()) {
    const { program, options, file } = job;
    const input = new Set(readFileSync(file, 'utf8').split('\n'));
    const [ours, theirs] = [await run(ROOT, program, options, file), await run(resolve(other), program, options, file)];
    const what = difference(ours, theirs, input);
    if (what === undefined) equal += 1;
    else {
      different += 1;
      console.log(`${program} ${options} ${file}\n    ${what}`);
    }
  }
}
await Promise.all(cpus().map(work));
console.log(`${equal} equal, ${different} different`);
process.exitCode = different > 0 ? 1 : 0;
