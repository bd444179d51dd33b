// ai-mcp: one MCP server as a program.
import { defineFilter } from '../../lib/cli/filter.ts';
import { DESCRIPTION, OPTIONS } from './help.ts';

export default defineFilter({
  name: 'ai-mcp',
  summary: 'list and call the tools of an MCP server, or install them',
  description: DESCRIPTION,
  operands: ['SERVER'],
  more: '[TOOL [NAME=VALUE]...]',
  options: OPTIONS,
  exits: {
    1: 'the tool says that it failed',
    65: 'the arguments are none, or the server does not take them',
    69: 'there is no server to talk to, or it refuses',
    77: 'the server asks a person for more',
    78: 'the file of servers cannot be read or trusted',
    124: 'it took too long',
  },
  see: ['ai-exec'],
  examples: [],
  async *run(records, options, context) {
    const { serve } = await import('./serve.ts');
    yield* serve(records.inputs, options, context);
  },
});
