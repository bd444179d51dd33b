// Whether the tests notice bugs: changes one place of the sources at a time and runs the tests that depend on the file.
//   node scripts/mutations.ts [--seed N] [--count N] [--only PATH-PREFIX]
// The same seed draws the same places in the same sources. A mutation that no test notices is printed; the last line counts them. Each file is
// put back after its mutation, also when the run is interrupted.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import yargs from 'yargs';

const ROOT = join(import.meta.dirname, '..');
const values = await yargs(process.argv.slice(2))
  .usage('Usage: mutations [OPTION]...')
  .options({
    seed: { type: 'number', default: 1, describe: 'the same seed draws the same places' },
    count: { type: 'number', default: 200, describe: 'mutations to try' },
    only: { type: 'string', default: 'src/', describe: 'the sources to change: those whose path begins so' },
  })
  .strict()
  .parse();

/** What is changed, and into what. Comments, imports and types are skipped: no test can notice those. */
const CHANGES: readonly (readonly [RegExp, string])[] = [
  [/ === /, ' !== '],
  [/ !== /, ' === '],
  [/ && /, ' || '],
  [/ \|\| /, ' && '],
  [/ \?\? /, ' && '],
  [/ < /, ' <= '],
  [/ > /, ' >= '],
  [/ <= /, ' < '],
  [/ >= /, ' > '],
  [/ \+ 1\b/, ' + 2'],
  [/ - 1\b/, ' - 0'],
  [/\btrue\b/, 'false'],
  [/\bfalse\b/, 'true'],
  [/\bif \((?!\()/, 'if (!'],
  [/\.some\(/, '.every('],
  [/\.every\(/, '.some('],
  [/\.filter\(/, '.slice().map('],
  [/\breturn \[\];/, 'return [undefined as never];'],
  [/\bundefined;$/, 'null as never;'],
  [/\?\?= /, '= '],
];

interface Place {
  readonly file: string;
  readonly line: number;
  readonly change: readonly [RegExp, string];
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const isCode = (line: string): boolean =>
  !/^\s*(\/\/|\*|\/\*|import |export \{|export type |(export )?interface )/.test(line);

function places(): Place[] {
  return globSync(`${values.only}**/*.ts`, { cwd: ROOT })
    .filter((file) => file.startsWith('src/'))
    .sort()
    .flatMap((file) =>
      readFileSync(join(ROOT, file), 'utf8')
        .split('\n')
        .flatMap((text, line) =>
          CHANGES.filter(([from]) => isCode(text) && from.test(text)).map((change) => ({ file, line, change })),
        ),
    );
}

/** Whether a test fails, or the mutation is an error of types. */
async function isNoticed({ file, line, change: [from, to] }: Place): Promise<boolean> {
  const path = join(ROOT, file);
  const source = readFileSync(path, 'utf8');
  const lines = source.split('\n');
  lines[line] = (lines[line] ?? '').replace(from, to);
  const putBack = () => writeFileSync(path, source);
  process.once('exit', putBack);
  try {
    writeFileSync(path, lines.join('\n'));
    const { exitCode } = await execa('vitest', ['related', '--run', '--bail=1', '--reporter=dot', file], {
      cwd: ROOT,
      preferLocal: true,
      reject: false,
      timeout: 15 * 60_000,
    });
    return exitCode !== 0;
  } finally {
    putBack();
    process.removeListener('exit', putBack);
  }
}

const draw = random(values.seed);
const all = places();
let noticed = 0;
const count = values.count;
for (let i = 0; i < count; i += 1) {
  const place = all[Math.floor(draw() * all.length)] as Place;
  const { file, line, change } = place;
  if (await isNoticed(place)) noticed += 1;
  else console.log(`not noticed: ${file}:${line + 1}: "${change[0].source.trim()}" as "${change[1].trim()}"`);
}
console.log(`${noticed} of ${count} mutations were noticed`);
process.on('SIGINT', () => process.exit(130));
