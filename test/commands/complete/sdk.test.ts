// One conversation, written in the dialect of Chat and asked of each API, is the request that the vendor's own client makes of it; and it is what
// the vendor's types allow.
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import { describe, expect, test, vi } from 'vitest';
import type { JsonObject } from '../../../src/lib/json/values.ts';
import { faultServer, json } from '../../fault-server.ts';
import { run } from '../../run.ts';
import { type ApiName, complaints, validator } from '../../schemas.ts';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const PDF = Buffer.from('%PDF-1.4\n%%EOF\n').toString('base64');
const PLACE = { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] };
const COUNT = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'], additionalProperties: false };

const APIS: {
  readonly [api in ApiName]: { readonly model: string; readonly send: (url: string, body: never) => Promise<unknown> };
} = {
  openai: {
    model: 'openai/gpt-4.1',
    send: (baseURL, body) => new OpenAI({ apiKey: 'k', baseURL, maxRetries: 0 }).chat.completions.create(body),
  },
  'openai-responses': {
    model: 'openai/gpt-5-pro',
    send: (baseURL, body) => new OpenAI({ apiKey: 'k', baseURL, maxRetries: 0 }).responses.create(body),
  },
  anthropic: {
    model: 'anthropic/claude-sonnet-4-5',
    send: (url, body) =>
      new Anthropic({ apiKey: 'k', baseURL: url.replace(/\/v1$/, ''), maxRetries: 0 }).messages.create(body),
  },
  gemini: {
    model: 'google/gemini-2.5-flash',
    send: (url, body) => {
      const { stream, ...request } = body as JsonObject;
      const { models } = new GoogleGenAI({
        apiKey: 'k',
        httpOptions: { baseUrl: url.replace(/\/v1$/, ''), apiVersion: 'v1' },
      });
      return stream ? models.generateContentStream(request as never) : models.generateContent(request as never);
    },
  },
};

interface Case {
  readonly records: readonly JsonObject[];
  readonly flags?: readonly string[];
  /** What a user of each client writes. */
  readonly clients: { readonly [api in ApiName]?: JsonObject };
}

const tools = [{ type: 'function', function: { name: 'weather', description: 'Weather', parameters: PLACE } }];
const called = [
  { role: 'user', content: 'Rome and Oslo?' },
  {
    role: 'assistant',
    content: 'I look.',
    tool_calls: [
      { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"place":"Rome"}' } },
      { id: 'call_2', type: 'function', function: { name: 'weather', arguments: '{"place":"Oslo"}' } },
    ],
  },
  { role: 'tool', tool_call_id: 'call_1', content: 'sun' },
  { role: 'tool', tool_call_id: 'call_2', content: 'snow' },
];

