// What help shows, and the tests run.
import type { Example } from '../../lib/cli/filter.ts';

export const EXAMPLES: readonly Example[] = [
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
  {
    title: 'a session log of Codex, to read (give the file name of the log as operand)',
    command: 'ai-transform --to text',
    stdin: `{"timestamp":"2026-01-02T03:04:05.000Z","type":"session_meta","payload":{"id":"s1","cwd":"/work"}}
{"timestamp":"2026-01-02T03:04:06.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Hello"}]}}
`,
    stdout: `# s1
# /work

user:
  Hello

`,
  },
];
