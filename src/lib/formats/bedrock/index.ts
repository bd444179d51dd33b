// Amazon Bedrock's Converse API. https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
import type { Format } from '../types.ts';
import {
  joins,
  openStream,
  openWriter,
  readHead,
  readMessage,
  readReply,
  writeHead,
  writeMessages,
  writeReply,
  writeStream,
} from './codec.late.ts';
import { BEDROCK } from './name.ts';
import { recognise, recogniseEvent } from './recognise.ts';

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
  openStream,
  writeStream,
  openWriter,
};