const CASES: { readonly [what: string]: Case } = {
  'tools, calls at once and their results': {
    records: [{ tools, tool_choice: 'auto' }, { role: 'system', content: 'Be brief.' }, ...called],
    clients: {
      openai: {
        model: 'gpt-4.1',
        tools,
        tool_choice: 'auto',
        messages: [{ role: 'system', content: 'Be brief.' }, ...called],
      },
      'openai-responses': {
        model: 'gpt-5-pro',
        tools: [{ type: 'function', name: 'weather', description: 'Weather', parameters: PLACE, strict: false }],
        tool_choice: 'auto',
        instructions: 'Be brief.',
        input: [
          { role: 'user', content: 'Rome and Oslo?' },
          { role: 'assistant', content: 'I look.' },
          { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{"place":"Rome"}' },
          { type: 'function_call', call_id: 'call_2', name: 'weather', arguments: '{"place":"Oslo"}' },
          { type: 'function_call_output', call_id: 'call_1', output: 'sun' },
          { type: 'function_call_output', call_id: 'call_2', output: 'snow' },
        ],
      },
      anthropic: {
        model: 'claude-sonnet-4-5',
        max_tokens: 4096,
        system: 'Be brief.',
        tools: [{ name: 'weather', description: 'Weather', input_schema: PLACE }],
        tool_choice: { type: 'auto' },
        messages: [
          { role: 'user', content: 'Rome and Oslo?' },
          {
            role: 'assistant',
            content: [
              { type: 'text', text: 'I look.' },
              { type: 'tool_use', id: 'call_1', name: 'weather', input: { place: 'Rome' } },
              { type: 'tool_use', id: 'call_2', name: 'weather', input: { place: 'Oslo' } },
            ],
          },
          {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: 'call_1', content: 'sun' },
              { type: 'tool_result', tool_use_id: 'call_2', content: 'snow' },
            ],
          },
        ],
      },
      gemini: {
        model: 'gemini-2.5-flash',
        config: {
          systemInstruction: { parts: [{ text: 'Be brief.' }] },
          tools: [{ functionDeclarations: [{ name: 'weather', description: 'Weather', parametersJsonSchema: PLACE }] }],
          toolConfig: { functionCallingConfig: { mode: 'AUTO' } },
        },
        contents: [
          { role: 'user', parts: [{ text: 'Rome and Oslo?' }] },
          {
            role: 'model',
            parts: [
              { text: 'I look.' },
              { functionCall: { id: 'call_1', name: 'weather', args: { place: 'Rome' } } },
              { functionCall: { id: 'call_2', name: 'weather', args: { place: 'Oslo' } } },
            ],
          },
          {
            role: 'user',
            parts: [
              { functionResponse: { id: 'call_1', name: 'weather', response: { output: 'sun' } } },
              { functionResponse: { id: 'call_2', name: 'weather', response: { output: 'snow' } } },
            ],
          },
        ],
      },
    },
  },
  'an image and a PDF, streamed': {
    flags: ['--stream'],
    records: [
      { max_tokens: 500 },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is on both?' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
          { type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` } },
        ],
      },
    ],
    clients: {
      openai: {
        model: 'gpt-4.1',
        max_tokens: 500,
        stream: true,
        stream_options: { include_usage: true },
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'What is on both?' },
              { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
              { type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` } },
            ],
          },
        ],
      },
      'openai-responses': {
        model: 'gpt-5-pro',
        max_output_tokens: 500,
        stream: true,
        input: [
          {
            role: 'user',
            content: [
              { type: 'input_text', text: 'What is on both?' },
              { type: 'input_image', image_url: `data:image/png;base64,${PNG}`, detail: 'auto' },
              { type: 'input_file', filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` },
            ],
          },
        ],
      },
      anthropic: {
        model: 'claude-sonnet-4-5',
        max_tokens: 500,
        stream: true,
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'What is on both?' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
              {
                type: 'document',
                title: 'a.pdf',
                source: { type: 'base64', media_type: 'application/pdf', data: PDF },
              },
            ],
          },
        ],
      },
      gemini: {
        model: 'gemini-2.5-flash',
        stream: true,
        config: { maxOutputTokens: 500 },
        contents: [
          {
            role: 'user',
            parts: [
              { text: 'What is on both?' },
              { inlineData: { mimeType: 'image/png', data: PNG } },
              { inlineData: { mimeType: 'application/pdf', data: PDF } },
            ],
          },
        ],
      },
    },
  },
  'a schema for the answer': {
    records: [
      { response_format: { type: 'json_schema', json_schema: { name: 'count', schema: COUNT, strict: true } } },
      { role: 'user', content: 'How many?' },
    ],
    clients: {
      openai: {
        model: 'gpt-4.1',
        response_format: { type: 'json_schema', json_schema: { name: 'count', schema: COUNT, strict: true } },
        messages: [{ role: 'user', content: 'How many?' }],
      },
      'openai-responses': {
        model: 'gpt-5-pro',
        text: { format: { type: 'json_schema', name: 'count', schema: COUNT, strict: true } },
        input: [{ role: 'user', content: 'How many?' }],
      },
      anthropic: {
        model: 'claude-sonnet-4-5',
        max_tokens: 4096,
        output_config: { format: { type: 'json_schema', schema: COUNT } },
        messages: [{ role: 'user', content: 'How many?' }],
      },
      gemini: {
        model: 'gemini-2.5-flash',
        config: { responseMimeType: 'application/json', responseJsonSchema: COUNT },
        contents: [{ role: 'user', parts: [{ text: 'How many?' }] }],
      },
    },
  },
  'thinking, by flag': {
    flags: ['--thinking', '3000', '--max-tokens', '9000'],
    records: [{ role: 'user', content: 'Why?' }],
    clients: {
      anthropic: {
        model: 'claude-sonnet-4-5',
        max_tokens: 9000,
        thinking: { type: 'enabled', budget_tokens: 3000 },
        messages: [{ role: 'user', content: 'Why?' }],
      },
      gemini: {
        model: 'gemini-2.5-flash',
        config: { maxOutputTokens: 9000, thinkingConfig: { thinkingBudget: 3000 } },
        contents: [{ role: 'user', parts: [{ text: 'Why?' }] }],
      },
    },
  },
  'effort, a choice of tool, one call at a time': {
    flags: ['--effort', 'high', '--tool-choice', 'weather'],
    records: [
      { tools, parallel_tool_calls: false },
      { role: 'user', content: 'Rome?' },
    ],
    clients: {
      'openai-responses': {
        model: 'gpt-5-pro',
        reasoning: { effort: 'high' },
        parallel_tool_calls: false,
        tools: [{ type: 'function', name: 'weather', description: 'Weather', parameters: PLACE, strict: false }],
        tool_choice: { type: 'function', name: 'weather' },
        input: [{ role: 'user', content: 'Rome?' }],
      },
    },
  },
};

const all = Object.entries(CASES).flatMap(([what, { clients, ...rest }]) =>
  Object.entries(clients).map(([api, body]) => ({ what, api: api as ApiName, body, ...rest })),
);

/** Made once: that takes seconds. */
const validators = new Map<ApiName, ReturnType<typeof validator>>();
function validatorOf(api: ApiName): ReturnType<typeof validator> {
  const known = validators.get(api) ?? validator(api, 'Request');
  validators.set(api, known);
  return known;
}

/** Anthropic's tells that models near their end are deprecated, which is no matter here. */
vi.spyOn(console, 'warn').mockImplementation(() => {});

describe('the request of the official client and ours are one', () => {
  test.each(all)(
    '$api: $what',
    async ({ api, body, records, flags = [] }) => {
      await using server = await faultServer(json(400, { error: { message: 'enough' } }));
      const { model, send } = APIS[api];
      await send(`${server.url}/v1`, body as never).catch(() => {});
      const stdin = records.map((record) => `${JSON.stringify(record)}\n`).join('');
      await run('ai-complete', ['-q', '-m', model, '--base-url', `${server.url}/v1`, ...flags], { stdin });
      const [theirs, ours] = server.asked;
      const sent = JSON.parse(ours?.body ?? '{}');
      // Google's client writes an empty object where nothing is set.
      const { generationConfig, ...rest } = JSON.parse(theirs?.body ?? '{}');
      const empty = Object.keys(generationConfig ?? {}).length === 0;
      expect(sent).toEqual(empty ? rest : { ...rest, generationConfig });
      expect(ours?.path).toBe(theirs?.path);
      const valid = await validatorOf(api);
      expect(valid(sent) ? [] : complaints(valid).slice(0, 3)).toEqual([]);
    },
    120_000,
  );
});
