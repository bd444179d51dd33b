// The request without its tools: no catalogue, a shorter system prompt, and what was called before told as text.

import { isSystem } from '../../../lib/conversation/roles.ts';
import type { Head, Message, Part, TextPart } from '../../../lib/conversation/types.ts';
import { type Conversation, headOf, type Item, messageOf } from '../../../lib/conversion/gather.ts';
import type { Format } from '../../../lib/dialects/types.ts';
import { record } from '../../../lib/json/record.ts';
import { condenseSystem } from './system.ts';

const loseNothing = () => {};

/** The same conversation for a model that is to answer in words. */
export function withoutTools(conversation: Conversation): Conversation {
  const { head, format } = conversation;
  const { head: whole, messages } = headOf(conversation);
  const names = (whole.tools ?? []).map((tool) => tool.name);
  const { tools, toolChoice, parallelToolCalls, ...rest } = whole;
  const plain: Head = rest;
  const { native } = format.writeHead(
    plain,
    messages.map((message) => condensed(message, names)),
    loseNothing,
  );
  const items = conversation.items.flatMap((item) => rewrite(item, names));
  return { ...conversation, head: { ...head, rec: record(native, head?.rec) }, items };
}

function rewrite(item: Item, names: readonly string[]): Item[] {
  const message = messageOf(item);
  if (message === undefined || item.identity === undefined) return [item];
  const changed = isSystem(message) ? condensed(message, names) : told(message);
  return changed === message ? [item] : written(item, changed, item.identity.format);
}

const written = (item: Item, message: Message, format: Format): Item[] =>
  format.writeMessages([message], loseNothing).map((native) => ({ ...item, rec: record(native, item.rec) }));

function condensed(message: Message, names: readonly string[]): Message {
  const texts = message.parts.filter((part): part is TextPart => part.type === 'text');
  const whole = texts.map((part) => part.text).join('\n\n');
  const text = condenseSystem(whole, names);
  if (text === whole || texts.length !== message.parts.length) return message;
  const cache = texts.findLast((part) => part.cache)?.cache;
  return { ...message, parts: [{ type: 'text', text, ...(cache && { cache }) }], form: undefined, ext: message.ext };
}

/** Calls and results as text: APIs refuse them in a request without tools. */
function told(message: Message): Message {
  const isTool = (part: Part) => (part.type === 'tool_call' || part.type === 'tool_result') && part.by !== 'provider';
  if (!message.parts.some(isTool)) return message;
  const role = message.role === 'tool' ? 'user' : message.role;
  return { role, parts: message.parts.flatMap(asText), ...(message.meta && { meta: message.meta }) };
}

function asText(part: Part): Part[] {
  if (part.type === 'tool_call' && part.by !== 'provider')
    return [{ type: 'text', text: `[called ${part.name} ${part.text ?? JSON.stringify(part.input)}]` }];
  if (part.type !== 'tool_result' || part.by === 'provider') return [part];
  const title = `[result${part.name === undefined ? '' : ` of ${part.name}`}${part.error ? ', an error' : ''}]`;
  return [{ type: 'text', text: title }, ...part.parts.flatMap(asText)];
}
