// Law 9: a reply that is written as a stream and read again is the same reply, and the official clients fold it to the same message.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Known, StreamEvent } from '../../src/lib/formats/stream.ts';
import { FORMATS } from '../../src/lib/formats/table.ts';
import type { Format } from '../../src/lib/formats/types.ts';
import type { JsonObject } from '../../src/lib/ir/json.ts';
import type { Message } from '../../src/lib/ir/types.ts';
import { SseParser } from '../../src/lib/sse/parser.ts';
import { sseText } from '../../src/lib/sse/write.ts';
import { accepted, CORPORA, fixture, streams } from '../fixtures.ts';
import { asJson } from './same.ts';

const lose = () => {};
/** Dialects whose replies can be told while they come. */
const writers = FORMATS.filter((format) => format.openWriter !== undefined);

/** What a client makes of the events, by this project's own reader. */
function readBack(format: Format, events: readonly StreamEvent[]): JsonObject {
  const reader = format.openStream();
  for (const { data } of events) if (typeof data !== 'string') reader.push(JSON.parse(JSON.stringify(data)));
  return format.writeReply(reader.end(), lose);
}

/** Replies of every format: fixtures, and whole replies of the recorded streams. */
const replies = writers.flatMap((format) => [
  ...fixture(format.name, 'replies').map((native, i) => ({ format, native, name: `${format.name} reply ${i + 1}` })),
  ...streams(format.name).map(({ name, reply }) => ({ format, native: reply, name: `${format.name} ${name}` })),
]);

/** A reply that failed, or that is still queued, has no stream that ends well. */
function ended(native: JsonObject): boolean {
  const { stop } = (FORMATS.find((format) => format.recognise(native)?.kind === 'reply') as Format).readReply(native);
  return stop !== undefined && native.status !== 'failed' && native.status !== 'queued';
}

describe('read again', () => {
  for (const { format, native, name } of replies.filter(({ format, native }) => format.writeStream && ended(native)))
    test(`${name}: its own stream is itself`, () => {
      const events = (format.writeStream as NonNullable<Format['writeStream']>)(format.readReply(native), lose);
      expect(contentOf(format, readBack(format, events))).toEqual(contentOf(format, native));
    });

  for (const to of writers)
    test(`${to.name}: any reply, as a stream and whole`, () => {
      for (const { format, native, name } of replies.filter(({ native }) => ended(native))) {
        if (format === to) continue;
        const message = format.readReply(native);
        const { _meta, ...whole } = to.writeReply(message, lose);
        const events = (to.writeStream as NonNullable<Format['writeStream']>)(message, lose);
        const back = readBack(to, events);
        expect({ name, content: contentOf(to, back) }).toEqual({
          name,
          content: contentOf(to, asJson(whole) as JsonObject),
        });
      }
    });
});

/** What is said, without ids and counts that a stream must have and a whole reply need not. */
function contentOf(format: Format, reply: JsonObject): unknown {
  const { parts, stop } = format.readReply(reply);
  return asJson({ parts: parts.map(({ form, ...part }) => ({ ...part, ext: undefined })), stop });
}

describe('told live', () => {
  for (const from of writers)
    for (const { name, events } of streams(from.name))
      for (const to of writers.filter((format) => format !== from))
        test(`${from.name} ${name} to ${to.name}: the pieces are the whole`, () => {
          const { told, message } = live(from, to, events);
          const back = to.readReply(readBack(to, told));
          expect(said(back)).toEqual(said(to.readReply(asJson(to.writeReply(message, lose)) as JsonObject)));
        });
});

function live(from: Format, to: Format, events: readonly JsonObject[]): { told: StreamEvent[]; message: Message } {
  const reader = from.openStream();
  const told: StreamEvent[] = [];
  let writer: ReturnType<NonNullable<Format['openWriter']>> | undefined;
  for (const event of events)
    for (const delta of reader.push(event)) {
      writer ??= to.openWriter?.(reader.known as Known, lose);
      told.push(...(writer?.push(delta) ?? []));
    }
  const message = reader.end();
  writer ??= to.openWriter?.(reader.known as Known, lose);
  return { told: [...told, ...(writer?.end(message) ?? [])], message };
}

/** Texts, calls and the reason, in order; the texts that a dialect puts together are one. */
function said({ parts, stop, usage }: Message): JsonObject {
  const texts = (type: string) =>
    parts.flatMap((part) => (part.type === type && 'text' in part ? [part.text] : [])).join('');
  const calls = parts.flatMap((part) =>
    part.type === 'tool_call' && part.by !== 'provider' ? [[part.id, part.name, part.input ?? part.text]] : [],
  );
  return asJson({
    text: texts('text'),
    refusal: texts('refusal'),
    calls,
    stop: stop?.reason,
    output: usage?.output,
  }) as JsonObject;
}

