// Law 1: write(read(x)) equals x as JSON, within one format.
import { describe, expect, test } from 'vitest';
import { FORMATS } from '../../src/lib/dialects/table.ts';
import { apart } from '../../src/lib/dialects/types.ts';
import { isObject, type JsonObject } from '../../src/lib/json/values.ts';
import { accepted, CORPORA, fixture, ollamaExamples, recordedReplies } from '../fixtures.ts';
import { asJson, expectSame } from './same.ts';

const lost: string[] = [];
const lose = (field: string, why: string) => void lost.push(`${field}: ${why}`);

for (const format of FORMATS)
  describe(format.name, () => {
    fixture(format.name, 'messages').forEach((native, i) =>
      test(`message ${i + 1} comes back equal`, () => {
        expectSame(format.writeMessages([format.readMessage(native)], lose), [native]);
      }),
    );
    fixture(format.name, 'heads').forEach((native, i) =>
      test(`head ${i + 1} comes back equal`, () => {
        const { head, messages } = format.readHead(native);
        expectSame(format.writeHead(head, messages, lose).native, native);
      }),
    );
    fixture(format.name, 'replies').forEach((native, i) =>
      test(`reply ${i + 1} comes back equal`, () => {
        expectSame(format.writeReply(format.readReply(native), lose), native);
      }),
    );
    test('has fixtures', () => {
      expect(fixture(format.name, 'messages').length + fixture(format.name, 'replies').length).toBeGreaterThan(0);
    });
  });

const RECORDED: { readonly [folder: string]: string } = {
  'anthropic-messages': 'anthropic',
  'openai-chat': 'openai',
  'openai-chat-compat': 'openai',
  'openai-chat-deepseek': 'openai',
  'openai-chat-groq': 'openai',
  'openai-chat-openrouter': 'openai',
  'mistral-chat': 'mistral',
  'bedrock-converse': 'bedrock',
  'cohere-v2-chat': 'cohere',
  'openai-responses': 'openai-responses',
  'openai-responses-compat': 'openai-responses',
  'gemini-generate-content': 'gemini',
};

describe.skipIf(CORPORA === undefined)('recorded exchanges', () => {
  for (const [folder, name] of Object.entries(RECORDED)) {
    const format = FORMATS.find((f) => f.name === name);
    const exchanges = accepted(folder);
    test(`${folder}: every message, head and reply comes back equal`, () => {
      expect(format).toBeDefined();
      expect(exchanges.length).toBeGreaterThan(0);
      const changed = exchanges.flatMap(({ id, request, response }) =>
        format ? differences(format, id, request, response) : [],
      );
      expect(changed).toEqual([]);
    });
  }
});

const KEPT: { readonly [folder: string]: string } = {
  'anthropic-messages': 'anthropic',
  'bedrock-converse': 'bedrock',
  'cohere-v2-chat': 'cohere',
  'mistral-chat': 'mistral',
  'openai-chat': 'openai',
  'openai-chat-alibaba': 'openai',
  'openai-chat-compat': 'openai',
  'openai-chat-deepseek': 'openai',
  'openai-chat-groq': 'openai',
  'openai-chat-perplexity': 'openai',
  'xai-chat': 'openai',
};

describe.skipIf(CORPORA === undefined)('recorded replies', () => {
  for (const [folder, name] of Object.entries(KEPT)) {
    const format = FORMATS.find((f) => f.name === name) as (typeof FORMATS)[number];
    const replies = recordedReplies(folder).filter(({ reply }) => format.recognise(reply)?.kind === 'reply');
    test(`${folder}: some are there`, () => expect(replies.length).toBeGreaterThan(0));
    test.each(replies)('$name comes back equal', ({ reply }) => {
      expectSame(format.writeReply(format.readReply(reply), lose), reply);
    });
  }
});

test.skipIf(CORPORA === undefined)('ollama: every example of the documentation comes back equal', () => {
  const format = FORMATS.find(({ name }) => name === 'ollama') as (typeof FORMATS)[number];
  const requests = ollamaExamples('request').flatMap((body) => differences(format, body.model, body, undefined));
  const replies = ollamaExamples('response').filter((body) => format.recognise(body)?.kind === 'reply');
  expect(requests).toEqual([]);
  expect(ollamaExamples('request').length).toBeGreaterThan(10);
  expect(replies.length).toBeGreaterThan(5);
  for (const reply of replies) expectSame(format.writeReply(format.readReply(reply), lose), reply);
});

function differences(format: (typeof FORMATS)[number], id: unknown, request: unknown, response: unknown): unknown[] {
  const { [format.messagesKey]: _, ...body } = request as JsonObject;
  const { head, messages: system } = format.readHead(body);
  const pairs: [string, unknown, unknown][] = [
    ['head', format.writeHead(head, system, lose).native, body],
    ...(apart(request as JsonObject, format).messages as JsonObject[]).map((native, i): [string, unknown, unknown] => [
      `message ${i + 1}`,
      format.writeMessages([format.readMessage(native)], lose),
      [native],
    ]),
  ];
  const reply = response as JsonObject;
  if (isObject(reply) && format.recognise(reply)?.kind === 'reply')
    pairs.push(['reply', format.writeReply(format.readReply(reply), lose), reply]);
  return pairs
    .filter(([, a, b]) => JSON.stringify(sorted(asJson(a))) !== JSON.stringify(sorted(b)))
    .map(([what, a, b]) => ({ id, what, a, b }));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([k, v]) => [k, sorted(v)]),
  );
}
