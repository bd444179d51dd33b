// The endpoint of Ollama's own chat API. It streams unless it is told not to. https://docs.ollama.com/api/chat
import { type Endpoint, withModel } from '../endpoint.ts';

export const endpoint: Endpoint = {
  path: () => '/chat',
  body: (body, { model, streamed }) => withModel(body, 'messages', { model, stream: streamed }),
  isLast: ({ done }) => done === true,
};
