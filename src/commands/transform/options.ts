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
  sse: { type: 'boolean', summary: "write replies as the API's event stream, as they come and framed as it does" },
  strict: { type: 'boolean', summary: 'fail at the first record that cannot be written without loss' },
  model: {
    type: 'string',
    short: 'm',
    arg: 'MODEL',
    summary: "the model that will read it, if not the head's: what its family wants is done",
  },
  'tool-names': {
    type: 'string',
    arg: 'TABLE',
    summary: 'rename tools and their arguments: claude-code, snake, or a JSON file; reverse:TABLE the other way',
  },
  'summarize-tools': {
    type: 'optional',
    arg: 'CHARS',
    summary: `cut the descriptions of tools to this many characters together (${DEFAULT_BUDGET} without a number)`,
  },
  'tools-to-prompt': {
    type: 'optional',
    arg: 'FORMAT',
    summary: "write tools, calls and results as text, in a format of ai-recover-tools (the model's own without one)",
  },
  check: { type: 'boolean', summary: 'print what the API would refuse, one finding per line, and no records' },
  repair: { type: 'boolean', summary: 'mend what can be mended without inventing content, and say what was done' },
  carry: { type: 'boolean', summary: 'keep in "_meta" what the way back needs, so that it is exact' },
  report: { type: 'string', arg: 'FILE', summary: 'write what became of every field, as JSON lines' },
  quiet: { type: 'boolean', short: 'q', summary: 'do not say what was lost' },
} as const satisfies Options;

export type TransformOptions = Values<typeof OPTIONS>;
