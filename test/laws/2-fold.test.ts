// Law 2: fold(deltas(stream)) equals the final message, and the final message is the one that the API sends whole.
import { describe, expect, test } from 'vitest';
import { UnfinishedStream, UpstreamError } from '../../src/lib/formats/stream.ts';
import { FORMATS } from '../../src/lib/formats/table.ts';
import { fold } from '../../src/lib/ir/fold.ts';
import type { JsonObject } from '../../src/lib/ir/json.ts';
import type { Message, Part } from '../../src/lib/ir/types.ts';
import { SseParser } from '../../src/lib/providers/sse.ts';
import { accepted, CORPORA, recordedStreams, streams } from '../fixtures.ts';
import { asJson, expectSame } from './same.ts';

const lose = () => {};

for (const format of FORMATS)
  describe(format.name, () => {
    for (const { name, events, reply } of streams(format.name)) {
      test(`${name}: the whole is the reply`, () => {
        const reader = format.openStream();
        for (const event of events) reader.push(event);
        expectSame(format.writeReply(reader.end(), lose), reply);
      });
      test(`${name}: the pieces fold to the whole`, () => {
        const reader = format.openStream();
        const deltas = events.flatMap((event) => reader.push(event));
        expectSame(fold(deltas).map(view), told(reader.end().parts).map(view));
      });
      test(`${name}: cut before its end, it is no answer`, () => {
        for (let cut = 0; cut < events.length - 2; cut++) {
          const reader = format.openStream();
          for (const event of events.slice(0, cut)) reader.push(event);
          expect(() => reader.end(), `after ${cut} events`).toThrow(UnfinishedStream);
        }
      });
    }
    test('has a recorded stream', () => expect(streams(format.name).length).toBeGreaterThan(0));
  });

/** What is told of a reply piece by piece: all but the calls that the provider ran itself. */
const told = (parts: readonly Part[]): readonly Part[] =>
  parts.filter((part) => !('by' in part && part.by === 'provider' && part.type === 'tool_call'));

const RECORDED: { readonly [folder: string]: string } = {
  'anthropic-messages': 'anthropic',
  'openai-chat': 'openai',
  'openai-chat-compat': 'openai',
  'openai-chat-groq': 'openai',
  'openai-chat-openrouter': 'openai',
};

describe.skipIf(CORPORA === undefined)('recorded streams', () => {
  for (const [folder, name] of Object.entries(RECORDED))
    test(`${folder}: the pieces fold to the whole`, () => {
      const format = FORMATS.find((f) => f.name === name) as (typeof FORMATS)[number];
      const bodies = accepted(folder).flatMap(({ id, response }) =>
        typeof response === 'string' && /^(data|event):/m.test(response) ? [{ id, response }] : [],
      );
      expect(bodies.length).toBeGreaterThan(0);
      for (const { id, response } of bodies) {
        const reader = format.openStream();
        const data = new SseParser().push(response).flatMap((event) => (event.data === '[DONE]' ? [] : [event.data]));
        const events: JsonObject[] = data.map((text) => JSON.parse(text));
        if (events.some((event) => event.error !== undefined)) {
          expect(() => events.forEach((event) => void reader.push(event)), String(id)).toThrow(UpstreamError);
          continue;
        }
        const deltas = events.flatMap((event) => reader.push(event));
        expect({ id, parts: asJson(fold(deltas).map(view)) }).toEqual({
          id,
          parts: asJson(told(reader.end().parts).map(view)),
        });
      }
    });
});

const KEPT: { readonly [folder: string]: string } = {
  'bedrock-converse': 'bedrock',
  'mistral-chat': 'mistral',
  'cohere-v2-chat': 'cohere',
  'openai-chat': 'openai',
  'openai-chat-alibaba': 'openai',
  'openai-chat-compat': 'openai',
  'openai-chat-deepseek': 'openai',
  'openai-chat-groq': 'openai',
  'openai-chat-moonshotai': 'openai',
  'openai-chat-perplexity': 'openai',
  'xai-chat': 'openai',
};

describe.skipIf(CORPORA === undefined)('streams kept as events', () => {
  for (const [folder, format] of Object.entries(KEPT)) {
    const { openStream, readReply } = FORMATS.find(({ name }) => name === format) as (typeof FORMATS)[number];
    for (const { name, events, reply } of recordedStreams(folder))
      test(`${name}: the pieces fold to the whole${reply ? ', and that is the reply' : ''}`, () => {
        const reader = openStream();
        const deltas = events.flatMap((event) => reader.push(event));
        const whole = reader.end();
        expectSame(fold(deltas).map(view), told(whole.parts).map(view));
        const recorded = reply && readReply(reply);
        if (recorded && isSameAnswer(recorded, whole)) expectSame(whole.parts.map(view), recorded.parts.map(view));
      });
  }

  test('some were recorded whole too', () => {
    const pairs = Object.entries(KEPT).flatMap(([folder, format]) => {
      const { openStream, readReply } = FORMATS.find(({ name }) => name === format) as (typeof FORMATS)[number];
      return recordedStreams(folder).filter(({ events, reply }) => {
        const reader = openStream();
        for (const event of events) reader.push(event);
        return reply && isSameAnswer(readReply(reply), reader.end());
      });
    });
    expect(pairs.length).toBeGreaterThanOrEqual(2);
  });
});

/** As a rule the recorder asked twice, and got two answers. */
function isSameAnswer(a: Message, b: Message): boolean {
  return a.id === b.id && a.usage?.output !== undefined && a.usage.output === b.usage?.output;
}

/** What a part says, without the residual and the spelling. */
function view(part: Part): unknown {
  const { ext, form, ...rest } = part as Part & { ext?: unknown; form?: unknown };
  return rest;
}
