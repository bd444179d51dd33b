// Streamed replies, event by event, one after the other: recorded ones, and those that are still coming.
import type { Delta } from '../conversation/delta.ts';
import type { FormatName, Message } from '../conversation/types.ts';
import { type StreamReader, UnfinishedStream, UpstreamError } from '../dialects/codec/stream.ts';
import { misshapen } from '../dialects/read-record.ts';
import { FORMATS, formatNamed } from '../dialects/table.ts';
import type { Format } from '../dialects/types.ts';
import { EXIT, Failure, placeOf } from '../failure/failure.ts';
import type { Rec } from '../json/record.ts';
import { isObject, type Json, type JsonObject } from '../json/values.ts';
import type { SseEvent } from '../streams/sse-parser.ts';

/** One reply that is being read. `rec` is where it begins. */
export interface Stream {
  readonly format: Format;
  readonly reader: StreamReader;
  readonly rec: Rec;
}

/** An event, with what it tells; or a whole reply, after its last event. */
export type Step =
  | { readonly type: 'event'; readonly stream: Stream; readonly event: SseEvent; readonly deltas: readonly Delta[] }
  | { readonly type: 'whole'; readonly stream: Stream; readonly message: Message };

/** What ends the stream of a Chat completion, and of those who do as it does. */
export const DONE = '[DONE]';

/** Takes events, and tells which reply they belong to. Throws a Failure with the place of the event: 65 for a reply that is not whole, 69 for an error. */
export class ReplyStreams {
  readonly #from: Format | undefined;
  #stream: Stream | undefined;

  constructor(from?: FormatName) {
    this.#from = from === undefined ? undefined : formatNamed(from);
  }

  /** The reply that is being read, if there is one. */
  get open(): Stream | undefined {
    return this.#stream;
  }

  /** Whether a record is an event that came as a line of its own. A whole reply is none, unless a stream is being read. */
  isEvent(value: Json | undefined): value is JsonObject {
    if (!isObject(value) || typeof value.role === 'string' || value.messages !== undefined) return false;
    const stream = this.#stream;
    if (stream) return stream.format.recogniseEvent?.(value) === true || isError(value);
    return FORMATS.some((format) => format.recogniseEvent?.(value) && format.recognise(value)?.kind !== 'reply');
  }

  push(event: SseEvent, rec: Rec): Step[] {
    if (event.data === '') return [];
    if (event.data === DONE) return this.#done(event);
    const native = parse(event.data, rec);
    const before = this.#stream?.reader.isNext?.(native) ? this.end() : [];
    const stream = this.#stream ?? this.#begin(native, rec);
    this.#stream = stream;
    const deltas = guarded(rec, () => stream.reader.push(native));
    const step: Step = { type: 'event', stream, event, deltas };
    return [...before, step, ...(stream.reader.done ? this.end() : [])];
  }

  /** The reply that was being read is over: it must be whole. */
  end(): Step[] {
    const stream = this.#stream;
    if (stream === undefined) return [];
    this.#stream = undefined;
    return [{ type: 'whole', stream, message: guarded(stream.rec, () => stream.reader.end()) }];
  }

  /** Forgets the reply that was being read. */
  drop(): void {
    this.#stream = undefined;
  }

  #done(event: SseEvent): Step[] {
    const stream = this.#stream;
    return stream ? [{ type: 'event', stream, event, deltas: [] }, ...this.end()] : [];
  }

  #begin(native: JsonObject, rec: Rec): Stream {
    const theirs = FORMATS.filter((each) => each.recogniseEvent?.(native));
    const format = this.#from ?? theirs.find(({ dialectOf }) => dialectOf !== undefined) ?? theirs[0];
    if (format) return { format, reader: format.openStream(), rec };
    if (isError(native)) throw upstream(new UpstreamError(native), rec);
    const place = placeOf(rec);
    throw new Failure(EXIT.badInput, 'cannot read the event: it belongs to no known API', {
      place,
      hint: 'name the dialect with --from',
    });
  }
}

const isError = (event: JsonObject): boolean => isObject(event.error) || event.type === 'error';

function parse(data: string, rec: Rec): JsonObject {
  const place = placeOf(rec);
  try {
    const value: unknown = JSON.parse(data);
    if (isObject(value)) return value;
  } catch {
    throw new Failure(EXIT.badInput, 'cannot read the event: its data is not JSON, or was truncated', { place });
  }
  throw new Failure(EXIT.badInput, 'cannot read the event: its data is not a JSON object', { place });
}

function guarded<T>(rec: Rec, step: () => T): T {
  try {
    return step();
  } catch (error) {
    const place = placeOf(rec);
    if (error instanceof UnfinishedStream)
      throw new Failure(EXIT.badInput, `cannot read the reply: ${error.message}`, { place });
    throw error instanceof UpstreamError ? upstream(error, rec) : misshapen(error, rec);
  }
}

/** The provider's own words, one line, without control characters. */
function upstream(error: UpstreamError, rec: Rec): Failure {
  const said = error.message.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').slice(0, 500);
  return new Failure(EXIT.unavailable, `cannot read the reply: the provider sent an error: ${said}`, {
    place: placeOf(rec),
    cause: error,
  });
}

/** What a reader of the stream is told: the provider's own words, where it was the provider that failed. */
export const toldTo = ({ cause, message }: Failure): string =>
  cause instanceof UpstreamError ? cause.message : message;
