// The endpoint of OpenAI Responses. https://platform.openai.com/docs/api-reference/responses
import { type Endpoint, withModel } from '../endpoint.ts';

const LAST = new Set<unknown>(['response.completed', 'response.incomplete', 'response.failed']);

export const endpoint: Endpoint = {
  path: () => '/responses',
  body: (body, { model, streamed }) => withModel(body, 'input', { model, ...(streamed && { stream: true }) }),
  isLast: ({ type }) => LAST.has(type),
};
