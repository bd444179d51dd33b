// The events of a streamed answer, whatever they are framed in. What an answer is, its first bytes say better than its content type.

import type { JsonObject } from '../json/values.ts';
import { isObject } from '../json/values.ts';
import { eventOf, FrameParser } from '../streams/aws-event-stream.ts';
import { type SseEvent, SseParser, events as serverSent } from '../streams/sse-parser.ts';

/** Server-sent events, a JSON object a line, or AWS's binary frames. */
export type Framing = 'sse' | 'lines' | 'aws';

/** An event of a streamed answer, and the same as text: an answer kept for a cassette is made of these. */
export interface StreamedEvent {
  /** Undefined for the mark at the end of a stream, `[DONE]`. */
  readonly value: JsonObject | undefined;
  readonly text: string;
}

/** An answer that is neither JSON nor a stream of it. */
export class Unreadable extends Error {}

/** Whether the answer is a stream of events, and how they are framed; undefined for one JSON value. */
export async function framingOf(
  contentType: string | undefined,
  body: Peeked,
  asked: Framing,
): Promise<Framing | undefined> {
  const type = (contentType ?? '').toLowerCase();
  if (type.startsWith('application/vnd.amazon.eventstream')) return 'aws';
  if (type.includes('ndjson')) return 'lines';
  const start = await body.start();
  if (/^\s*[[{"]/.test(start) || start.trim() === '')
    return asked === 'lines' && !type.includes('/json') ? 'lines' : undefined;
  if (/^(\xef\xbb\xbf)?\s*(data|event|id|retry|:)/.test(start)) return 'sse';
  if (asked === 'aws' && start.startsWith('\0')) return 'aws';
  return type.startsWith('text/event-stream') ? 'sse' : undefined;
}

/** Bytes whose beginning can be looked at. */
export class Peeked implements AsyncIterable<Uint8Array> {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #held: Uint8Array[] = [];

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** The first bytes that are not blank, as text; empty at the end. */
  async start(): Promise<string> {
    for (;;) {
      const text = Buffer.concat(this.#held).toString('latin1');
      if (text.trim() !== '' || this.#held.length > MOST_BLANK) return text.trimStart().slice(0, 8);
      const next = await this.#source.next();
      if (next.done) return '';
      this.#held.push(next.value);
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      yield* this.#held.splice(0);
      for (let next = await this.#source.next(); !next.done; next = await this.#source.next()) yield next.value;
    } finally {
      await this.#source.return?.();
    }
  }
}

/** Servers that send blanks to keep a connection open do so for minutes. */
const MOST_BLANK = 10_000;

/** The events of an answer. Throws Unreadable for one that is no JSON object. */
export function eventsOf(framing: Framing, body: AsyncIterable<Uint8Array>): AsyncIterable<StreamedEvent> {
  if (framing === 'sse') return fromSse(body);
  return framing === 'lines' ? fromLines(body) : fromFrames(body);
}

async function* fromSse(body: AsyncIterable<Uint8Array>): AsyncGenerator<StreamedEvent> {
  for await (const event of serverSent(body)) yield sseEvent(event);
}

function sseEvent({ event, data }: SseEvent): StreamedEvent {
  const lines = data.split('\n').map((line) => `data: ${line}\n`);
  const text = `${event === undefined ? '' : `event: ${event}\n`}${lines.join('')}\n`;
  return { value: data.trim() === '[DONE]' ? undefined : objectIn(data), text };
}

async function* fromLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<StreamedEvent> {
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  for await (const chunk of body) {
    const [first = '', ...rest] = decoder.decode(chunk, { stream: true }).split('\n');
    pieces.push(first);
    for (const piece of rest) {
      const line = pieces.join('');
      pieces = [piece];
      if (line.trim() !== '') yield { value: objectIn(line), text: `${line.trim()}\n` };
    }
  }
  const last = pieces.join('') + decoder.decode();
  // A line without its end may have been cut, and a cut number would read as another.
  if (last.trim() !== '' && isWhole(last)) yield { value: objectIn(last), text: `${last.trim()}\n` };
}

/** An object that parses has its closing brace, and so is whole. */
function isWhole(line: string): boolean {
  try {
    return isObject(JSON.parse(line));
  } catch {
    return false;
  }
}

async function* fromFrames(body: AsyncIterable<Uint8Array>): AsyncGenerator<StreamedEvent> {
  const parser = new FrameParser();
  for await (const chunk of body)
    for (const frame of parser.push(chunk)) {
      const value = eventOf(frame);
      yield { value, text: `${JSON.stringify(value)}\n` };
    }
  parser.end();
}

/** The events that a cassette or a cache has kept as text. */
export function* eventsIn(text: string): Generator<StreamedEvent> {
  if (text.trimStart().startsWith('{')) {
    for (const line of text.split('\n')) if (line.trim() !== '') yield { value: objectIn(line), text: line };
    return;
  }
  for (const event of new SseParser().push(text)) yield sseEvent(event);
}

function objectIn(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (!isObject(value)) throw new Unreadable('an event of the stream is not a JSON object');
  return value;
}
