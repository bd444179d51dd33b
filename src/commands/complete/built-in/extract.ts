// -m extract: a summary made of the conversation's own sentences. No model, no chance: the same text gives the same summary.

import type { Message, Part } from '../../../lib/conversation/types.ts';
import { type Conversation, headOf, messageOf } from '../../../lib/conversion/gather.ts';
import { EXIT, Failure } from '../../../lib/failure/failure.ts';
import { choose } from './choose-sentences.ts';
import { type Sentence, sentencesOf } from './split-sentences.ts';

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
  if (sentences.length === 0) throw new Failure(EXIT.badInput, 'cannot summarize: the conversation has no text');
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  const { maxTokens } = headOf(conversation).head;
  const tokens = maxTokens ?? Math.min(MOST, Math.max(LEAST, Math.round((length / CHARS) * SHARE)));
  const text = joined(choose(sentences, tokens * CHARS));
  const by = { provider: 'extract', model: 'extract' };
  return { role: 'assistant', parts: [{ type: 'text', text }], by, stop: { reason: 'stop' } };
}

const textsOf = (parts: readonly Part[]): string[] =>
  parts.flatMap((part) => {
    if (part.type === 'text') return [recordIn(part.text)];
    return part.type === 'tool_result' ? textsOf(part.parts) : [];
  });

/** Lines of dashes around most of a text set apart what is to be summed up from the request to do so. */
function recordIn(text: string): string {
  const [, inner = ''] = /^-{3,}[^\n]*\n([\s\S]*)\n-{3,}[^\n]*$/m.exec(text) ?? [];
  return inner.length > text.length / 2 ? inner : text;
}

/** Sentences of one paragraph stay on one line. */
function joined(sentences: readonly Sentence[]): string {
  return sentences.reduce((text, { words, paragraph }, at) => {
    if (at === 0) return words;
    return `${text}${sentences[at - 1]?.paragraph === paragraph ? ' ' : '\n'}${words}`;
  }, '');
}
