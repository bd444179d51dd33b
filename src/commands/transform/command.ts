// ai-transform: the same conversation in another dialect.
import { defineFilter } from '../../lib/cli/filter.ts';
import { OPTIONS } from './options.ts';
import { transform } from './transform.ts';

export default defineFilter({
  name: 'ai-transform',
  summary: 'change the dialect of a conversation',
  description: `
    Reads conversations in any known dialect and writes them in another. The dialect is found out record by record; --from says it where
    nothing else can. Records that are in the target dialect already, and records that are no part of a conversation, leave as the bytes
    they came in as.

    What the target cannot express is dropped and said on standard error: field, count and reason. With --strict the first such loss ends
    the program instead.

    Numbers beyond 2^53 and repeated keys survive only in records that leave unchanged.`,
  options: OPTIONS,
  exits: { 65: 'a line of the input is bad, or --strict and something would be lost' },
  see: ['ai-complete', 'ai-recover-tools'],
  examples: [
    {
      title: 'a tool call, from OpenAI Chat to Anthropic',
      command: 'ai-transform --to anthropic',
      stdin: `{"role":"user","content":"What is the time?"}
{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"clock","arguments":"{}"}}]}
{"role":"tool","tool_call_id":"c1","content":"12:00"}
`,
      stdout: `{"role":"user","content":"What is the time?"}
{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"clock","input":{}}]}
{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"12:00"}]}
`,
    },
  ],
  run: transform,
});
