// One request to one provider, to one reply.

import { UnfinishedStream, UpstreamError } from '../formats/stream.ts';
import type { Format } from '../formats/types.ts';
import type { Delta } from '../ir/delta.ts';
import { EXIT, Failure } from '../ir/failure.ts';
import { isObject, type JsonObject } from '../ir/json.ts';
import type { Message } from '../ir/types.ts';
import { events } from '../sse/parser.ts';
import { AttemptFailed, refused } from './errors.ts';
import { type Answer, type Call, ConnectionError, readAll, send } from './http.ts';

export interface Exchange {
  readonly provider: string;
  readonly format: Format;
  readonly call: Call;
  /** Called with each piece of a streamed reply. A reply that has begun to be told is not asked for again. */
  readonly onDelta?: (delta: Delta) => void;
}

/** A raw answer kept for a cassette. */
export interface Recorded {
  readonly status: number;
  readonly body: string;
  readonly streamed: boolean;
}

export interface Outcome {
  readonly reply: Message;
  readonly recorded: Recorded;
}

/** Sends the request and reads the reply. Throws AttemptFailed where another attempt may be thought of. */
export async function exchange({ provider, format, call, onDelta }: Exchange): Promise<Outcome> {
  const answer = await connected(() => send(call));
  if (answer.status !== 200) throw refused({ ...answer, provider, body: await connected(() => readAll(answer.body)) });
  return isEventStream(answer) ? streamed(answer, provider, format, onDelta) : whole(answer, provider, format);
}

const isEventStream = (answer: Answer): boolean => /^text\/event-stream/i.test(answer.headers['content-type'] ?? '');

async function connected<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof ConnectionError) throw new AttemptFailed(new Failure(EXIT.unavailable, error.message), true);
    throw error;
  }
}

async function whole(answer: Answer, provider: string, format: Format): Promise<Outcome> {
  const body = await connected(() => readAll(answer.body));
  return { reply: readWhole(body, provider, format), recorded: { status: 200, body, streamed: false } };
}

/** Reads a whole reply. A good status around an error, or around something else, is no answer. */
export function readWhole(body: string, provider: string, format: Format): Message {
  const native = parsed(body);
  if (native === undefined) throw unreadable(provider, 'the answer is no JSON object', true);
  if (isObject(native.error) || format.recognise(native)?.kind !== 'reply')
    throw refused({ provider, status: 502, headers: {}, body });
  return format.readReply(native);
}

function parsed(body: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

async function streamed(
  answer: Answer,
  provider: string,
  format: Format,
  onDelta: Exchange['onDelta'],
): Promise<Outcome> {
  const reader = new ReplyReader(provider, format, onDelta);
  const body: string[] = [];
  try {
    for await (const event of events(answer.body)) {
      body.push(
        event.event === undefined ? `data: ${event.data}\n\n` : `event: ${event.event}\ndata: ${event.data}\n\n`,
      );
      reader.push(event.data);
    }
    return { reply: reader.end(), recorded: { status: 200, body: body.join(''), streamed: true } };
  } catch (error) {
    throw reader.failed(error);
  }
}

/** Reads the events of a reply, and says of a failure whether the reply had begun to be told. */
export class ReplyReader {
  readonly #provider: string;
  readonly #reader: ReturnType<Format['openStream']>;
  readonly #onDelta: Exchange['onDelta'];
  #told = false;

  constructor(provider: string, format: Format, onDelta: Exchange['onDelta']) {
    this.#provider = provider;
    this.#reader = format.openStream();
    this.#onDelta = onDelta;
  }

  push(data: string): void {
    if (data === '[DONE]') return;
    const event = parsed(data);
    if (event === undefined) throw unreadable(this.#provider, 'an event of the stream is no JSON object', true);
    for (const delta of this.#reader.push(event)) {
      this.#told ||= this.#onDelta !== undefined;
      this.#onDelta?.(delta);
    }
  }

  end(): Message {
    return this.#reader.end();
  }

  failed(error: unknown): unknown {
    const failed = this.#classify(error);
    if (!(failed instanceof AttemptFailed) || !this.#told) return failed;
    const message = `${failed.failure.message}; part of the answer had been shown already`;
    return new AttemptFailed(new Failure(EXIT.later, message), false);
  }

  #classify(error: unknown): unknown {
    if (error instanceof UnfinishedStream) return unreadable(this.#provider, error.message, true);
    if (error instanceof ConnectionError) return new AttemptFailed(new Failure(EXIT.unavailable, error.message), true);
    if (error instanceof UpstreamError)
      return refused({ provider: this.#provider, status: 529, headers: {}, body: JSON.stringify(error.body) });
    return error;
  }
}

function unreadable(provider: string, why: string, retry: boolean): AttemptFailed {
  return new AttemptFailed(new Failure(EXIT.unavailable, `cannot read the answer of ${provider}: ${why}`), retry);
}
