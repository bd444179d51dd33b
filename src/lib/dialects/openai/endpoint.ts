// The endpoint of OpenAI Chat Completions, and everything compatible with it. https://platform.openai.com/docs/api-reference/chat
import { type Endpoint, withModel } from '../endpoint.ts';

export const endpoint: Endpoint = {
  path: () => '/chat/completions',
  body(body, { model, streamed, usageInStreaming = true }) {
    const streaming = streamed && {
      stream: true,
      ...(usageInStreaming && { stream_options: { include_usage: true } }),
    };
    return withModel(body, 'messages', { model, ...streaming });
  },
};
