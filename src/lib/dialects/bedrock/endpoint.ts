// The endpoint of Amazon Bedrock's Converse. https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
import type { Endpoint } from '../endpoint.ts';

export const endpoint: Endpoint = {
  path: ({ model, streamed }) => `/model/${encodeURIComponent(model)}/${streamed ? 'converse-stream' : 'converse'}`,
  body({ model: _, modelId: _id, stream: _s, ...body }) {
    return body;
  },
  // The tokens come after the end of the message, or before: the stream's own end says that all has come.
};
