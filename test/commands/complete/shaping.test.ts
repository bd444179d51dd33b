// A request is shaped as `ai-transform --model` shapes it: for models of every family, on conversations of several dialects.
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/lib/json/values.ts';
import { run } from '../../run.ts';

const MODELS = [
  'anthropic/claude-haiku-4-5',
  'anthropic/claude-opus-4-6',
  'anthropic/claude-sonnet-4-5',
  'openai/gpt-4o',
  'openai/gpt-5',
  'openai/gpt-5.3-codex',
  'openai/gpt-5-pro',
  'openai/o3',
  'openai/o4-mini',
  'google/gemini-2.5-flash',
  'google/gemini-2.5-pro',
  'google/gemini-3-pro-preview',
  'amazon-bedrock/anthropic.claude-sonnet-4-5-20250929-v1:0',
  'amazon-bedrock/amazon.nova-pro-v1:0',
  'amazon-bedrock/meta.llama3-3-70b-instruct-v1:0',
  'mistral/mistral-large-latest',
  'mistral/magistral-medium-latest',
  'cohere/command-a-03-2025',
  'deepseek/deepseek-chat',
  'deepseek/deepseek-reasoner',
  'groq/llama-3.3-70b-versatile',
  'groq/openai/gpt-oss-120b',
  'xai/grok-4',
  'xai/grok-3-mini',
  'moonshotai/kimi-k2-thinking',
  'zai/glm-4.6',
  'minimax/MiniMax-M2',
  'openrouter/qwen/qwen3-coder',
  'openrouter/anthropic/claude-sonnet-4.5',
  'together/google/gemma-3-27b-it',
  'ollama/gemma3:12b',
  'ollama/qwen3:8b',
];

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const tool = (name: string) => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } },
});

const CONVERSATIONS: readonly JsonObject[] = [
  { messages: [{ role: 'user', content: 'Hello' }] },
  {
    temperature: 1.7,
    top_p: 0.5,
    max_tokens: 900,
    stop: ['END'],
    seed: 7,
    frequency_penalty: 0.3,
    reasoning_effort: 'high',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'One' },
      { role: 'assistant', content: '1' },
      { role: 'system', content: 'Be briefer.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
        ],
      },
    ],
  },
  {
    tools: [tool('fs.read'), tool('list')],
    tool_choice: 'required',
    messages: [
      { role: 'user', content: 'Read both' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call:1', type: 'function', function: { name: 'fs.read', arguments: '{"path":"a"}' } },
          { id: 'call:2', type: 'function', function: { name: 'list', arguments: '{"path":"b"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call:1', content: 'A' },
      { role: 'tool', tool_call_id: 'call:2', content: 'B' },
      { role: 'user', content: 'And now?' },
    ],
  },
  {
    messages: [
      { role: 'user', content: 'go' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'A' },
    ],
  },
  {
    response_format: {
      type: 'json_schema',
      json_schema: {
        name: 'a',
        schema: {
          type: 'object',
          properties: { n: { type: 'integer', minimum: 1 } },
          additionalProperties: false,
          required: ['n'],
        },
        strict: true,
      },
    },
    messages: [
      { role: 'assistant', content: 'I speak first.' },
      { role: 'user', content: 'How many?' },
    ],
  },
  {
    max_tokens: 8000,
    thinking: { type: 'enabled', budget_tokens: 2048 },
    system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
    tools: [{ name: 'read', input_schema: { type: 'object' } }],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Words' } },
          { type: 'text', text: 'Read.' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm', signature: 'c2ln' },
          { type: 'tool_use', id: 't1', name: 'read', input: {} },
        ],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 't1', is_error: true, content: [{ type: 'text', text: 'no' }] }],
      },
    ],
  },
  {
    model: 'x',
    instructions: 'Be brief.',
    input: [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
      { type: 'function_call', call_id: 'k1', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'k1', output: 'done' },
    ],
  },
  {
    contents: [
      { role: 'user', parts: [{ text: 'Hi' }] },
      { role: 'model', parts: [{ functionCall: { name: 'f', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'f', response: { output: 'x' } } }] },
    ],
  },
];

/** Fields that a provider does not take, whatever its model would. */
const QUIRKS: { readonly [model: string]: string } = { 'moonshotai/kimi-k2-thinking': 'reasoning_effort' };

const env = { AWS_REGION: 'us-east-1', AI_STATE: 'off' };

/** Without what only the way out adds (the model's name, streaming) and what never goes out. */
function plain(body: JsonObject): JsonObject {
  const { model: _, modelId: __, stream: ___, stream_options: ____, ...rest } = body;
  return JSON.parse(JSON.stringify(rest, (key, value) => (key === '_meta' ? undefined : value)));
}

test.each(MODELS)('%s', async (name) => {
  for (const conversation of CONVERSATIONS) {
    const stdin = `${JSON.stringify({ model: 'x', ...conversation })}\n`;
    const asked = await run('ai-complete', ['-q', '--dry-run', '-m', name], { stdin, env });
    expect(asked.status, asked.stderr).toBe(0);
    const { url, body } = JSON.parse(asked.stdout);
    const api = apiOf(url);
    const model = name.slice(name.indexOf('/') + 1);
    const shaped = await run('ai-transform', ['-q', '--to', api, '--model', model], { stdin, env });
    expect(shaped.status, shaped.stderr).toBe(0);
    const { [QUIRKS[name] ?? '']: _, ...expected } = plain(JSON.parse(shaped.stdout));
    expect(plain(body)).toEqual(expected);
  }
});

const PATHS: readonly (readonly [RegExp, string])[] = [
  [/:(stream)?generateContent/i, 'gemini'],
  [/\/converse/, 'bedrock'],
  [/\/messages$/, 'anthropic'],
  [/\/responses$/, 'openai-responses'],
  [/cohere/, 'cohere'],
  [/mistral/, 'mistral'],
  [/\/api\/chat$/, 'ollama'],
];

const apiOf = (url: string): string => PATHS.find(([path]) => path.test(url))?.[1] ?? 'openai';
