// What the readers of event streams share.
import type { Delta } from '../ir/delta.ts';
import { isObject, type JsonObject } from '../ir/json.ts';
import type { Message } from '../ir/types.ts';

/** Takes the events of one reply. `push` tells what is new; `end` gives the whole, or throws UnfinishedStream. */
export interface StreamReader {
  push(event: JsonObject): Delta[];
  end(): Message;
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
    push: () => [],
    end() {
      throw new UnfinishedStream('a reply: nothing streams this format');
    },
  };
}
