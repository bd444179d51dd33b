// Speed and memory, as ratios against jq, bare Node and the bare loop, in one run. The lines are made here, or read from AI_BENCH_FILE.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const bin = (name: string) => join(ROOT, 'bin', name);
const dir = mkdtempSync(join(tmpdir(), 'bench-'));
process.on('exit', () => rmSync(dir, { recursive: true, force: true }));

const message = JSON.stringify('Line by line the program reads what it is given, "quoted" or not.\n'.repeat(6));
const LINES = [
  `{"role":"user","content":${message}}`,
  `{"role":"assistant","content":"Let me look.","tool_calls":[{"id":"call_1","type":"function","function":{"name":"Read","arguments":"{\\"path\\":\\"src/main.c\\",\\"lines\\":[1,200]}"}}]}`,
  `{"role":"tool","tool_call_id":"call_1","content":${JSON.stringify('int main(int argc, char **argv) {\n\treturn 0;\n}\n'.repeat(20))}}`,
  `{"role":"assistant","content":${message}}`,
];

/** The same in Anthropic's dialect. */
const BLOCKS = [
  LINES[0],
  `{"role":"assistant","content":[{"type":"text","text":"Let me look."},{"type":"tool_use","id":"call_1","name":"Read","input":{"path":"src/main.c","lines":[1,200]}}]}`,
  LINES[2]
    ?.replace('"tool","tool_call_id":"call_1",', '"user","content":[{"type":"tool_result","tool_use_id":"call_1",')
    .replace(/}$/, '}]}'),
  LINES[3],
];

function makeFile(name: string, bytes: number, lines: readonly (string | undefined)[] = LINES): string {
  const path = join(dir, name);
  const fd = openSync(path, 'w');
  let calls = 0;
  // Each call has an id of its own, as in a conversation.
  const group = () => lines.join('\n').replaceAll('call_1', `call_${++calls}`);
  for (let written = 0; written < bytes; )
    written += writeSync(fd, `${Array.from({ length: 200 }, group).join('\n')}\n`);
  return path;
}

/** Seconds of the processor for one run, on all its cores. */
function cpu(command: string, argv: readonly string[]): number {
  const told = execFileSync('sh', ['-c', '"$0" "$@" >/dev/null; times', command, ...argv], { encoding: 'utf8' });
  const [, , ...children] = told.split(/\s+/).map((word) => /(\d+)m([\d.]+)s/.exec(word));
  return children.reduce((sum, time) => sum + Number(time?.[1] ?? 0) * 60 + Number(time?.[2] ?? 0), 0);
}

/** Seconds of one run; output goes nowhere. */
function time(command: string, argv: readonly string[]): number {
  const begun = process.hrtime.bigint();
  const { status, error, stderr } = spawnSync(command, argv, {
    stdio: ['ignore', openSync('/dev/null', 'w'), 'pipe'],
    maxBuffer: 1 << 26,
  });
  if (error || status !== 0) throw new Error(`${command} ${argv.join(' ')}: ${error ?? stderr}`);
  return Number(process.hrtime.bigint() - begun) / 1e9;
}

const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** Medians of two commands run in turn, so that a machine that drifts drifts for both. */
function pair(runs: number, a: () => number, b: () => number): [number, number] {
  const times: [number, number][] = Array.from({ length: runs + 1 }, () => [a(), b()]);
  times.shift();
  return [median(times.map(([x]) => x)), median(times.map(([, y]) => y))];
}

function report(what: string, ratio: number, wanted: string, detail: string): void {
  console.log(`${what.padEnd(58)} ${ratio.toFixed(2).padStart(6)}×  (wanted ${wanted}; ${detail})`);
}

const ms = (seconds: number) => `${(seconds * 1000).toFixed(0)} ms`;

function startUp(): void {
  const bare = () => time(process.execPath, ['-e', '0']);
  for (const name of ['ai-transform', 'ai-route', 'ai-condense', 'ai-recover-tools', 'ai-complete'])
    for (const argv of [['--version'], ['--help'], ...(EMPTY[name] ? [EMPTY[name]] : [])]) {
      const [ours, theirs] = pair(15, () => time(bin(name), argv), bare);
      report(`${name} ${argv.join(' ')}`, ours / theirs, 'at most 1.55', `${ms(ours)} against node -e 0 ${ms(theirs)}`);
    }
}

/** With standard input empty. */
const EMPTY: { readonly [name: string]: string[] } = {
  'ai-transform': ['--to', 'anthropic'],
  'ai-route': ['-m', 'gpt-4o-mini'],
  'ai-condense': ['--budget', '80%'],
  'ai-recover-tools': [],
  'ai-complete': ['-m', 'echo', '--allow-empty'],
};

