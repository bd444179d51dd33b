// OpenAI Responses. https://platform.openai.com/docs/api-reference/responses
import { type WireApi, withModel } from '../wire.ts';

const LAST = new Set<unknown>(['response.completed', 'response.incomplete', 'response.failed']);

export const openaiResponses: WireApi = {
  path: () => '/responses',
  body: (body, { model, streamed }) => withModel(body, 'input', { model, ...(streamed && { stream: true }) }),
  framing: 'sse',
  isLast: ({ type }) => LAST.has(type),
};
