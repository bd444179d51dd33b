// Reading and writing Gemini generateContent, loaded when it is first needed: a run needs one dialect or two.
import type { Lose } from '../../conversation/types.ts';
import type { Known, StreamReader, StreamWriter } from '../codec/stream.ts';
import { GeminiStream } from './stream.ts';
import { GeminiWriter } from './write-stream.ts';

export { readHead, writeHead } from './head.ts';
export { readMessage } from './read-content.ts';
export { readReply, writeReply } from './reply.ts';
export { joins, writeMessages } from './write-content.ts';
export { writeStream } from './write-stream.ts';

export function openStream(): StreamReader {
  return new GeminiStream();
}

export function openWriter(known: Known, lose: Lose): StreamWriter {
  return new GeminiWriter(known, lose);
}
