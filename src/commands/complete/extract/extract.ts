// -m extract: a summary made of the conversation's own sentences. No model, no chance: the same text gives the same summary.
import { type Conversation, headOf, messageOf } from '../../../lib/formats/conversation.ts';
import type { Message, Part } from '../../../lib/ir/types.ts';
import { choose } from './choose.ts';
import { type Sentence, sentencesOf } from './sentences.ts';

/** Characters that make a token, roughly. */
const CHARS = 4;

/** Without --max-tokens: a share of the text, and bounds in tokens. */
const SHARE = 0.2;
const LEAST = 60;
const MOST = 1000;

/** The answer: the sentences that say most about the rest, in their order, in at most `max_tokens` of the head. */
export function extract(conversation: Conversation): Message {
  const texts = conversation.items.flatMap((item) => {
    const message = messageOf(item);
    return message === undefined || message.role === 'system' || message.role === 'developer'
      ? []
      : textsOf(message.parts);
  });
  const sentences = texts.flatMap((text, at) => sentencesOf(text, at));
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  const { maxTokens } = headOf(conversation).head;
  const tokens = maxTokens ?? Math.min(MOST, Math.max(LEAST, Math.round((length / CHARS) * SHARE)));
  const text = joined(choose(sentences, tokens * CHARS));
  const by = { provider: 'extract', model: 'extract' };
  return { role: 'assistant', parts: [{ type: 'text', text }], by, stop: { reason: 'stop' } };
}

const textsOf = (parts: readonly Part[]): string[] =>
  parts.flatMap((part) => {
    if (part.type === 'text') return [part.text];
    return part.type === 'tool_result' ? textsOf(part.parts) : [];
  });

/** Sentences of one paragraph stay on one line. */
function joined(sentences: readonly Sentence[]): string {
  return sentences.reduce((text, { words, paragraph }, at) => {
    if (at === 0) return words;
    return `${text}${sentences[at - 1]?.paragraph === paragraph ? ' ' : '\n'}${words}`;
  }, '');
}
