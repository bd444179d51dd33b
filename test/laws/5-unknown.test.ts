// Law 5: unknown record types, part types and fields survive every filter.
import { describe, expect, test } from 'vitest';
import { run } from '../run.ts';

const UNKNOWN = '{"type":"thing_of_2027","payload":{"__proto__":{"a":1},"list":[1,null]}}';
const CALL = '<tool_call>{\\"name\\":\\"x\\",\\"arguments\\":{}}</tool_call>';

describe('records', () => {
  const lines = [
    '{"model":"gpt-4o-mini"}',
    UNKNOWN,
    '{"role":"user","content":"a"}',
    UNKNOWN,
    `{"role":"assistant","content":"${CALL}"}`,
    UNKNOWN,
  ];
  const commands: (readonly [string, ...string[]])[] = [
    ['ai-transform', '--to', 'anthropic'],
    ['ai-transform', '--to', 'openai'],
    ['ai-route', '-m', 'claude-sonnet-4-5'],
    ['ai-condense', '--budget', '1000'],
    ['ai-recover-tools'],
  ];
  for (const [name, ...argv] of commands)
    test(`${[name, ...argv].join(' ')}: unknown records stay, byte for byte, in their places`, async () => {
      const { stdout, status } = await run(name, argv, { stdin: `${lines.join('\n')}\n` });
      expect(status).toBe(0);
      const out = stdout.trimEnd().split('\n');
      expect(out.filter((line) => line === UNKNOWN)).toHaveLength(3);
      expect(out[1]).toBe(UNKNOWN);
      expect(out.at(-1)).toBe(UNKNOWN);
    });
});

describe('parts and fields of a message that is changed', () => {
  const CASES = {
    anthropic: `{"role":"assistant","new_field":{"a":[1]},"content":[{"type":"block_of_2027","x":{"y":1}},{"type":"text","text":"${CALL}","hint":"kept"},{"type":"tool_use","id":"t","name":"n","input":{},"new":null}]}`,
    openai: `{"role":"assistant","new_field":{"a":[1]},"content":[{"type":"part_of_2027","x":{"y":1}},{"type":"text","text":"${CALL}"}],"tool_calls":[{"id":"t","type":"function","function":{"name":"n","arguments":"{}","new":1},"newer":2}]}`,
    bedrock: `{"role":"assistant","new_field":{"a":[1]},"content":[{"block_of_2027":{"x":1}},{"text":"${CALL}","hint":"kept"},{"toolUse":{"toolUseId":"t","name":"n","input":{},"new":null}}]}`,
    mistral: `{"role":"assistant","new_field":{"a":[1]},"content":[{"type":"reference","reference_ids":[1]},{"type":"chunk_of_2027"},{"type":"text","text":"${CALL}"}],"tool_calls":[{"id":"aaaaaaaa1","function":{"name":"n","arguments":"{}","new":1},"newer":2}]}`,
    ollama: `{"role":"assistant","new_field":{"a":[1]},"content":"${CALL}","thinking":"Hm.","tool_calls":[{"function":{"name":"n","arguments":{},"new":1},"newer":2}]}`,
    cohere: `{"role":"assistant","new_field":{"a":[1]},"tool_plan":"","content":[{"type":"block_of_2027"},{"type":"text","text":"${CALL}"}],"tool_calls":[{"id":"t","function":{"name":"n","arguments":"{}","new":1},"newer":2}]}`,
  };
  for (const [format, line] of Object.entries(CASES))
    test(`${format}: recovering a call keeps what is not known`, async () => {
      const { stdout } = await run('ai-recover-tools', [], { stdin: `${line}\n` });
      const after = JSON.parse(stdout);
      const before = JSON.parse(line);
      expect(after.new_field).toEqual(before.new_field);
      if (Array.isArray(before.content)) expect(after.content[0]).toEqual(before.content[0]);
      if (before.tool_calls === undefined) expect(after.content).toContainEqual(before.content[2]);
      else expect(after.tool_calls).toContainEqual(before.tool_calls[0]);
      expect(after._meta.recovered).toHaveLength(1);
    });
});
