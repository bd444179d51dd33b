// Replies as streams: our reader gives the reply back, and so do the APIs' own SDKs.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Mistral } from '@mistralai/mistralai';
import { CohereClientV2 } from 'cohere-ai';
import { Ollama } from 'ollama';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StreamEvent } from '../../../src/lib/formats/stream.ts';
import { FORMATS, formatNamed } from '../../../src/lib/formats/table.ts';
import type { Format } from '../../../src/lib/formats/types.ts';
import { fold } from '../../../src/lib/ir/fold.ts';
import { isObject, type JsonObject } from '../../../src/lib/ir/json.ts';
import type { Message, Part } from '../../../src/lib/ir/types.ts';
import { accepted, CORPORA, fixture } from '../../fixtures.ts';
import { gist } from '../../gist.ts';
import { expectSame } from '../../laws/same.ts';

const lose = () => {};
/** Those that are told live are tested as streams are: law 9. */
const STREAMING = FORMATS.filter((format) => format.writeStream !== undefined && format.openWriter === undefined);
const HERE = ['bedrock', 'mistral', 'ollama', 'cohere'].map((name) => formatNamed(name) as Format);

/** What an answer says, without the spelling of any format. */
function said(parts: readonly Part[]): unknown {
  return parts
    .filter((part) => part.type !== 'text' || part.text !== '')
    .map((part) => {
      const { ext, form, ...rest } = part as Part & { ext?: unknown; form?: unknown };
      return rest;
    });
}

function read(format: Format, events: readonly StreamEvent[]): { message: Message; folded: Part[] } {
  const reader = format.openStream();
  const deltas = events.flatMap(({ data }) => (isObject(data) ? reader.push(data) : []));
  return { message: reader.end(), folded: fold(deltas) };
}

for (const format of STREAMING)
  describe(`${format.name}: read again`, () => {
    const replies = fixture(format.name, 'replies').map((native) => format.readReply(native));
    replies
      .filter((reply) => reply.stop !== undefined)
      .forEach((reply, i) =>
        test(`reply ${i + 1}`, () => {
          const again = read(format, format.writeStream?.(reply, lose) ?? []);
          expectSame(said(again.message.parts), said(reply.parts));
          expectSame(said(again.folded), said(reply.parts));
          expect(again.message.stop?.reason).toBe(reply.stop?.reason);
          expect(again.message.id).toBe(reply.id);
          const { ext: _a, ...before } = reply.usage ?? {};
          const { ext: _b, ...after } = again.message.usage ?? {};
          expectSame(after, before);
        }),
      );
  });

/** A reply that every API can say. */
const ANSWER: Message = {
  role: 'assistant',
  id: 'r1',
  by: { model: 'm' },
  parts: [
    { type: 'reasoning', text: 'Hm.' },
    { type: 'text', text: 'I look: ✓' },
    { type: 'tool_call', id: 'aaaaaaaa1', name: 'Read', input: { path: 'a.txt', deep: [{ n: 1.5 }] } },
    { type: 'tool_call', id: 'aaaaaaaa2', name: 'Now', input: {} },
  ],
  stop: { reason: 'tool_calls' },
  usage: { input: 10, cacheRead: 5, output: 7 },
};

describe('a reply of another format', () => {
  test.each(HERE.map((format) => [format.name, format] as const))('%s', (name, format) => {
    const { message } = read(format, format.writeStream?.(ANSWER, lose) ?? []);
    const kept = ANSWER.parts.filter((part) => name !== 'bedrock' || part.type !== 'reasoning');
    expectSame(said(message.parts), said(kept));
    expect(message.stop?.reason).toBe('tool_calls');
    expect(message.usage?.output).toBe(7);
    const { input = 0, cacheRead = 0 } = message.usage ?? {};
    expect(input + cacheRead).toBe(15);
  });
});

describe.skipIf(CORPORA === undefined)('replies that were recorded', () => {
  const FOLDERS = {
    'anthropic-messages': 'anthropic',
    'openai-chat': 'openai',
    'openai-chat-groq': 'openai',
    'bedrock-converse': 'bedrock',
    'mistral-chat': 'mistral',
    'cohere-v2-chat': 'cohere',
  };
  for (const [folder, name] of Object.entries(FOLDERS))
    for (const to of HERE.filter((format) => format.name !== name))
      test(`${folder} → ${to.name}, whole and streamed`, () => {
        const from = formatNamed(name) as Format;
        const natives = accepted(folder).map(({ response }) => response as JsonObject);
        const replies = natives.filter((native) => isObject(native) && from.recognise(native)?.kind === 'reply');
        expect(replies.length).toBeGreaterThan(0);
        for (const native of replies) {
          const reply = from.readReply(native);
          const whole = to.readReply(JSON.parse(JSON.stringify(to.writeReply(reply, lose))));
          const streamed = read(to, to.writeStream?.(reply, lose) ?? []).message;
          expect(gist([whole])).toEqual(gist([reply]));
          expect(gist([streamed])).toEqual(gist([reply]));
          expect(streamed.usage?.output).toBe(reply.usage?.output);
          const { input = 0, cacheRead = 0, cacheWrite = 0 } = streamed.usage ?? {};
          const before = reply.usage ?? {};
          expect(input + cacheRead + cacheWrite).toBe(
            (before.input ?? 0) + (before.cacheRead ?? 0) + (before.cacheWrite ?? 0),
          );
        }
      });
});

