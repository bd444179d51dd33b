// OpenTelemetry's semantic conventions for generative AI: messages, and the attributes of spans and events that hold them.
// https://github.com/open-telemetry/semantic-conventions-genai

import { noStream } from '../codec/stream.ts';
import type { Format } from '../types.ts';
import { joined, readHead, readMessage, writeHead, writeMessages, writeReply } from './codec.late.ts';
import { INPUT, OTEL } from './name.ts';
import { recognise } from './recognise.ts';

export const otel: Format = {
  name: OTEL,
  summary: "OpenTelemetry's GenAI messages",
  messagesKey: INPUT,
  recognise,
  whole: joined,
  readHead,
  writeHead,
  readMessage,
  joins: () => false,
  writeMessages,
  readReply: readMessage,
  writeReply,
  openStream: noStream,
  constraints: { imageNames: true },
};
