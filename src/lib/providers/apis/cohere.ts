// Cohere's chat. https://docs.cohere.com/reference/chat
import { type WireApi, withModel } from '../wire.ts';

export const cohere: WireApi = {
  path: () => '/chat',
  body: (body, { model, streamed }) => withModel(body, 'messages', { model, stream: streamed }),
  framing: 'sse',
  isLast: ({ type }) => type === 'message-end',
};
