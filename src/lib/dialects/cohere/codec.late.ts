// Reading and writing Cohere chat, version 2, loaded when it is first needed: a run needs one dialect or two.
import type { Lose } from '../../conversation/types.ts';
import type { Known, StreamReader, StreamWriter } from '../codec/stream.ts';
import { CohereStream } from './stream.ts';
import { CohereWriter } from './write-stream.ts';

export { joins } from '../chat/turns.ts';
export { readHead, writeHead } from './head.ts';
export { readMessage, writeMessages } from './message.ts';
export { readReply, writeReply } from './reply.ts';
export { writeStream } from './write-stream.ts';

export function openStream(): StreamReader {
  return new CohereStream();
}

export function openWriter(known: Known, lose: Lose): StreamWriter {
  return new CohereWriter(known, lose);
}
