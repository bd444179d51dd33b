// Reading and writing OpenAI Chat Completions, loaded when it is first needed: a run needs one dialect or two.
import type { Known, StreamReader, StreamWriter } from '../codec/stream.ts';
import { OpenAIStream } from './stream.ts';
import { OpenAIWriter } from './write-stream.ts';

export { readHead, writeHead } from './head.ts';
export { readMessage } from './read-message.ts';
export { readReply, writeReply } from './reply.ts';
export { joins, writeMessages } from './write-message.ts';
export { writeStream } from './write-stream.ts';

export function openStream(): StreamReader {
  return new OpenAIStream();
}

export function openWriter(known: Known): StreamWriter {
  return new OpenAIWriter(known);
}
