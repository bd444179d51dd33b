// `--wrap-completion`: a plain answer to a request that had tools, as the call that harnesses end a task with.

import type { Message } from '../../../lib/conversation/types.ts';
import { type Conversation, headOf, messageOf } from '../../../lib/conversion/gather.ts';
import { record } from '../../../lib/json/record.ts';
import { isObject } from '../../../lib/json/values.ts';
import { textOf } from '../view.ts';

const NAME = 'attempt_completion';

/**
 * The conversation with its last answer as a call of attempt_completion, whose `result` is the text; the conversation itself if the answer calls
 * something already, holds no text, or was given to a request that never had tools.
 */
export function wrapCompletion(conversation: Conversation): Conversation {
  const { head, messages } = headOf(conversation);
  const { meta } = head;
  const taken = isObject(meta) && isObject(meta.preprocess) && meta.preprocess.decision === 'answer';
  if ((head.tools?.length ?? 0) === 0 && !taken) return conversation;
  const last = conversation.items.findLastIndex((item) => item.identity !== undefined);
  const item = conversation.items[last];
  const message = item && messageOf(item);
  if (!item?.identity || message?.role !== 'assistant' || message.parts.some(({ type }) => type === 'tool_call'))
    return conversation;
  const result = textOf(message);
  if (result.trim() === '') return conversation;
  const id = `c${String(messages.length + last).padStart(8, '0')}`;
  const { form, ext, ...rest } = message;
  const wrapped: Message = {
    ...rest,
    parts: [
      ...message.parts.filter(({ type }) => type !== 'text'),
      { type: 'tool_call', id, name: NAME, input: { result } },
    ],
  };
  const natives = item.identity.format.writeMessages([wrapped], () => {});
  const items = conversation.items.flatMap((one) =>
    one === item ? natives.map((native) => ({ ...item, rec: record(native, item.rec) })) : [one],
  );
  return { ...conversation, items };
}
