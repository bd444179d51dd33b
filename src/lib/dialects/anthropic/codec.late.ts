// Reading and writing Anthropic Messages, loaded when it is first needed: a run needs one dialect or two.
import type { Known, StreamReader, StreamWriter } from '../codec/stream.ts';
import { AnthropicStream } from './stream.ts';
import { AnthropicWriter } from './write-stream.ts';

export { readHead, writeHead } from './head.ts';
export { joins, readMessage, writeMessages } from './message.ts';
export { readReply, writeReply } from './reply.ts';
export { writeStream } from './write-stream.ts';

export function openStream(): StreamReader {
  return new AnthropicStream();
}

export function openWriter(known: Known): StreamWriter {
  return new AnthropicWriter(known);
}
