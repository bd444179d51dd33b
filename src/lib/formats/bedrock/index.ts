// Amazon Bedrock's Converse API. https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
import type { Format } from '../types.ts';
import { readHead, writeHead } from './head.ts';
import { joins, readMessage, writeMessages } from './message.ts';
import { BEDROCK } from './name.ts';
import { recognise, recogniseEvent } from './recognise.ts';
import { readReply, writeReply } from './reply.ts';
import { BedrockStream } from './stream.ts';
import { BedrockWriter, writeStream } from './write-stream.ts';

export const bedrock: Format = {
  name: BEDROCK,
  summary: 'Amazon Bedrock Converse',
  messagesKey: 'messages',
  recognise,
  readHead,
  writeHead,
  readMessage,
  joins,
  writeMessages,
  readReply,
  writeReply,
  framing: 'aws',
  recogniseEvent,
  openStream: () => new BedrockStream(),
  writeStream,
  openWriter: (_, lose) => new BedrockWriter(lose),
};
