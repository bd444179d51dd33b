// A reply in a stream of another dialect: what only its own API can say is in the next request to it.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/lib/json/values.ts';
import { faultServer, json } from '../../fault-server.ts';
import { run } from '../../run.ts';

/** What each provider answers, and the same as its API wants it in the next request. */
const PROVIDERS: readonly {
  readonly model: string;
  readonly reply: JsonObject;
  readonly sent: (body: JsonObject) => unknown;
  readonly expected: unknown;
}[] = [
  {
    model: 'anthropic/claude-sonnet-4-5',
    reply: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [
        { type: 'thinking', thinking: 'Look first.', signature: 'c2lnbmVk' },
        { type: 'redacted_thinking', data: 'aGlkZGVu' },
        { type: 'text', text: 'A moment.' },
        { type: 'tool_use', id: 't1', name: 'read_file', input: { path: 'a' } },
      ],
      stop_reason: 'tool_use',
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 2 },
    },
    sent: (body) => (body.messages as JsonObject[])[1]?.content,
    expected: [
      { type: 'thinking', thinking: 'Look first.', signature: 'c2lnbmVk' },
      { type: 'redacted_thinking', data: 'aGlkZGVu' },
      { type: 'text', text: 'A moment.' },
      { type: 'tool_use', id: 't1', name: 'read_file', input: { path: 'a' } },
    ],
  },
  {
    model: 'google/gemini-2.5-pro',
    reply: {
      candidates: [
        {
          content: {
            role: 'model',
            parts: [
              { text: 'Look first.', thought: true },
              { functionCall: { name: 'read_file', args: { path: 'a' } }, thoughtSignature: 'c2lnbmVk' },
            ],
          },
          finishReason: 'STOP',
          index: 0,
        },
      ],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
      modelVersion: 'gemini-2.5-pro',
    },
    sent: (body) => (body.contents as { parts: JsonObject[] }[])[1]?.parts.find((part) => 'functionCall' in part),
    expected: { functionCall: { name: 'read_file', args: { path: 'a' } }, thoughtSignature: 'c2lnbmVk' },
  },
  {
    model: 'openai/gpt-5.3-codex',
    reply: {
      id: 'resp_1',
      object: 'response',
      created_at: 1,
      status: 'completed',
      model: 'gpt-5.3-codex',
      output: [
        {
          type: 'reasoning',
          id: 'rs_1',
          summary: [{ type: 'summary_text', text: 'Look.' }],
          encrypted_content: 'eA==',
        },
        { type: 'function_call', id: 'fc_1', call_id: 't1', name: 'read_file', arguments: '{"path":"a"}' },
      ],
      usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
    },
    sent: (body) => (body.input as JsonObject[]).filter(({ type }) => type === 'reasoning'),
    expected: [
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Look.' }], encrypted_content: 'eA==' },
    ],
  },
  {
    model: 'amazon-bedrock/anthropic.claude-sonnet-4-5-20250929-v1:0',
    reply: {
      output: {
        message: {
          role: 'assistant',
          content: [
            { reasoningContent: { reasoningText: { text: 'Look first.', signature: 'c2lnbmVk' } } },
            { toolUse: { toolUseId: 't1', name: 'read_file', input: { path: 'a' } } },
          ],
        },
      },
      stopReason: 'tool_use',
      usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 },
      metrics: { latencyMs: 1 },
    },
    sent: (body) => (body.messages as JsonObject[])[1]?.content,
    expected: [
      { reasoningContent: { reasoningText: { text: 'Look first.', signature: 'c2lnbmVk' } } },
      { toolUse: { toolUseId: 't1', name: 'read_file', input: { path: 'a' } } },
    ],
  },
];

/** The beginning of a stream, and a result that ends it, in dialects that have no place for any of these signatures. */
const STREAMS: readonly {
  readonly of: string;
  readonly head: (name: string) => JsonObject;
  readonly result: (call: string) => JsonObject;
}[] = [
  {
    of: 'openai',
    head: (name) => ({
      model: 'x',
      reasoning_effort: 'low',
      tools: [
        {
          type: 'function',
          function: { name, parameters: { type: 'object', properties: { path: { type: 'string' } } } },
        },
      ],
    }),
    result: (call) => ({ role: 'tool', tool_call_id: call, content: 'A' }),
  },
  {
    of: 'anthropic',
    head: (name) => ({
      model: 'x',
      max_tokens: 4000,
      thinking: { type: 'enabled', budget_tokens: 1024 },
      tools: [{ name, input_schema: { type: 'object', properties: { path: { type: 'string' } } } }],
    }),
    result: (call) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: call, content: 'A' }] }),
  },
];

