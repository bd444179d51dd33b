// A value of a wrong type in any field is bad input or passes: it is never our bug, and costs no other record.
import { describe, expect, test } from 'vitest';
import { formatNames } from '../../src/lib/dialects/table.ts';
import { LOGS } from '../../src/lib/transcripts/log-table.ts';
import { TEXTS } from '../../src/lib/transcripts/text-table.ts';
import { run } from '../run.ts';
import { GOOD, spoiled, VALUES } from './wrong-types.ts';

const ENV = { AI_STATE: 'off' };

const to = [
  ...formatNames(),
  ...LOGS.filter(({ write }) => write).map(({ name }) => name),
  ...TEXTS.map(({ name }) => name),
];

const COMMANDS: readonly (readonly string[])[] = [
  ...to.map((name) => ['ai-transform', '-q', '--to', name]),
  ...formatNames().map((name) => [
    'ai-transform',
    '-q',
    '--from',
    name,
    '--to',
    name === 'openai' ? 'anthropic' : 'openai',
  ]),
  ['ai-transform', '-q', '--to', 'openai', '--carry', '--roll'],
  ['ai-transform', '-q', '--to', 'anthropic', '--sse'],
  [
    'ai-transform',
    '-q',
    '--to',
    'anthropic',
    '-m',
    'claude-sonnet-4-5',
    '--tool-names',
    'snake',
    '--summarize-tools=9',
  ],
  ['ai-transform', '-q', '--tools-to-prompt'],
  ['ai-transform', '-q', '--check'],
  ['ai-transform', '-q', '--repair'],
  ['ai-transform', '-q', '--unroll'],
  ['ai-transform', '-q', '--roll'],
  ['ai-wc', '--json'],
  ['ai-wc', '--status', '-m', 'tokens=80%,usd=1', '--window', '1000'],
  ['ai-turn'],
  ['ai-turn', '--answer'],
  ['ai-turn', '--say', 'x'],
  ['ai-pending', '--all'],
  ['ai-grep', '--json', 'o'],
  ['ai-grep', '-c', '-C', '2', '-v', '-r', 'assistant', 'o'],
  ['ai-condense', '--budget', '60'],
  ['ai-condense', '--budget', '9', '--mark'],
  ['ai-condense', '--budget', '100000', '--max-images', '0'],
  ['ai-condense', '--restore'],
  ['ai-route', '-m', 'claude-sonnet-4-5'],
  ['ai-route', '--preprocess', '-m', 'gpt-4o'],
  ['ai-route', '--dry-run'],
  ['ai-route', '--replay'],
  ['ai-recover-tools'],
  ['ai-recover-tools', '--in-reasoning', '--salvage'],
  ['ai-complete', '-m', 'echo'],
  ['ai-complete', '-m', 'extract', '--system', 's', '-n'],
  ['ai-complete', '--dry-run', '-m', 'm', '--base-url', 'http://127.0.0.1:9'],
  ['ai-permit', '--deny', 'no'],
  ['ai-exec', '-T', 'tools'],
  ['ai-hook', 'PreToolUse'],
];

/** What passes on the records that it does not change: its good ones come out whatever is wrong with the others. */
const PASSES = new Set(['ai-recover-tools', 'ai-permit', 'ai-hook', 'ai-transform --unroll']);

/** Every how many-th case is run; AI_TEST_ALL=1 runs all, which takes a quarter of an hour. */
const STEP = process.env.AI_TEST_ALL ? 1 : 509;

const cases = spoiled().flatMap(({ field, stream }) =>
  VALUES.map((value) => ({ field, stream: stream(value), value })),
);

describe.each(COMMANDS.map((command, at) => [command.join(' '), command, at] as const))('%s', (title, command, at) => {
  const [name = '', ...argv] = command;
  const mine = cases.filter((_, i) => i % STEP === at % STEP);

  test('no value of any type in any field is our bug', async () => {
    const bugs: string[] = [];
    for (const { field, stream, value } of mine) {
      const { status, stderr, stdout } = await run(name, [...argv, '--keep-going'], { stdin: stream, env: ENV });
      const where = `${field.kind} ${field.path} = ${value}`;
      if (status === 70 || /internal error|\n {4}at /.test(stderr)) bugs.push(`${where}: ${stderr.slice(0, 200)}`);
      const good = stream.split(GOOD).length;
      if (PASSES.has(`${name} ${argv[0]}`) || PASSES.has(name))
        if (argv[0] !== '--restore' && stdout.split(GOOD).length < good) bugs.push(`${where}: a good line is lost`);
    }
    expect(bugs, title).toEqual([]);
  });
});
