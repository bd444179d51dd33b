// Gemini's generateContent, of the developer API and of Vertex AI. https://ai.google.dev/api/generate-content
import type { WireApi } from '../wire.ts';

export const gemini: WireApi = {
  path({ model, streamed }) {
    const name = model
      .replace(/^models\//, '')
      .split('/')
      .map(encodeURIComponent)
      .join('/');
    return `/models/${name}:${streamed ? 'streamGenerateContent?alt=sse' : 'generateContent'}`;
  },
  body({ model: _, stream: _s, ...body }) {
    return body;
  },
  framing: 'sse',
  endsSilently: true,
};
