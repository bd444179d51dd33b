// Law 2: fold(deltas(stream)) equals the final message, and the final message is the one that the API sends whole.
import { describe, expect, test } from 'vitest';
import type { Message, Part } from '../../src/lib/conversation/types.ts';
import { UnfinishedStream, UpstreamError } from '../../src/lib/dialects/codec/stream.ts';
import { FORMATS } from '../../src/lib/dialects/table.ts';
import type { Format } from '../../src/lib/dialects/types.ts';
import { SseParser } from '../../src/lib/streams/sse-parser.ts';
import { accepted, CORPORA, recordedStreams, streams } from '../fixtures.ts';
import { fold } from '../fold-deltas.ts';
import { asJson, expectSame } from './same.ts';

const lose = () => {};

/** Training data and traces: no API streams them. */
const UNSTREAMED = new Set(['sharegpt', 'otel']);

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
    test.skipIf(UNSTREAMED.has(format.name))('has a recorded stream', () =>
      expect(streams(format.name).length).toBeGreaterThan(0),
    );
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
  'openai-responses': 'openai-responses',
  'openai-responses-compat': 'openai-responses',
  'gemini-generate-content': 'gemini',
};

describe.skipIf(CORPORA === undefined)('recorded streams', () => {
  for (const [folder, name] of Object.entries(RECORDED))
    test(`${folder}: the pieces fold to the whole`, () => {
      const format = FORMATS.find((f) => f.name === name) as (typeof FORMATS)[number];
      const bodies = accepted(folder).flatMap(({ id, response }) =>
        typeof response === 'string' && response.includes('data:') ? [{ id, response }] : [],
      );
      expect(bodies.length).toBeGreaterThan(0);
      for (const { id, response } of bodies) {
        const events = new SseParser().push(response).filter(({ data }) => data !== '[DONE]');
        const read = readAll(format, events);
        if (read === undefined) expect(response, `${id} has no error in it`).toMatch(/"error":\{|"type":"error"/);
        else expect({ id, parts: asJson(read.pieces) }).toEqual({ id, parts: asJson(read.whole) });
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

/** The parts as their pieces tell them and as the whole says them; undefined if the provider sent an error in the middle. */
function readAll(format: Format, events: readonly { data: string }[]): { pieces: unknown; whole: unknown } | undefined {
  const reader = format.openStream();
  try {
    const deltas = events.flatMap(({ data }) => reader.push(JSON.parse(data)));
    const whole = reader
      .end()
      .parts.filter((part) => !('by' in part && part.by === 'provider' && part.type === 'tool_call'));
    return { pieces: fold(deltas).map(view), whole: whole.map(view) };
  } catch (error) {
    if (error instanceof UpstreamError) return undefined;
    throw error;
  }
}

/** What a part says, without the residual and the spelling. */
function view(part: Part): unknown {
  const { ext, form, ...rest } = part as Part & { ext?: unknown; form?: unknown };
  return rest;
}
