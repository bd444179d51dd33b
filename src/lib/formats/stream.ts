// What the readers of event streams share.
import type { Delta } from '../ir/delta.ts';
import { isObject, type JsonObject } from '../ir/json.ts';
import type { Message } from '../ir/types.ts';

/** What can be known of a reply before it ends. */
export type Known = Pick<Message, 'id' | 'by' | 'usage' | 'at'>;

/** Takes the events of one reply. `push` tells what is new; `end` gives the whole, or throws UnfinishedStream. */
export interface StreamReader {
  push(event: JsonObject): Delta[];
  end(): Message;
  /** What the reply has said of itself so far. */
  readonly known?: Known;
  /** Whether this event begins another reply: then this one gets no more. Without it, a stream is one reply. */
  isNext?(event: JsonObject): boolean;
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
