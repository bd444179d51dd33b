// What a conversion writes keeps to the target's rules where the source knows none of the kind.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/lib/json/values.ts';
import { run } from '../../run.ts';

async function converted(from: string, to: string, body: JsonObject): Promise<{ body: JsonObject; lost: string }> {
  const { stdout, stderr } = await run('ai-transform', ['--from', from, '--to', to], {
    stdin: `${JSON.stringify(body)}\n`,
  });
  const checked = await run('ai-transform', ['--check', '--from', to], { stdin: stdout });
  expect(checked).toMatchObject({ status: 0, stdout: '' });
  return { body: JSON.parse(stdout), lost: stderr };
}

const user = (content: string): JsonObject => ({ role: 'user', content });
const tool = (parameters: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'function',
  function: { name: 'look', parameters, ...more },
});

test('a system prompt that asks for JSON stands where the Responses API looks for the word', async () => {
  const messages = [{ role: 'system', content: 'Answer in JSON.' }, user('a')];
  const chat = { model: 'gpt-4o', response_format: { type: 'json_object' }, messages };
  const { body } = await converted('openai', 'openai-responses', chat);
  expect(body.instructions).toBeUndefined();
  expect(body.input).toMatchObject([{ role: 'system' }, { role: 'user' }]);
  expect((await converted('openai-responses', 'openai', body)).body.messages).toEqual(messages);
});

test('Cohere answers in JSON or calls tools', async () => {
  const chat = { response_format: { type: 'json_object' }, tools: [tool({ type: 'object' })], messages: [user('a')] };
  const { body, lost } = await converted('openai', 'cohere', chat);
  expect(body.response_format).toBeUndefined();
  expect(lost).toContain('lost response_format');
});

test('an array of several items says what it holds in strict mode, and comes back as it was', async () => {
  const q = { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }] };
  const parameters = { type: 'object', properties: { q }, required: ['q'], additionalProperties: false };
  const { body } = await converted('anthropic', 'openai', {
    max_tokens: 10,
    tools: [{ name: 'look', strict: true, input_schema: parameters }],
    messages: [user('a')],
  });
  const [written] = body.tools as { function: { parameters: { properties: { q: JsonObject } } } }[];
  expect(written?.function.parameters.properties.q.items).toEqual({ anyOf: q.prefixItems });
});

describe('a file that Chat has no place for', () => {
  const output = [{ type: 'input_file', file_url: 'https://example.com/a.pdf' }];
  const items = [
    user('a'),
    { type: 'function_call', call_id: 'c', name: 'look', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c', output },
  ];

  test('leaves an empty result, and is named', async () => {
    const { body, lost } = await converted('openai-responses', 'openai', { model: 'gpt-4o', input: items });
    expect((body.messages as JsonObject[]).at(-1)).toEqual({ role: 'tool', tool_call_id: 'c', content: '' });
    expect(lost).toContain('lost');
  });
});

test('stop sequences go where gpt-5 takes none', async () => {
  const claude = { model: 'gpt-5', max_tokens: 100, stop_sequences: ['x'], messages: [user('a')] };
  const { body, lost } = await converted('anthropic', 'openai', claude);
  expect(body.stop).toBeUndefined();
  expect(lost).toContain('lost stop');
});

test('a budget for thinking stays within what Gemini 2.5 takes', async () => {
  const claude = {
    model: 'gemini-2.5-flash',
    max_tokens: 60_000,
    thinking: { type: 'enabled', budget_tokens: 50_000 },
    messages: [user('a')],
  };
  const { body, lost } = await converted('anthropic', 'gemini', claude);
  expect(body.generationConfig).toMatchObject({ thinkingConfig: { thinkingBudget: 24_576 } });
  expect(lost).toContain('thinkingBudget');
});

test('with --check, what is said to be in the dialect is held to its words', async () => {
  const stdin = `${JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'url', url: 'https://x/y.png' } }] }] })}\n`;
  const { status, stdout } = await run('ai-transform', ['--check', '--from', 'openai', '--to', 'openai'], { stdin });
  expect(status).toBe(1);
  expect(stdout).toContain('shape');
});

test('what a turn in between kept apart is one message again, when that turn goes', async () => {
  const call = { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} };
  const answer = [
    { type: 'tool_result', tool_use_id: 'toolu_1', content: 'r' },
    { type: 'text', text: 'more' },
  ];
  const messages = [user('a'), { role: 'assistant', content: [call] }, { role: 'user', content: answer }];
  const claude = { max_tokens: 10, tools: [{ name: 'look', input_schema: { type: 'object' } }], messages };
  const { body } = await converted('anthropic', 'mistral', claude);
  expect((body.messages as JsonObject[]).map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
    'assistant',
    'user',
  ]);
  expect((await converted('mistral', 'anthropic', body)).body.messages).toEqual(messages);
});

