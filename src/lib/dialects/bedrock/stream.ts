// The events of a streamed reply, each an object with one key, as SDKs decode them from their frames (see lib/streams/aws-event-stream.ts).
// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html
import type { Delta } from '../../conversation/delta.ts';
import type { Message } from '../../conversation/types.ts';
import { isObject, type Json, type JsonObject } from '../../json/values.ts';
import { lookup } from '../codec/fields.ts';
import { type StreamReader, UnfinishedStream, UpstreamError } from '../codec/stream.ts';
import { GrowingBlock } from './growing-block.ts';
import { readReply } from './reply.ts';
import type { EventKind } from './types.ts';

type Handler = (event: JsonObject) => Delta[];

/** Builds the reply as the API would have sent it whole, and tells each piece as it comes. */
export class BedrockStream implements StreamReader {
  /** Neither an id nor the model is said. */
  readonly known = {};
  #top: JsonObject = {};
  #message: JsonObject = { role: 'assistant' };
  #stopped = false;
  readonly #blocks = new Map<number, GrowingBlock>();

  push(event: JsonObject): Delta[] {
    for (const kind in event) {
      const body = event[kind];
      const handler = lookup<Handler>(this.#handlers, kind);
      if (handler) return handler(isObject(body) ? body : {});
      // The SDK's types name some of the exceptions; the API may send others.
      if (kind.endsWith('Exception') || kind === 'error') fail(kind, body);
    }
    return [];
  }

  end(): Message {
    if (!this.#stopped) throw new UnfinishedStream('messageStop');
    const content = [...this.#blocks].sort(([a], [b]) => a - b).flatMap(([, block]) => block.close());
    return readReply({ output: { message: { ...this.#message, content } }, ...this.#top });
  }

  readonly #handlers: { readonly [kind in EventKind]: Handler } = {
    messageStart: ({ p: _, ...message }) => {
      this.#message = { ...this.#message, ...message };
      return [];
    },
    contentBlockStart: ({ contentBlockIndex, start }) => this.#block(contentBlockIndex).start(start),
    contentBlockDelta: ({ contentBlockIndex, delta }) => this.#block(contentBlockIndex).grow(delta),
    contentBlockStop: ({ contentBlockIndex }) => this.#block(contentBlockIndex).stop(),
    messageStop: (body) => {
      this.#stopped = true;
      return this.#keep(body);
    },
    metadata: (body) => this.#keep(body),
    internalServerException: (body) => fail('internalServerException', body),
    modelStreamErrorException: (body) => fail('modelStreamErrorException', body),
    validationException: (body) => fail('validationException', body),
    throttlingException: (body) => fail('throttlingException', body),
    serviceUnavailableException: (body) => fail('serviceUnavailableException', body),
  };

  /** `p` is padding, against those who guess texts by their lengths. */
  #keep({ p: _, ...fields }: JsonObject): Delta[] {
    this.#top = { ...this.#top, ...fields };
    return [];
  }

  #block(native: Json | undefined): GrowingBlock {
    const index = Number(native ?? 0);
    const block = this.#blocks.get(index) ?? new GrowingBlock(index);
    this.#blocks.set(index, block);
    return block;
  }
}

function fail(kind: string, body: unknown): never {
  throw new UpstreamError({ error: { type: kind, ...(isObject(body) ? body : { message: String(body) }) } });
}
