// Reading and writing OpenAI Responses, loaded when it is first needed: a run needs one dialect or two.
import type { Known, StreamReader, StreamWriter } from '../codec/stream.ts';
import { ResponsesWriter } from './live-writer.ts';
import { ResponsesStream } from './stream.ts';

export { readHead, writeHead } from './head.ts';
export { readMessage } from './read-message.ts';
export { gather, readReply, writeReply } from './reply.ts';
export { joins, writeMessages } from './write-items.ts';
export { writeStream } from './write-stream.ts';

export function openStream(): StreamReader {
  return new ResponsesStream();
}

export function openWriter(known: Known): StreamWriter {
  return new ResponsesWriter(known);
}
