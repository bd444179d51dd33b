// ai-mcp: one MCP server as a program.
import { defineFilter } from '../../lib/cli/filter.ts';
import { DESCRIPTION, OPTIONS } from './options.ts';

export default defineFilter({
  name: 'ai-mcp',
  summary: 'list and call the tools of an MCP server, or install them',
  description: DESCRIPTION,
  operands: ['SERVER'],
  more: '[TOOL [NAME=VALUE]...]',
  options: OPTIONS,
  exits: {
    1: 'the tool reports an error',
    65: 'the arguments are not a JSON object, or the server rejects them',
    69: 'the server cannot be reached, or refuses the request',
    77: 'the server asks for input from a person',
    78: 'the configuration of servers cannot be read or is not trusted',
    124: 'timeout',
  },
  see: ['ai-exec'],
  examples: [],
  async *run(records, options, context) {
    const { serve } = await import('./serve.ts');
    yield* serve(records.inputs, options, context);
  },
});
