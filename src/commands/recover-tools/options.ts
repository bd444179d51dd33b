// What ai-recover-tools can be told.
import type { Options } from '../../lib/cli/filter.ts';

export const OPTIONS = {
  format: { type: 'list', arg: 'NAME', summary: 'look only for this format, or those whose names begin so' },
  tools: {
    type: 'string',
    arg: 'FILE',
    summary: "tools besides the conversation's own: a list of them, or a request",
  },
  strict: {
    type: 'boolean',
    summary: 'take only calls that have marks, need no mending and name a tool of the conversation',
  },
  salvage: { type: 'boolean', summary: 'take calls whose arguments are cut off, and mark them' },
  'trust-quotes': { type: 'boolean', summary: 'take calls that a user or a tool said before' },
  'in-reasoning': { type: 'boolean', summary: 'take calls within reasoning as well' },
  explain: { type: 'boolean', summary: 'say of each candidate why it was taken or left' },
  'list-formats': { type: 'boolean', summary: 'list the formats, and do nothing else' },
} as const satisfies Options;
