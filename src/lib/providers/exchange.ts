// One request to one provider, to one reply.
import type { Delta } from '../conversation/delta.ts';
import type { Message } from '../conversation/types.ts';
import { UnfinishedStream, UpstreamError } from '../dialects/codec/stream.ts';
import type { Endpoint } from '../dialects/endpoint.ts';
import type { Format } from '../dialects/types.ts';
import { isObject, type JsonObject, ShapeError } from '../json/values.ts';
import { BrokenFrame } from '../streams/aws-event-stream.ts';
import { AttemptFailed, ToldInPart } from './errors.ts';
import { eventsIn, eventsOf, type Framing, framingOf, Peeked, type StreamedEvent, Unreadable } from './framing.ts';
import { type Answer, type Call, ConnectionError, readAll, send } from './http.ts';
import type { Headers } from './pause.ts';
import { type Refusal, refused, refusedLate } from './refusal.ts';
import { Silence } from './watch.ts';

interface Exchange extends Pick<Refusal, 'provider' | 'mask'> {
  readonly format: Format;
  readonly endpoint: Pick<Endpoint, 'isLast' | 'endsSilently'>;
  readonly call: Call;
  readonly now: () => number;
  /** Called with each piece of a streamed reply. A reply that has begun to be told is not asked for again. */
  readonly onDelta?: (delta: Delta) => void;
  /** Called when the answer begins. */
  readonly onAnswer?: (answer: Pick<Answer, 'status' | 'headers'>) => void;
}

/** An answer kept for a cassette. */
export interface Recorded {
  readonly status: number;
  readonly body: string;
  readonly streamed: boolean;
}

export interface Outcome {
  readonly reply: Message;
  readonly recorded: Recorded;
  readonly headers: Headers;
}

/** Sends the request and reads the reply. Throws AttemptFailed for all that can go wrong on the way. */
export async function exchange(wanted: Exchange): Promise<Outcome> {
  try {
    const answer = await send(wanted.call);
    wanted.onAnswer?.(answer);
    if (answer.status < 200 || answer.status >= 300)
      throw refused({ ...wanted, ...answer, now: wanted.now(), body: await readAll(answer.body) });
    return await readAnswer(answer, wanted);
  } catch (error) {
    throw unconnected(error);
  }
}

function unconnected(error: unknown): unknown {
  if (error instanceof ConnectionError) return new AttemptFailed('unreachable', error.message);
  if (error instanceof Silence) return new AttemptFailed('silent', error.message, { hint: error.failure.hint });
  return error;
}

/** Reads the reply of an answer that came with a good status, however it is framed. Throws AttemptFailed, ConnectionError or Silence. */
export async function readAnswer(
  { headers, body }: Pick<Answer, 'headers' | 'body'>,
  wanted: Reading,
): Promise<Outcome> {
  const peeked = new Peeked(body);
  const framing = await framingOf(headers['content-type'], peeked, wanted.format.framing ?? 'sse');
  if (framing !== undefined) return streamed(peeked, framing, headers, wanted);
  const text = await readAll(peeked);
  return { reply: readWhole(text, wanted), recorded: { status: 200, body: text, streamed: false }, headers };
}

type Reading = Pick<Exchange, 'provider' | 'mask' | 'now' | 'format' | 'endpoint' | 'onDelta'>;

/** Reads a whole reply. A good status around an error, or around something else, is no answer. */
export function readWhole(body: string, reading: Reading): Message {
  const { provider, format } = reading;
  const value = parsed(body);
  if (Array.isArray(value) && value.every(isObject)) return readEvents(value, reading);
  if (!isObject(value)) throw unreadable(provider, 'the answer is not a JSON object');
  if (isError(value)) throw refusedLate({ ...reading, headers: {}, now: reading.now(), body });
  if (format.recognise(value)?.kind !== 'reply') throw unreadable(provider, 'it is not a reply of this API');
  try {
    return format.readReply(value);
  } catch (error) {
    throw misread(provider, error);
  }
}

/** Some servers send `"error": null` beside an answer. */
const isError = ({ error, object, type }: JsonObject): boolean =>
  isObject(error) || (typeof error === 'string' && error !== '') || object === 'error' || type === 'error';

