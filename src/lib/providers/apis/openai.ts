// OpenAI Chat Completions, and everything compatible with it. https://platform.openai.com/docs/api-reference/chat
import { type WireApi, withModel } from '../wire.ts';

export const openai: WireApi = {
  path: () => '/chat/completions',
  body(body, { model, streamed, usageInStreaming = true }) {
    const streaming = streamed && {
      stream: true,
      ...(usageInStreaming && { stream_options: { include_usage: true } }),
    };
    return withModel(body, 'messages', { model, ...streaming });
  },
  framing: 'sse',
};