describe('the SDKs read it', () => {
  let body = '';
  let type = '';
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': type }).end(body);
  });
  let url = '';
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());

  const sse = ({ event, data }: StreamEvent): string =>
    `${event === undefined ? '' : `event: ${event}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
  const events = (name: string) => formatNamed(name)?.writeStream?.(ANSWER, lose) ?? [];
  const call = { id: 'aaaaaaaa1', name: 'Read', arguments: { path: 'a.txt', deep: [{ n: 1.5 }] } };

  test('Mistral', async () => {
    body = events('mistral').map(sse).join('');
    type = 'text/event-stream';
    const stream = await new Mistral({ apiKey: 'k', serverURL: url }).chat.stream({
      model: 'm',
      messages: [{ role: 'user', content: 'Hi' }],
    });
    const texts: string[] = [];
    const calls: unknown[] = [];
    let finish: unknown;
    let usage: unknown;
    for await (const { data } of stream) {
      const [choice] = data.choices;
      const content = choice?.delta.content;
      for (const chunk of Array.isArray(content) ? content : [])
        texts.push(chunk.type === 'text' ? chunk.text : JSON.stringify(chunk));
      calls.push(...(choice?.delta.toolCalls ?? []));
      finish = choice?.finishReason ?? finish;
      usage = data.usage ?? usage;
    }
    expect(texts).toEqual(['{"type":"thinking","thinking":[{"type":"text","text":"Hm."}]}', 'I look: ✓']);
    expect(calls).toHaveLength(2);
    const [first] = calls as { id: string; function: { name: string; arguments: string } }[];
    expect([first?.id, first?.function.name, JSON.parse(String(first?.function.arguments))]).toEqual(
      Object.values(call),
    );
    expect([finish, (usage as { totalTokens: number }).totalTokens]).toEqual(['tool_calls', 22]);
  });

  test('Cohere', async () => {
    body = events('cohere').map(sse).join('');
    type = 'text/event-stream';
    const client = new CohereClientV2({ token: 'k', environment: url });
    const stream = await client.chatStream({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] });
    const seen: { [type: string]: string } = {};
    const names: string[] = [];
    let finish: unknown;
    for await (const event of stream) {
      const add = (piece: string | undefined) => {
        seen[event.type] = (seen[event.type] ?? '') + (piece ?? '');
      };
      if (event.type === 'content-delta') add(event.delta?.message?.content?.thinking);
      if (event.type === 'tool-plan-delta') add(event.delta?.message?.toolPlan);
      if (event.type === 'tool-call-delta') add(event.delta?.message?.toolCalls?.function?.arguments);
      if (event.type === 'tool-call-start') names.push(String(event.delta?.message?.toolCalls?.function?.name));
      if (event.type === 'message-end') finish = event.delta;
    }
    expect(seen['content-delta']).toBe('Hm.');
    expect(seen['tool-plan-delta']).toBe('I look: ✓');
    expect(seen['tool-call-delta']).toBe('{"path":"a.txt","deep":[{"n":1.5}]}{}');
    expect(names).toEqual(['Read', 'Now']);
    expect(finish).toMatchObject({
      finishReason: 'TOOL_CALL',
      usage: { tokens: { inputTokens: 15, outputTokens: 7 } },
    });
  });

  test('Ollama', async () => {
    body = events('ollama')
      .map(({ data }) => `${JSON.stringify(data)}\n`)
      .join('');
    type = 'application/x-ndjson';
    const stream = await new Ollama({ host: url }).chat({ model: 'm', messages: [], stream: true });
    let content = '';
    let thinking = '';
    const calls: JsonObject[] = [];
    let last: unknown;
    for await (const part of stream) {
      content += part.message.content;
      thinking += part.message.thinking ?? '';
      calls.push(...((part.message.tool_calls ?? []) as unknown as JsonObject[]));
      last = part;
    }
    expect([content, thinking]).toEqual(['I look: ✓', 'Hm.']);
    expect(calls.map(({ function: fn }) => fn)).toEqual([
      { name: call.name, arguments: call.arguments },
      { name: 'Now', arguments: {} },
    ]);
    expect(last).toMatchObject({ done: true, done_reason: 'stop', prompt_eval_count: 15, eval_count: 7 });
  });
});
