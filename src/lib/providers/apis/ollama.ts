// Ollama's own chat API. It streams unless it is told not to. https://docs.ollama.com/api/chat
import { type WireApi, withModel } from '../wire.ts';

export const ollama: WireApi = {
  path: () => '/chat',
  body: (body, { model, streamed }) => withModel(body, 'messages', { model, stream: streamed }),
  framing: 'lines',
  isLast: ({ done }) => done === true,
};
