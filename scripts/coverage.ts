// What one record passes through: the files and functions that run for it and not for an empty input, from V8's own coverage.
//   node scripts/coverage.ts [--list] PROGRAM [OPTION]... <RECORDS
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execaSync } from 'execa';

const ROOT = join(import.meta.dirname, '..');
const SOURCES = `file://${join(ROOT, 'src')}/`;

interface Ranges {
  readonly functionName: string;
  readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
}

/** How often each function of the sources was called, by `FILE:FUNCTION@OFFSET`. */
function callsOf(program: string, options: readonly string[], input: Buffer | string): Map<string, number> {
  const dir = mkdtempSync(join(tmpdir(), 'coverage-'));
  execaSync('node', [join(ROOT, 'src/start.ts'), program, ...options], {
    input,
    env: { NODE_V8_COVERAGE: dir },
    preferLocal: true,
    reject: false,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const calls = new Map<string, number>();
  for (const file of readdirSync(dir)) {
    const { result } = JSON.parse(readFileSync(join(dir, file), 'utf8')) as {
      result: readonly { readonly url: string; readonly functions: readonly Ranges[] }[];
    };
    for (const { url, functions } of result) {
      if (!url.startsWith(SOURCES)) continue;
      for (const { functionName, ranges } of functions) {
        const [{ startOffset = 0, count = 0 } = {}] = ranges;
        // A module runs once whatever it is given.
        if (functionName === '' && startOffset === 0) continue;
        const key = `${url.slice(SOURCES.length)}:${functionName || '(anonymous)'}@${startOffset}`;
        calls.set(key, (calls.get(key) ?? 0) + count);
      }
    }
  }
  rmSync(dir, { recursive: true });
  return calls;
}

const words = process.argv.slice(2);
const listed = words[0] === '--list';
const [program, ...options] = listed ? words.slice(1) : words;
if (program === undefined) {
  console.error('coverage: cannot measure without a program: scripts/coverage.ts PROGRAM [OPTION]... <RECORDS');
  process.exit(64);
}
const empty = callsOf(program, options, '');
const full = callsOf(program, options, readFileSync(0));
const extra = [...full]
  .map(([key, count]) => ({ key, count: count - (empty.get(key) ?? 0) }))
  .filter(({ count }) => count > 0);
const fresh = extra.filter(({ key }) => (empty.get(key) ?? 0) === 0);
const files = new Set(fresh.map(({ key }) => key.slice(0, key.indexOf(':'))));
if (listed)
  for (const { key, count } of fresh) console.log(`${String(count).padStart(6)}  ${key.replace(/@\d+$/, '')}`);
console.log(
  `${files.size} files, ${fresh.length} functions, ${fresh.reduce((sum, { count }) => sum + count, 0)} calls`,
);