const ENV = {
  AI_API_KEY: 'k',
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'secret',
  AWS_REGION: 'us-east-1',
};
const callIn = (text: string): string =>
  /"tool_calls":\[\{(?:"index":0,)?"id":"([^"]+)"|"type":"tool_use","id":"([^"]+)"/
    .exec(text)
    ?.slice(1)
    .find(Boolean) ?? '';

const named = (value: unknown, name = ''): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll('"read_file"', JSON.stringify(name)));

const pairs = PROVIDERS.flatMap((provider) => STREAMS.map((stream) => ({ ...provider, ...stream }))).filter(
  ({ model, of }) => !model.startsWith(`${of}/c`),
);

describe.each(pairs)('$model in a stream of $of', ({ model, reply, sent, expected, head, result }) => {
  test.each(['read_file', 'read.file'])('is asked again with all that it said (%s)', async (name) => {
    // A model calls a tool by the name that it was told.
    await using server = await faultServer((response, { body }) =>
      json(200, named(reply, /"name":"(read[^"]*)"/.exec(body)?.[1]))(response, { path: '', headers: {}, body, at: 0 }),
    );
    const argv = ['-q', '-m', model, '--base-url', server.url];
    const begun = `${JSON.stringify(head(name))}\n${JSON.stringify({ role: 'user', content: 'What is in a?' })}\n`;
    const first = await run('ai-complete', argv, { stdin: begun, env: ENV });
    expect(first.stderr).toBe('');
    const call = callIn(first.stdout);
    expect(call).not.toBe('');
    const second = await run('ai-complete', argv, {
      stdin: `${first.stdout}${JSON.stringify(result(call))}\n`,
      env: ENV,
    });
    expect(second.status, second.stderr).toBe(0);
    expect(server.asked).toHaveLength(2);
    const body = JSON.parse(server.asked[1]?.body ?? '{}');
    const asked = /"name":"(read[^"]*)"/.exec(server.asked[0]?.body ?? '')?.[1];
    expect(sent(body)).toEqual(named(expected, asked));
    expect(JSON.stringify(body)).not.toMatch(/_meta|<tool_result/);
  });
});

describe.each(pairs)('$model in a stream of $of', ({ model, reply, head, result }) => {
  test.each(['gemini', 'bedrock', 'openai-responses', 'cohere', 'anthropic', 'openai'])(
    'goes by %s to any other API',
    async (by) => {
      await using server = await faultServer(json(200, reply));
      const stdin = `${JSON.stringify(head('read_file'))}\n${JSON.stringify({ role: 'user', content: 'What is in a?' })}\n`;
      const first = await run('ai-complete', ['-q', '-m', model, '--base-url', server.url], { stdin, env: ENV });
      const whole = `${first.stdout}${JSON.stringify(result(callIn(first.stdout)))}\n`;
      const next = await run('ai-transform', ['-q', '--to', by], { stdin: whole });
      for (const to of [
        'anthropic',
        'openai',
        'gemini',
        'bedrock',
        'openai-responses',
        'mistral',
        'cohere',
        'ollama',
      ]) {
        const last = await run('ai-transform', ['-q', '--to', to], { stdin: next.stdout });
        expect(last.status, last.stderr).toBe(0);
        for (const said of ['What is in a?', 'read_file', '"A"']) expect(last.stdout, `${by} ${to}`).toContain(said);
        expect(last.stdout, `${by} ${to}`).toMatch(/path\\?":\s*\\?"a/);
      }
    },
  );
});

test('a plain answer carries nothing', async () => {
  const reply = { ...PROVIDERS[0]?.reply, content: [{ type: 'text', text: 'Hello.' }], stop_reason: 'end_turn' };
  await using server = await faultServer(json(200, reply));
  const argv = ['-n', '-q', '-m', 'anthropic/claude-sonnet-4-5', '--base-url', server.url];
  const stdin = `${JSON.stringify(STREAMS[0]?.head('read_file'))}\n{"role":"user","content":"Hello"}\n`;
  const { stdout } = await run('ai-complete', argv, { stdin, env: ENV });
  expect(JSON.parse(stdout)).toMatchObject({ role: 'assistant', content: 'Hello.' });
  expect(stdout).not.toContain('carry');
});
