// How events go over the wire: as server-sent events, as lines of JSON (Ollama), or in AWS's binary frames (Bedrock).

import type { StreamEvent } from '../../lib/dialects/codec/stream.ts';
import type { Format } from '../../lib/dialects/types.ts';
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import type { Input } from '../../lib/jsonl/read.ts';
import { BrokenFrame, eventOf, FrameParser, frameOf, isFramed } from '../../lib/streams/aws-event-stream.ts';
import { sseText } from '../../lib/streams/sse-writer.ts';

/** An event as the API sends it. Only server-sent events have words between them. */
export function framed(event: StreamEvent, { framing }: Format): string | Uint8Array {
  if (framing === undefined) return sseText(event);
  if (typeof event.data === 'string') return '';
  return framing === 'aws' ? frameOf(event.data) : `${JSON.stringify(event.data)}\n`;
}

/** The same input; the events of an AWS stream as lines of JSON. Bytes that are damaged throw a Failure (65). */
export function unframed(input: Input): Input {
  return { ...input, chunks: () => lines(input) };
}

function* lines({ name, chunks }: Input): Generator<Uint8Array> {
  let parser: FrameParser | undefined;
  let held: Uint8Array | undefined;
  let known = false;
  try {
    for (const chunk of chunks()) {
      if (parser) yield* events(parser, chunk);
      else if (known) yield chunk;
      else {
        const start = held ? Buffer.concat([held, chunk]) : chunk;
        const framed = isFramed(start);
        known = framed !== undefined;
        // The caller may use the chunk for other bytes.
        held = known ? undefined : Buffer.from(start);
        if (framed) {
          parser = new FrameParser();
          yield* events(parser, start);
        } else if (known) yield start;
      }
    }
    if (held) yield held;
    parser?.end();
  } catch (error) {
    if (error instanceof BrokenFrame)
      throw new Failure(EXIT.badInput, `cannot read the input: ${error.message}`, { place: name });
    throw error;
  }
}

/** The parser keeps what is not whole yet, so it gets bytes of its own. */
function* events(parser: FrameParser, bytes: Uint8Array): Generator<Uint8Array> {
  for (const frame of parser.push(Buffer.from(bytes))) yield Buffer.from(`${JSON.stringify(eventOf(frame))}\n`);
}
