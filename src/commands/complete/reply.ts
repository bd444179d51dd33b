// A reply as records of the conversation that it answers.

import { writeMeta } from '../../lib/conversation/meta.ts';
import { writeCarried } from '../../lib/conversion/carried.ts';
import type { Conversation } from '../../lib/conversion/gather.ts';
import { describe, Losses } from '../../lib/conversion/losses.ts';
import type { Format } from '../../lib/dialects/types.ts';
import { record } from '../../lib/json/record.ts';
import { isObject, type JsonObject } from '../../lib/json/values.ts';
import type { Reply } from './answer.ts';
import type { Session } from './session.ts';

/** The answer in the conversation's dialect; an undecided one takes the provider's. What the dialect cannot say goes along for the next request. */
export function written(conversation: Conversation, { message, format }: Reply, session: Session): JsonObject[] {
  const to = dialectOf(conversation, format);
  const losses = new Losses();
  const natives = writeCarried(message, format, to, losses.between(format.name, to.name));
  const carried = natives.some(({ _meta: meta }) => isObject(meta) && meta.carry !== undefined);
  for (const loss of carried ? [] : losses.real) session.noteOnce(describe(loss));
  return natives.length > 0 ? natives : [{ ...emptyIn(to.name), ...writeMeta([message]) }];
}

/** A line holds messages of one dialect: its own, or the provider's if it can be in that. */
function dialectOf({ decided, format, rolled }: Conversation, theirs: Format): Format {
  if (decided) return format;
  const fits =
    rolled === undefined || (isObject(rolled.value) && theirs.recognise(rolled.value)?.kind === 'conversation');
  return fits ? theirs : format;
}

/** An answer without a word is one nevertheless. Some dialects write no message for it, as their APIs refuse such in requests. */
function emptyIn(dialect: string): JsonObject {
  if (dialect === 'gemini') return { role: 'model', parts: [] };
  if (dialect === 'openai-responses') return { type: 'message', role: 'assistant', content: [] };
  return { role: 'assistant', content: dialect === 'anthropic' || dialect === 'bedrock' ? [] : '' };
}

export function withAnswer(conversation: Conversation, reply: Reply, session: Session): Conversation {
  const natives = written(conversation, reply, session).map((native) => ({ rec: record(native) }));
  return { ...conversation, items: [...conversation.items, ...natives] };
}