/** The events of a stream as one list: what Gemini sends where nobody asks it for server-sent events. */
function readEvents(events: readonly JsonObject[], reading: Reading): Message {
  const reader = new ReplyReader(reading);
  for (const value of events) reader.push({ value, text: '' });
  return reader.end();
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

async function streamed(
  body: AsyncIterable<Uint8Array>,
  framing: Framing,
  headers: Headers,
  wanted: Reading,
): Promise<Outcome> {
  const reader = new ReplyReader(wanted);
  const recorded: string[] = [];
  const outcome = (reply: Message): Outcome => ({
    reply,
    recorded: { status: 200, body: recorded.join(''), streamed: true },
    headers,
  });
  try {
    for await (const event of eventsOf(framing, body)) {
      recorded.push(event.text);
      reader.push(event);
      if (reader.ended) break;
    }
    return outcome(reader.end());
  } catch (error) {
    const reply = isCut(error) ? reader.whole() : undefined;
    if (reply) return outcome(reply);
    throw reader.failed(error);
  }
}

const isCut = (error: unknown): boolean => error instanceof ConnectionError || error instanceof Silence;

/** Reads the events of a reply, and says of a failure whether the reply had begun to be told. */
class ReplyReader {
  readonly #reading: Reading;
  readonly #reader: ReturnType<Format['openStream']>;
  #told = false;
  /** The API has said that nothing follows. */
  ended = false;

  constructor(reading: Reading) {
    this.#reading = reading;
    this.#reader = reading.format.openStream();
  }

  push({ value }: StreamedEvent): void {
    if (value === undefined) {
      this.ended = true;
      return;
    }
    const { onDelta, endpoint } = this.#reading;
    for (const delta of this.#decoding(() => this.#reader.push(value))) {
      this.#told ||= onDelta !== undefined;
      onDelta?.(delta);
    }
    this.ended = endpoint.isLast?.(value) ?? false;
  }

  /** Throws AttemptFailed if the stream ended before the API said that the reply is whole. */
  end(): Message {
    return this.#decoding(() => this.#reader.end());
  }

  /** The reply, if the API had said that it is whole before the connection was lost. */
  whole(): Message | undefined {
    if (this.#reading.endpoint.endsSilently) return undefined;
    try {
      return this.#reader.end();
    } catch {
      return undefined;
    }
  }

  /** An error met on the way, as what it means for this reply. What is not about the stream stays what it is. */
  failed(error: unknown): unknown {
    const framed = error instanceof Unreadable || error instanceof BrokenFrame;
    const failed = framed ? misread(this.#reading.provider, error) : unconnected(error);
    return failed instanceof AttemptFailed && this.#told ? new ToldInPart(failed) : failed;
  }

  #decoding<T>(step: () => T): T {
    const { provider, now } = this.#reading;
    try {
      return step();
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw misread(provider, error);
      throw refusedLate({ ...this.#reading, headers: {}, now: now(), body: JSON.stringify(error.body) });
    }
  }
}

/** Something in the answer is not as the API's documents say. Nothing that a server sends may end in a report of a mistake of ours. */
function misread(provider: string, error: unknown): AttemptFailed {
  const known = [UnfinishedStream, Unreadable, ShapeError, BrokenFrame].some((kind) => error instanceof kind);
  return unreadable(provider, known ? (error as Error).message : 'its structure is not that of the API');
}

const unreadable = (provider: string, why: string): AttemptFailed =>
  new AttemptFailed('unreadable', `cannot read the answer of ${provider}: ${why}`);

// WAS // A kept answer read again: out of the cache, out of a cassette.

/** Throws AttemptFailed for one that is not whole. */
export function readRecordedReply(
  { body, streamed }: Recorded,
  provider: string,
  format: Format,
  endpoint: Endpoint,
  onDelta: ((delta: Delta) => void) | undefined,
): Message {
  const reading = {
    provider,
    format,
    endpoint,
    now: () => 0,
    mask: (text: string) => text,
    ...(onDelta && { onDelta }),
  };
  if (!streamed) return readWhole(body, reading);
  const reader = new ReplyReader(reading);
  try {
    for (const event of eventsIn(body)) reader.push(event);
    return reader.end();
  } catch (error) {
    throw reader.failed(error);
  }
}
