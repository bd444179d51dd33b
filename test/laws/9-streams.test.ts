// Law 9: a reply that is written as a stream and read again is the same reply, and the official clients fold it to the same message.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Message, Part } from '../../src/lib/conversation/types.ts';
import type { StreamEvent } from '../../src/lib/dialects/codec/stream.ts';
import { FORMATS } from '../../src/lib/dialects/table.ts';
import type { Format } from '../../src/lib/dialects/types.ts';
import type { JsonObject } from '../../src/lib/json/values.ts';
import { sseText } from '../../src/lib/streams/sse-writer.ts';
import { CLIENTS, close, fold, listen } from '../clients.ts';
import { accepted, CORPORA, fixture, streams } from '../fixtures.ts';
import { live, said } from '../told.ts';
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
function ended(format: Format, native: JsonObject): boolean {
  const { stop } = format.readReply(native);
  return stop !== undefined && stop.reason !== 'error' && native.status !== 'queued';
}

describe('read again', () => {
  for (const { format, native, name } of replies.filter(
    ({ format, native }) => format.writeStream && ended(format, native),
  ))
    test(`${name}: its own stream is itself`, () => {
      const events = (format.writeStream as NonNullable<Format['writeStream']>)(format.readReply(native), lose);
      expect(contentOf(format, readBack(format, events))).toEqual(contentOf(format, native));
    });

  for (const to of writers)
    test(`${to.name}: any reply, as a stream and whole`, () => {
      for (const { format, native, name } of replies.filter(({ format, native }) => ended(format, native))) {
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
  const told = parts.filter((part) => part.type !== 'reasoning' || part.text !== '' || part.signature !== undefined);
  return asJson({ parts: joined(told).map(({ form, ...part }) => ({ ...part, ext: undefined })), stop });
}

/** Texts that follow one another are one in the streams of some APIs. */
function joined(parts: readonly Part[]): Part[] {
  const out: Part[] = [];
  for (const part of parts) {
    const last = out.at(-1);
    if (last?.type === 'text' && part.type === 'text' && !last.citations && !part.citations)
      out[out.length - 1] = { ...last, text: last.text + part.text };
    else out.push(part);
  }
  return out;
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

beforeAll(listen);
afterAll(close);

describe('official clients', () => {
  for (const name of Object.keys(CLIENTS)) {
    const to = FORMATS.find((format) => format.name === name) as Format;
    const check = async (message: Message, events: readonly StreamEvent[]) => {
      const folded = await fold(name, events);
      const whole = asJson(to.writeReply(message, lose)) as JsonObject;
      expect(said(to.readReply(folded))).toEqual(said(to.readReply(whole)));
      return folded;
    };
    test(`${name}: every reply as a stream`, async () => {
      for (const { format, native } of replies.filter(({ format, native }) => ended(format, native))) {
        // Spellings and reasons that the API knows and its client does not.
        if (format === to && name === 'gemini') continue;
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
    test.skipIf(CORPORA === undefined || FOLDERS[name] === undefined)(
      `${name}: recorded replies of its own fold to what was recorded`,
      async () => {
        const own = recorded(name).filter((native) => ended(to, native));
        expect(own.length).toBeGreaterThan(0);
        for (const native of own) {
          const message = to.readReply(native);
          const folded = await check(message, (to.writeStream as NonNullable<Format['writeStream']>)(message, lose));
          expect(contentOf(to, folded)).toEqual(contentOf(to, asJson(native) as JsonObject));
        }
      },
    );
  }
});

const FOLDERS: { readonly [format: string]: string } = {
  anthropic: 'anthropic-messages',
  openai: 'openai-chat',
  'openai-responses': 'openai-responses',
  gemini: 'gemini-generate-content',
  bedrock: 'bedrock-converse',
  mistral: 'mistral-chat',
  cohere: 'cohere-v2-chat',
};

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
