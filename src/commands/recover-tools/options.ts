// What ai-recover-tools can be told.
import type { Options } from '../../lib/cli/filter.ts';

export const OPTIONS = {
  format: {
    type: 'list',
    arg: 'NAME',
    summary: 'look only for this format, or for formats whose names start with NAME',
  },
  tools: {
    type: 'string',
    arg: 'FILE',
    summary: 'a file with more tools: a list of tools, or a request that has tools',
  },
  strict: {
    type: 'boolean',
    summary: 'take only calls that have markers, need no repair and name a tool of the conversation',
  },
  salvage: { type: 'boolean', summary: 'also take calls with truncated arguments, and mark them' },
  'trust-quotes': { type: 'boolean', summary: 'also take calls that repeat text of a user or a tool' },
  'in-reasoning': { type: 'boolean', summary: 'also take calls in reasoning' },
  explain: { type: 'boolean', summary: 'report why each candidate was taken or left as text' },
  'list-formats': { type: 'boolean', summary: 'list the formats and exit' },
} as const satisfies Options;
