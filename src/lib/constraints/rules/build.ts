// Rules from what is wrong with one message, or with a head, by itself.
import type { FormatName, Head, Message } from '../../conversation/types.ts';

export { quoted } from '../../dialects/record-rules.ts';

import type { Checked, Mended, Problem, Rule } from './types.ts';

/** What was done, and what is left of a message: nothing, if it has to go. */
export interface Mend<T> {
  readonly now: T;
  readonly did: string;
}

interface MessageRule {
  readonly name: string;
  readonly formats: readonly FormatName[];
  find(message: Message, request: Checked, index: number): readonly Problem[];
  /** Only for messages with a problem. */
  mend?(message: Message, request: Checked, index: number): Mend<Message | undefined> | undefined;
}

export function messageRule({ name, formats, find, mend }: MessageRule): Rule {
  return {
    name,
    formats,
    check: (request) =>
      request.messages.flatMap((message, i) =>
        find(message, request, i).map((problem) => ({ rule: name, message: i, ...problem })),
      ),
    repair: mend && ((request) => repairMessages(request, name, find, mend)),
  };
}

function repairMessages(
  request: Checked,
  rule: string,
  find: MessageRule['find'],
  mend: NonNullable<MessageRule['mend']>,
) {
  const did: Mended[] = [];
  let inHead = request.inHead;
  const messages = request.messages.flatMap((message, i) => {
    const mended = find(message, request, i).length > 0 ? mend(message, request, i) : undefined;
    if (mended === undefined) return [message];
    did.push({ rule, message: i, did: mended.did });
    if (mended.now) return [mended.now];
    if (inHead !== undefined && i < (request.inHead ?? 0)) inHead -= 1;
    return [];
  });
  return did.length > 0 ? { request: { ...request, messages, inHead }, did } : undefined;
}

interface HeadRule {
  readonly name: string;
  readonly formats: readonly FormatName[];
  find(head: Head, request: Checked): readonly Problem[];
  mend?(head: Head, request: Checked): Mend<Head> | undefined;
}

export function headRule({ name, formats, find, mend }: HeadRule): Rule {
  return {
    name,
    formats,
    check: (request) =>
      request.head ? find(request.head, request).map((problem) => ({ rule: name, ...problem })) : [],
    repair:
      mend &&
      ((request) => {
        const { head } = request;
        const mended = head && find(head, request).length > 0 ? mend(head, request) : undefined;
        return mended && { request: { ...request, head: mended.now }, did: [{ rule: name, did: mended.did }] };
      }),
  };
}
