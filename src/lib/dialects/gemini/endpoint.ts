// The endpoint of Gemini's generateContent, of the developer API and of Vertex AI. https://ai.google.dev/api/generate-content
import type { Endpoint } from '../endpoint.ts';

export const endpoint: Endpoint = {
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
  endsSilently: true,
};
