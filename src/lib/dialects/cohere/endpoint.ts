// The endpoint of Cohere's chat. https://docs.cohere.com/reference/chat
import { type Endpoint, withModel } from '../endpoint.ts';

export const endpoint: Endpoint = {
  path: () => '/chat',
  body: (body, { model, streamed }) => withModel(body, 'messages', { model, stream: streamed }),
  isLast: ({ type }) => type === 'message-end',
};
