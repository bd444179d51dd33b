// What the readers of event streams share.
import type { Delta } from '../../conversation/delta.ts';
import type { Message } from '../../conversation/types.ts';
import { isObject, type JsonObject } from '../../json/values.ts';

/** What can be known of a reply before it ends. */
export type Known = Pick<Message, 'id' | 'by' | 'usage' | 'at'>;

/** Takes the events of one reply. `push` tells what is new; `end` gives the whole, or throws UnfinishedStream. */
export interface StreamReader {
  push(event: JsonObject): Delta[];
  end(): Message;
  /** What the reply has said of itself so far. */
  readonly known: Known;
  /** Whether the API has said its last word: nothing of this reply can follow. */
  readonly done?: boolean;
  /** Whether this event begins another reply: then this one gets no more. Without it, a stream is one reply. */
  isNext?(event: JsonObject): boolean;
}

/** Writes one reply as events while it comes: `push` for each piece, then `end` with the whole, or `fail` in its place. */
export interface StreamWriter {
  push(delta: Delta): StreamEvent[];
  end(message: Message): StreamEvent[];
  /** The event that tells a client that the reply broke off, so that it does not take what came for the whole. */
  fail(why: string): StreamEvent[];
}

/** One event as it goes over the wire. */
export interface StreamEvent {
  readonly event?: string;
  /** JSON, or the text that ends a stream (`[DONE]`). */
  readonly data: JsonObject | string;
}

/** The stream ended before the API said that the reply is whole: no answer. */
export class UnfinishedStream extends Error {
  constructor(missing: string) {
    super(`the stream ended without ${missing}`);
  }
}

/** An error that the API sent inside a stream, after a good status. */
export class UpstreamError extends Error {
  readonly body: JsonObject;

  constructor(body: JsonObject) {
    const error = isObject(body.error) ? body.error : body;
    super(typeof error.message === 'string' ? error.message : 'the provider sent an error');
    this.body = body;
  }
}

/** For formats that no API streams. */
export function noStream(): StreamReader {
  return {
    known: {},
    push: () => [],
    end() {
      throw new UnfinishedStream('a reply: nothing streams this format');
    },
  };
}
