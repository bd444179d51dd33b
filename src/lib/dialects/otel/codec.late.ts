// Reading and writing OpenTelemetry's GenAI messages, loaded when it is first needed: a run needs one dialect or two.

export { joined, readHead, writeHead } from './head.ts';
export { readMessage, writeMessages, writeReply } from './messages.ts';
