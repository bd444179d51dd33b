// ShareGPT: training data of many datasets, with the tools and calls of LLaMA-Factory.
// https://github.com/hiyouga/LLaMA-Factory/blob/main/data/README.md#sharegpt-format

import { noStream } from '../codec/stream.ts';
import type { Format } from '../types.ts';
import { joins, readHead, readMessage, writeHead, writeMessages, writeReply } from './codec.late.ts';
import { SHAREGPT } from './name.ts';
import { recognise } from './recognise.ts';

export const sharegpt: Format = {
  name: SHAREGPT,
  summary: 'ShareGPT training data',
  messagesKey: 'conversations',
  recognise,
  readHead,
  writeHead,
  readMessage,
  joins,
  writeMessages,
  readReply: readMessage,
  writeReply,
  openStream: noStream,
};
