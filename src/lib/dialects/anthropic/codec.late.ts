// Reading and writing Anthropic Messages, loaded when it is first needed: a run needs one dialect or two.
import type { PlainLines } from '../codec/plain-types.ts';
import type { Known, StreamReader, StreamWriter } from '../codec/stream.ts';
import { joinsAfter } from './message.ts';
import { readPlain } from './read-plain.ts';
import { AnthropicStream } from './stream.ts';
import { writePlain } from './write-plain.ts';
import { AnthropicWriter } from './write-stream.ts';

export { readHead, writeHead } from './head.ts';
export { joins, readMessage, writeMessages } from './message.ts';
export { readReply, writeReply } from './reply.ts';
export { writeStream } from './write-stream.ts';

export function openPlain(): PlainLines {
  return { read: readPlain, write: writePlain, joins: joinsAfter };
}

export function openStream(): StreamReader {
  return new AnthropicStream();
}

export function openWriter(known: Known): StreamWriter {
  return new AnthropicWriter(known);
}
