// The records of a reply, in the dialect of the conversation that it answers.

import { writeMeta } from '../../../lib/conversation/meta.ts';
import { writeCarried } from '../../../lib/conversion/carried.ts';
import type { Conversation } from '../../../lib/conversion/gather.ts';
import { describe, Losses } from '../../../lib/conversion/losses.ts';
import type { Format } from '../../../lib/dialects/types.ts';
import { record } from '../../../lib/json/record.ts';
import { isObject, type JsonObject } from '../../../lib/json/values.ts';
import type { Reply } from '../receive/reply.ts';
import type { Run } from '../run.ts';

/** The reply in the conversation's dialect; an undecided one takes the provider's. What the dialect cannot express is carried in `_meta`. */
export function replyRecords(conversation: Conversation, { message, format }: Reply, run: Run): JsonObject[] {
  const to = dialectOf(conversation, format);
  const losses = new Losses();
  const natives = writeCarried(message, format, to, losses.between(format.name, to.name));
  const carried = natives.some(({ _meta: meta }) => isObject(meta) && meta.carry !== undefined);
  for (const loss of carried ? [] : losses.real) run.noteOnce(describe(loss));
  return natives.length > 0 ? natives : [{ ...emptyMessage(to.name), ...writeMeta([message]) }];
}

/** A line holds messages of one dialect: its own, or the provider's if it can be in that. */
function dialectOf({ decided, format, rolled }: Conversation, theirs: Format): Format {
  if (decided) return format;
  const fits =
    rolled === undefined || (isObject(rolled.value) && theirs.recognise(rolled.value)?.kind === 'conversation');
  return fits ? theirs : format;
}

/** The message of an empty answer, for dialects that write none because their APIs refuse one in requests. */
function emptyMessage(dialect: string): JsonObject {
  if (dialect === 'gemini') return { role: 'model', parts: [] };
  if (dialect === 'openai-responses') return { type: 'message', role: 'assistant', content: [] };
  return { role: 'assistant', content: dialect === 'anthropic' || dialect === 'bedrock' ? [] : '' };
}

/** The conversation followed by the reply. */
export function appendReply(conversation: Conversation, reply: Reply, run: Run): Conversation {
  const natives = replyRecords(conversation, reply, run).map((native) => ({ rec: record(native) }));
  return { ...conversation, items: [...conversation.items, ...natives] };
}
