// Reading and writing ShareGPT training data, loaded when it is first needed: a run needs one dialect or two.

export { readHead, writeHead } from './head.ts';
export { joins, readMessage, writeMessages, writeReply } from './messages.ts';