const LOOP = `const fs = require('node:fs'); const out = fs.openSync('/dev/null', 'w'); let rest = Buffer.alloc(0); const chunk = Buffer.allocUnsafe(65536);
const fd = fs.openSync(process.argv[1], 'r');
for (;;) { const n = fs.readSync(fd, chunk, 0, 65536, null); if (!n) break; const all = Buffer.concat([rest, chunk.subarray(0, n)]); let at = 0, end, text = '';
while ((end = all.indexOf(10, at)) >= 0) { text += JSON.stringify(JSON.parse(all.toString('utf8', at, end))) + '\\n'; at = end + 1; } fs.writeSync(out, text); rest = Buffer.from(all.subarray(at)); }`;

function throughput(): void {
  const lines = process.env.AI_BENCH_FILE ?? makeFile('lines.jsonl', 100e6);
  const blocks = makeFile('blocks.jsonl', 100e6, BLOCKS);
  const cases: [string, string[], number, string][] = [
    ['ai-transform', [], 5, lines],
    ['ai-transform', ['-q', '--to', 'anthropic'], 3, lines],
    ['ai-transform', ['-q', '--to', 'openai'], 3, blocks],
    ['ai-recover-tools', [], 5, lines],
  ];
  for (const [name, argv, wanted, file] of cases) {
    const jq = () => time('jq', ['-c', '.', file]);
    const loop = () => time(process.execPath, ['-e', LOOP, file]);
    const ours = () => time(bin(name), [...argv, file]);
    const [a, b] = pair(3, ours, jq);
    report(
      `${name} ${argv.join(' ')}: speed against jq -c .`,
      b / a,
      `at least ${wanted}`,
      `${ms(a)} against ${ms(b)} for 100 MB`,
    );
    const [e, f] = pair(
      3,
      () => cpu(bin(name), [...argv, file]),
      () => cpu('jq', ['-c', '.', file]),
    );
    report(`${name} ${argv.join(' ')}: processor time`, f / e, `at least ${wanted}`, `${ms(e)} against ${ms(f)}`);
    const [c, d] = pair(3, ours, loop);
    report(
      `${name} ${argv.join(' ')}: speed against the bare loop`,
      d / c,
      'at least 0.5',
      `${ms(c)} against ${ms(d)}`,
    );
  }
}

function memory(): void {
  const file = makeFile('large.jsonl', 1e9);
  for (const argv of [['-q', '--to', 'anthropic'], []]) {
    const script = `"$0" ${argv.join(' ')} "$1" >/dev/null & pid=$!; peak=0; while size=$(awk '/VmHWM/ { print $2 }' /proc/$pid/status 2>/dev/null) && [ -n "$size" ]; do peak=$size; sleep 0.05; done; echo $peak`;
    const peak = Number(execFileSync('sh', ['-c', script, bin('ai-transform'), file], { encoding: 'utf8' })) / 1024;
    console.log(
      `${`ai-transform ${argv.join(' ')}: peak memory for 1 GB`.padEnd(58)} ${peak.toFixed(0).padStart(6)} MB (wanted at most 150)`,
    );
  }
}

/** A turn of five local stages, and a stage of hooks of which none fits. */
function loop(): void {
  writeFileSync(join(dir, 'rules.json'), '{"permissions":{"allow":["LS"]}}', { mode: 0o644 });
  const call =
    '{"role":"user","content":"go"}\n{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"LS","input":{}}]}\n';
  writeFileSync(join(dir, 'c.jsonl'), call);
  const shell = (script: string) => () =>
    time('sh', ['-c', `cd '${dir}' && PATH='${join(ROOT, 'bin')}':$PATH && ${script}`]);
  const bare = () => time(process.execPath, ['-e', '0']);
  const stages = 'ai-pending <c.jsonl | ai-transform | ai-permit -p rules.json | ai-exec -T builtin | ai-transform';
  const [turn, one] = pair(15, shell(stages), bare);
  report('a turn of five local stages', turn / one, 'at most 25', `${ms(turn)} against node -e 0 ${ms(one)}`);
  const [hooks, two] = pair(15, shell('ai-pending <c.jsonl | ai-hook PreToolUse'), bare);
  report('ai-pending | ai-hook PreToolUse', hooks / two, 'at most 4', `${ms(hooks)} against node -e 0 ${ms(two)}`);
}

writeFileSync(join(dir, 'empty'), '');
const parts = process.argv.slice(2);
if (parts.length === 0 || parts.includes('start-up')) startUp();
if (parts.length === 0 || parts.includes('throughput')) throughput();
if (parts.length === 0 || parts.includes('memory')) memory();
if (parts.length === 0 || parts.includes('loop')) loop();
