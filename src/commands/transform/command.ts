// ai-transform: the same conversation in another form.
import { defineFilter } from '../../lib/cli/filter.ts';
import { formatNames } from '../../lib/formats/convert.ts';
import { LOGS } from '../../lib/formats/log-table.ts';
import { TEXTS } from '../../lib/formats/text-table.ts';
import { EXAMPLES } from './examples.ts';
import { transform } from './transform.ts';

const readable = [...formatNames(), ...LOGS.map(({ name }) => name), ...named(TEXTS.filter(({ read }) => read))];
const writable = [
  ...formatNames(),
  ...named(LOGS.filter(({ write }) => write)),
  ...named(TEXTS.filter((t) => t.write)),
];

function named(formats: readonly { readonly name: string }[]): string[] {
  return formats.map(({ name }) => name);
}

export default defineFilter({
  name: 'ai-transform',
  summary: 'change the dialect of a conversation',
  description: `
    Reads conversations in any known dialect and writes them in another. The dialect is found out record by record; --from says it where
    nothing else can. Records that are in the target dialect already, and records that are no part of a conversation, leave as the bytes
    they came in as.

    Session logs of coding agents are known by their first lines. Each file is one conversation, with what is known of the session under the
    head's "_meta". The live branch is read: what was rewound, taken back or compacted away is not. --all adds the other branches and the
    threads of sub-agents, --select takes the branch that holds a record. A conversation written as the log of an agent can be opened there.

    What the target cannot express is dropped and said on standard error: field, count and reason. With --strict the first such loss ends
    the program instead.

    Numbers beyond 2^53 and repeated keys survive only in records that leave unchanged.`,
  options: {
    from: {
      type: 'string',
      arg: 'DIALECT',
      choices: readable,
      summary: 'the dialect to read, where it cannot be told',
    },
    to: { type: 'string', arg: 'DIALECT', choices: writable, summary: 'the dialect to write' },
    all: { type: 'boolean', summary: "of a session log, its other branches and its sub-agents' threads too" },
    select: {
      type: 'string',
      arg: 'ID',
      summary: 'of a session log, the branch through this record: its id, the beginning of it, or FILE:LINE',
    },
    roll: { type: 'boolean', summary: 'write each conversation on one line' },
    unroll: { type: 'boolean', summary: 'write each message of a rolled-up line on a line of its own' },
    strict: { type: 'boolean', summary: 'fail at the first record that cannot be written without loss' },
    quiet: { type: 'boolean', short: 'q', summary: 'do not say what was lost' },
  },
  exits: { 65: 'a line of the input is bad, or --strict and something would be lost' },
  see: ['ai-complete', 'ai-recover-tools'],
  examples: EXAMPLES,
  run: (records, options, context) => transform(records, options, context),
});
