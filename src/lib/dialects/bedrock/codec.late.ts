// Reading and writing Amazon Bedrock Converse, loaded when it is first needed: a run needs one dialect or two.
import type { Lose } from '../../conversation/types.ts';
import type { Known, StreamReader, StreamWriter } from '../codec/stream.ts';
import { BedrockStream } from './stream.ts';
import { BedrockWriter } from './write-stream.ts';

export { readHead, writeHead } from './head.ts';
export { joins, readMessage, writeMessages } from './message.ts';
export { readReply, writeReply } from './reply.ts';
export { writeStream } from './write-stream.ts';

export function openStream(): StreamReader {
  return new BedrockStream();
}

export function openWriter(_: Known, lose: Lose): StreamWriter {
  return new BedrockWriter(lose);
}