describe('what is said behind a call', () => {
  const said = [
    { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} },
    { type: 'text', text: 'after' },
    { type: 'tool_use', id: 'toolu_2', name: 'look', input: {} },
    { type: 'text', text: 'end' },
  ];
  const results = ['toolu_1', 'toolu_2'].map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'r' }));
  const messages = [user('a'), { role: 'assistant', content: said }, { role: 'user', content: results }];

  test.each(['openai', 'mistral', 'cohere', 'ollama'])('%s: is named, and comes back to its place', async (to) => {
    const { stdout, stderr } = await run('ai-transform', ['--to', to], {
      stdin: `${JSON.stringify({ max_tokens: 10, tools: [{ name: 'look', input_schema: { type: 'object' } }], messages })}\n`,
    });
    expect(stderr).toContain('moved order');
    const back = await run('ai-transform', ['--from', to, '--to', 'anthropic'], { stdin: stdout });
    expect(JSON.parse(back.stdout).messages).toEqual(messages);
  });

  test('stays where an edit has changed what is said', async () => {
    const stdin = `${JSON.stringify({ role: 'assistant', content: 'other', tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }], _meta: { order: ['call', 5, 3] } })}\n`;
    const { stdout } = await run('ai-transform', ['--from', 'openai', '--to', 'anthropic'], { stdin });
    expect(JSON.parse(stdout).content.map(({ type }: JsonObject) => type)).toEqual(['text', 'tool_use']);
  });
});

describe('a budget for thinking', () => {
  const gemini = (thinkingBudget: number, maxOutputTokens: number): JsonObject => ({
    model: 'gemini-2.5-flash',
    generationConfig: { temperature: 0.5, maxOutputTokens, thinkingConfig: { thinkingBudget } },
    contents: [{ role: 'user', parts: [{ text: 'a' }] }],
  });

  test('is one for Anthropic too, and nothing stands beside it that does not go with it', async () => {
    const { body, lost } = await converted('gemini', 'anthropic', gemini(2048, 5000));
    expect(body).toMatchObject({ max_tokens: 5000, thinking: { type: 'enabled', budget_tokens: 2048 } });
    expect(body.temperature).toBeUndefined();
    expect(lost).toContain('lost temperature');
  });

  test.each(['anthropic', 'bedrock'])('%s: is within its bounds', async (to) => {
    for (const [budget, most] of [
      [512, 5000],
      [4000, 2000],
      [2048, 500],
    ] as const)
      expect((await converted('gemini', to, gemini(budget, most))).lost).toMatch(/thinking/);
  });

  test('is made up where thinking is on without one', async () => {
    const ollama = { model: 'qwen3', think: true, messages: [user('a')] };
    expect((await converted('ollama', 'anthropic', ollama)).body.thinking).toMatchObject({ type: 'enabled' });
    expect((await converted('gemini', 'cohere', gemini(2048, 5000))).body.thinking).toMatchObject({ type: 'enabled' });
  });
});

test('a failed result is text for Anthropic: what it shows stands behind it', async () => {
  const bytes = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
  const content = [{ text: 'r' }, { image: { format: 'png', source: { bytes } } }];
  const { body, lost } = await converted('bedrock', 'anthropic', {
    modelId: 'anthropic.claude-sonnet-4-5-v1:0',
    toolConfig: { tools: [{ toolSpec: { name: 'look', inputSchema: { json: { type: 'object' } } } }] },
    messages: [
      { role: 'user', content: [{ text: 'a' }] },
      { role: 'assistant', content: [{ toolUse: { toolUseId: 't', name: 'look', input: {} } }] },
      { role: 'user', content: [{ toolResult: { toolUseId: 't', status: 'error', content } }] },
    ],
  });
  const [result, image] = (body.messages as { content: JsonObject[] }[])[2]?.content ?? [];
  expect(result).toMatchObject({ type: 'tool_result', is_error: true });
  expect(image).toMatchObject({ type: 'image' });
  expect(lost).toContain('moved image in a failed result');
});

test('a whole reply among the messages of a body is a message of it', async () => {
  const reply = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [{ type: 'text', text: 'b' }] };
  const messages = [user('a'), { ...reply, stop_reason: 'end_turn', usage: { input_tokens: 1 } }, user('c')];
  const { body } = await converted('anthropic', 'openai', { max_tokens: 10, messages });
  expect((body.messages as JsonObject[]).map(({ role, content }) => [role, content])).toEqual([
    ['user', 'a'],
    ['assistant', 'b'],
    ['user', 'c'],
  ]);
});

test('a title stands with what it names in a log of Codex', async () => {
  const result = { type: 'search_result', source: 's', title: 'T', content: [{ type: 'text', text: 'x' }] };
  const body = { max_tokens: 10, messages: [{ role: 'user', content: [result] }] };
  const { stdout } = await run('ai-transform', ['--from', 'anthropic', '--to', 'codex'], {
    stdin: `${JSON.stringify(body)}\n`,
  });
  expect(stdout).toContain('<document title=\\"T\\">');
});
