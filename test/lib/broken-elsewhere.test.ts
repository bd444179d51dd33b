// Recorded requests of the other APIs, broken in one way each: a rule finds every one.
import { describe, expect, test } from 'vitest';
import { check } from '../../src/lib/constraints/rules/check.ts';
import { formatNamed } from '../../src/lib/dialects/table.ts';
import { apart, type Format } from '../../src/lib/dialects/types.ts';
import type { JsonObject } from '../../src/lib/json/values.ts';
import { accepted, CORPORA } from '../fixtures.ts';
import type { Body } from './broken.ts';

function findings(name: string, request: JsonObject): string[] {
  const format = formatNamed(name) as Format;
  const { body, messages } = apart(request, format);
  const { head, messages: system } = format.readHead(body);
  const rest = messages.map((native) => format.readMessage(native as JsonObject));
  return check({ format: name, head, messages: [...system, ...rest], inHead: system.length }).map(({ rule }) => rule);
}

type Breakage = readonly [rule: string, name: string, breaks: (request: Body) => Body | undefined];

const also =
  (...messages: JsonObject[]) =>
  (r: Body): Body => ({ ...r, messages: [...r.messages, ...messages] });
const config =
  (fields: JsonObject) =>
  (r: Body): Body => ({ ...r, generationConfig: { ...r.generationConfig, ...fields } });
const having =
  (fields: JsonObject) =>
  (r: Body): Body => ({ ...r, ...fields });
const inference =
  (fields: JsonObject) =>
  (r: Body): Body => ({ ...r, inferenceConfig: { ...r.inferenceConfig, ...fields } });
const call = (id: string): JsonObject => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id, function: { name: 'x', arguments: '{}' } }],
});
const result = (id: string): JsonObject => ({ role: 'tool', tool_call_id: id, content: 'a' });
const use = (id: string): JsonObject => ({
  role: 'assistant',
  content: [{ toolUse: { toolUseId: id, name: 'x', input: {} } }],
});
const six = ['a', 'b', 'c', 'd', 'e', 'f'];

const BREAKAGES: { readonly [format: string]: readonly [folder: string, ...Breakage[]] } = {
  gemini: [
    'gemini-generate-content',
    ['parameter-range', 'temperature 9', config({ temperature: 9 })],
    ['parameter-range', 'six stop sequences', config({ stopSequences: six })],
    [
      'first-turn',
      'the model speaks first',
      (r) => ({ ...r, contents: [{ role: 'model', parts: [{ text: 'a' }] }, ...r.contents] }),
    ],
    ['empty-conversation', 'no contents', having({ contents: [] })],
    [
      'tool-name',
      'a name with spaces',
      having({ tools: [{ functionDeclarations: [{ name: '9 bad name', description: 'x' }] }] }),
    ],
    [
      'tool-choice',
      'a choice without tools',
      (r) => ({ ...r, tools: undefined, toolConfig: { functionCallingConfig: { mode: 'ANY' } } }),
    ],
    [
      'answered-calls',
      'an answer without a call',
      (r) => ({
        ...r,
        contents: [
          ...r.contents,
          { role: 'user', parts: [{ functionResponse: { name: 'n', id: 'z', response: {} } }] },
        ],
      }),
    ],
  ],
  'openai-responses': [
    'openai-responses',
    ['parameter-range', 'temperature 9', having({ temperature: 9 })],
    ['parameter-range', 'three tokens', having({ max_output_tokens: 3 })],
    [
      'answered-calls',
      'a call without an answer',
      (r) =>
        Array.isArray(r.input)
          ? { ...r, input: [{ type: 'function_call', call_id: 'q', name: 'x', arguments: '{}' }, ...r.input] }
          : undefined,
    ],
    [
      'tool-name',
      'a name with a space',
      having({
        tools: [{ type: 'function', name: 'bad name', parameters: { type: 'object', properties: {} }, strict: false }],
      }),
    ],
    [
      'empty-conversation',
      'no input',
      (r) => ({ ...r, input: [], previous_response_id: undefined, conversation: undefined, prompt: undefined }),
    ],
    [
      'tool-choice',
      'a choice without tools',
      // Items may bring tools along.
      (r) =>
        JSON.stringify(r.input).includes('additional_tools')
          ? undefined
          : { ...r, tools: undefined, prompt: undefined, tool_choice: 'required' },
    ],
  ],
  bedrock: [
    'bedrock-converse',
    ['parameter-range', 'temperature 3', inference({ temperature: 3 })],
    ['parameter-range', 'no tokens', inference({ maxTokens: 0 })],
    ['empty-text', 'an empty text', also({ role: 'user', content: [{ text: '' }] })],
    ['empty-conversation', 'no messages', having({ messages: [] })],
    ['answered-calls', 'a call without an answer', also(use('ab'), { role: 'user', content: [{ text: 'go' }] })],
    [
      'call-id',
      'an id with a space',
      also(use('a b'), { role: 'user', content: [{ toolResult: { toolUseId: 'a b', content: [{ text: 'x' }] } }] }),
    ],
    [
      'tool-name',
      'a name with a space',
      having({
        toolConfig: { tools: [{ toolSpec: { name: 'bad name', inputSchema: { json: { type: 'object' } } } }] },
      }),
    ],
    [
      'document',
      'a name with a dot, and no text',
      also({ role: 'user', content: [{ document: { name: 'a_b.pdf', format: 'pdf', source: { bytes: 'AAAA' } } }] }),
    ],
  ],
  mistral: [
    'mistral-chat',
    ['parameter-range', 'temperature 3', having({ temperature: 3 })],
    ['call-id', 'a long id', also(call('call_long_id'), result('call_long_id'))],
    [
      'user-after-result',
      'a user behind a result',
      also(call('abcdefghi'), result('abcdefghi'), { role: 'user', content: 'b' }),
    ],
    [
      'empty-message',
      'an assistant that says nothing',
      also({ role: 'assistant', content: '' }, { role: 'user', content: 'x' }),
    ],
    ['last-turn', 'an assistant at the end', also({ role: 'assistant', content: 'x' })],
    ['tool-choice', 'a choice without tools', (r) => ({ ...r, tools: undefined, tool_choice: 'any' })],
  ],
  cohere: [
    'cohere-v2-chat',
    ['parameter-range', 'p of 2', having({ p: 2 })],
    ['parameter-range', 'k of 900', having({ k: 900 })],
    ['parameter-range', 'six stop sequences', having({ stop_sequences: six })],
    ['empty-message', 'an assistant that says nothing', also({ role: 'assistant' }, { role: 'user', content: 'x' })],
    ['tool-choice', 'a choice without tools', (r) => ({ ...r, tools: undefined, tool_choice: 'REQUIRED' })],
    ['answered-calls', 'a result without a call', also(result('zz'))],
    ['empty-conversation', 'no messages', having({ messages: [] })],
  ],
};

describe.skipIf(CORPORA === undefined).each(Object.entries(BREAKAGES))('%s', (format, [folder, ...breakages]) => {
  test.each(breakages)('%s: %s', (rule, _, breaks) => {
    const requests = accepted(folder)
      .slice(0, 60)
      .map(({ request }) => breaks(structuredClone(request)));
    const broken = requests.filter((request) => request !== undefined);
    expect(broken.length).toBeGreaterThan(0);
    for (const request of broken) expect(findings(format, JSON.parse(JSON.stringify(request)))).toContain(rule);
  });
});
