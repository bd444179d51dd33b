// max_tokens, the older name: servers that speak OpenAI's dialect for other models often know no other.
// https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/profiles/openai.py, openai_chat_supports_max_completion_tokens
import { type Adaptation, eachMessage } from '../../conversion/adaptation.ts';

export const olderLimit: Adaptation = eachMessage((head) => {
  const words = head.form?.openai?.split(' ').filter((word) => word !== '') ?? [];
  if (typeof head.maxTokens !== 'number' || words.includes('max_tokens')) return head;
  return { ...head, form: { ...head.form, openai: [...words, 'max_tokens'].join(' ') } };
});
