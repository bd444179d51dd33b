// `>>swap NAME`: a user's message that says which model answers from there on. It is taken out.
import { type Conversation, type Item, messageOf } from '../../lib/conversion/gather.ts';
import { plainText, textOf } from './view.ts';

interface Swapped {
  readonly conversation: Conversation;
  /** What the last of such messages says; undefined if there is none. */
  readonly name?: string;
}

const COMMAND = '>>swap';
const ESCAPED = '\\u003e\\u003eswap';

/** The conversation without its commands, and the last of them. One without any comes back as it is. */
export function takeSwaps(conversation: Conversation): Swapped {
  const { rolled, items } = conversation;
  if (rolled !== undefined && !mayHold(rolled.source)) return { conversation };
  let name: string | undefined;
  const kept = items.filter((item) => {
    const said = mayHold(item.rec.source) ? swapIn(item) : undefined;
    name = said ?? name;
    return said === undefined;
  });
  return name === undefined ? { conversation } : { conversation: { ...conversation, items: kept }, name };
}

/** A record that was made and not read may hold anything. */
const mayHold = (source: string | Uint8Array | undefined): boolean =>
  typeof source !== 'string' || source.includes(COMMAND) || source.includes(ESCAPED);

function swapIn(item: Item): string | undefined {
  const message = messageOf(item);
  if (message?.role !== 'user' || message.parts.some((part) => part.type !== 'text')) return undefined;
  const text = plainText(textOf(message));
  const name = text.startsWith(`${COMMAND} `) ? text.slice(COMMAND.length).trim() : '';
  return name === '' || name.includes('\n') ? undefined : name;
}
