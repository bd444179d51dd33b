// The options of ai-transform.
import type { Options, Values } from '../../lib/cli/filter.ts';
import { formatNames } from '../../lib/dialects/table.ts';
import { LOGS } from '../../lib/transcripts/log-table.ts';
import { TEXTS } from '../../lib/transcripts/text-table.ts';

export const DEFAULT_BUDGET = 4000;

const named = (formats: readonly { readonly name: string }[]): string[] => formats.map(({ name }) => name);

const readable = [...formatNames(), ...named(LOGS), ...named(TEXTS.filter(({ read }) => read))];
const writable = [
  ...formatNames(),
  ...named(LOGS.filter(({ write }) => write)),
  ...named(TEXTS.filter(({ write }) => write)),
];

export const OPTIONS = {
  from: {
    type: 'string',
    arg: 'DIALECT',
    choices: readable,
    summary: 'the dialect to read, if it cannot be detected',
  },
  to: { type: 'string', arg: 'DIALECT', choices: writable, summary: 'the dialect to write' },
  all: { type: 'boolean', summary: "session logs: read the other branches and the sub-agents' conversations too" },
  select: {
    type: 'string',
    arg: 'ID',
    summary: 'session logs: read the branch that contains this record (its id, a prefix of its id, or FILE:LINE)',
  },
  roll: { type: 'boolean', summary: 'write each conversation on one line' },
  unroll: { type: 'boolean', summary: 'write each message of a rolled-up conversation on its own line' },
  sse: { type: 'boolean', summary: "write replies as an event stream, in the API's own framing, as they arrive" },
  strict: { type: 'boolean', summary: 'fail at the first record that cannot be converted without loss' },
  model: {
    type: 'string',
    short: 'm',
    arg: 'MODEL',
    summary: 'the target model (default: that of the head): adapt the conversation to what its model family requires',
  },
  'tool-names': {
    type: 'string',
    arg: 'TABLE',
    summary: 'rename tools and their arguments: claude-code, snake, or a JSON file; reverse:TABLE renames them back',
  },
  'summarize-tools': {
    type: 'optional',
    arg: 'CHARS',
    summary: `shorten the tool descriptions to this many characters in total (${DEFAULT_BUDGET} without a number)`,
  },
  'tools-to-prompt': {
    type: 'optional',
    arg: 'FORMAT',
    summary: "write tools, calls and results as text, in a format of ai-recover-tools (default: the model's own)",
  },
  check: { type: 'boolean', summary: 'print what the API would reject, one problem per line, and no records' },
  repair: { type: 'boolean', summary: 'repair what can be repaired without inventing content, and report each repair' },
  carry: {
    type: 'boolean',
    summary: 'keep what the target cannot express in "_meta.carry", so that the round trip is exact',
  },
  report: { type: 'string', arg: 'FILE', summary: 'write each loss and each repair to a file, as JSON lines' },
  quiet: { type: 'boolean', short: 'q', summary: 'do not report losses' },
} as const satisfies Options;

export type TransformOptions = Values<typeof OPTIONS>;
