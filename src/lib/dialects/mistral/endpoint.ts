// The endpoint of Mistral's chat. https://docs.mistral.ai/api/endpoint/chat
import { type Endpoint, withModel } from '../endpoint.ts';

export const endpoint: Endpoint = {
  path: () => '/chat/completions',
  body: (body, { model, streamed }) => withModel(body, 'messages', { model, stream: streamed }),
};