/** A server that answers every request with the same stream. */
let body = '';
let server: Server;
let url = '';

beforeAll(async () => {
  server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const CLIENTS: { readonly [format: string]: () => Promise<unknown> } = {
  anthropic: async () => {
    const client = new Anthropic({ apiKey: 'none', baseURL: url, maxRetries: 0 });
    return client.beta.messages
      .stream({ model: 'x', max_tokens: 1, messages: [{ role: 'user', content: 'x' }] })
      .finalMessage();
  },
  openai: async () => {
    const client = new OpenAI({ apiKey: 'none', baseURL: url, maxRetries: 0 });
    return client.chat.completions
      .stream({ model: 'x', messages: [{ role: 'user', content: 'x' }] })
      .finalChatCompletion();
  },
  'openai-responses': async () => {
    const client = new OpenAI({ apiKey: 'none', baseURL: url, maxRetries: 0 });
    return client.responses.stream({ model: 'x', input: 'x' }).finalResponse();
  },
};

describe('official clients', () => {
  for (const [name, finalMessage] of Object.entries(CLIENTS)) {
    const to = FORMATS.find((format) => format.name === name) as Format;
    const check = async (message: Message, events: readonly StreamEvent[]) => {
      body = events.map(sseText).join('');
      const folded = asJson(await finalMessage()) as JsonObject;
      const whole = asJson(to.writeReply(message, lose)) as JsonObject;
      expect(said(to.readReply(folded))).toEqual(said(to.readReply(whole)));
      return folded;
    };
    test(`${name}: every reply as a stream`, async () => {
      for (const { format, native } of replies.filter(({ native }) => ended(native))) {
        const message = format.readReply(native);
        await check(message, (to.writeStream as NonNullable<Format['writeStream']>)(message, lose));
      }
    });
    test(`${name}: every stream, told live`, async () => {
      for (const from of writers.filter((format) => format !== to))
        for (const { events } of streams(from.name)) {
          const { told, message } = live(from, to, events);
          await check(message, told);
        }
    });
    test.skipIf(CORPORA === undefined)(
      `${name}: recorded streams of the others, told live, fold to the whole`,
      async () => {
        let count = 0;
        for (const [folder, from] of Object.entries(STREAMS))
          for (const events of recordedStreams(folder)) {
            const format = FORMATS.find((f) => f.name === from) as Format;
            if (format === to || events.some(({ error }) => error)) continue;
            const { told, message } = live(format, to, events);
            await check(message, told);
            count += 1;
          }
        expect(count).toBeGreaterThan(20);
      },
    );
    test.skipIf(CORPORA === undefined)(`${name}: recorded replies of its own fold to what was recorded`, async () => {
      const own = recorded(name).filter(ended);
      expect(own.length).toBeGreaterThan(0);
      for (const native of own) {
        const message = to.readReply(native);
        const folded = await check(message, (to.writeStream as NonNullable<Format['writeStream']>)(message, lose));
        expect(contentOf(to, folded)).toEqual(contentOf(to, asJson(native) as JsonObject));
      }
    });
  }
});

const FOLDERS: { readonly [format: string]: string } = {
  anthropic: 'anthropic-messages',
  openai: 'openai-chat',
  'openai-responses': 'openai-responses',
};

const STREAMS: { readonly [folder: string]: string } = {
  'anthropic-messages': 'anthropic',
  'openai-chat': 'openai',
  'openai-chat-groq': 'openai',
  'openai-chat-openrouter': 'openai',
  'openai-responses': 'openai-responses',
  'openai-responses-compat': 'openai-responses',
  'gemini-generate-content': 'gemini',
};

function recordedStreams(folder: string): JsonObject[][] {
  const bodies = accepted(folder).flatMap(({ response }) =>
    typeof response === 'string' && response.includes('data:') ? [response] : [],
  );
  return bodies.map((body) =>
    new SseParser()
      .push(`${body}\n\n`)
      .filter(({ data }) => data !== '[DONE]')
      .map(({ data }) => JSON.parse(data) as JsonObject),
  );
}

function recorded(name: string): JsonObject[] {
  const format = FORMATS.find((f) => f.name === name) as Format;
  return accepted(FOLDERS[name] ?? '').flatMap(({ response }) => {
    const reply = response as JsonObject;
    return typeof reply === 'object' && format.recognise(reply)?.kind === 'reply' ? [reply] : [];
  });
}

test('the text of an event has a line for each line of its data', () => {
  expect(sseText({ event: 'x', data: 'a\nb' })).toBe('event: x\ndata: a\ndata: b\n\n');
});
