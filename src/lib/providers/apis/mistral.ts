// Mistral's chat. https://docs.mistral.ai/api/endpoint/chat
import { type WireApi, withModel } from '../wire.ts';

export const mistral: WireApi = {
  path: () => '/chat/completions',
  body: (body, { model, streamed }) => withModel(body, 'messages', { model, stream: streamed }),
  framing: 'sse',
};
