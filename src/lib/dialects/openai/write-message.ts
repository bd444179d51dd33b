// Messages, from one or more messages of the view.

import { writeMeta } from '../../conversation/meta.ts';
import type { Lose, MediaPart, Message, Part, ToolResultPart } from '../../conversation/types.ts';
import type { JsonObject } from '../../json/values.ts';
import { own } from '../codec/residual.ts';
import { withOrder } from '../codec/turn-order.ts';
import { OPENAI } from './name.ts';
import { writeAssistant } from './write-assistant.ts';
import { writeContent } from './write-parts.ts';

/**
 * An assistant's turn is one message: all its calls must stand in it, and formats that split it write it in pieces. Results stand together,
 * since what they cannot hold follows them.
 */
export const joins = (group: readonly Message[], { role }: Message): boolean =>
  (role === 'assistant' || role === 'tool') && group.at(-1)?.role === role;

export function writeMessages(group: readonly Message[], lose: Lose): JsonObject[] {
  if (group[0]?.role === 'assistant') {
    const parts = group.length === 1 ? group[0].parts : group.flatMap((message) => message.parts);
    const ordered = withOrder(group, parts, OPENAI, lose);
    return spoken(ordered, writeAssistant(ordered, lose));
  }
  const hoisted = group.flatMap((message) => media(message, lose));
  const natives = group.flatMap((message) => writeResults(message, lose));
  const others = group.flatMap((message) => writeRest(message, lose));
  return [...natives, ...(hoisted.length > 0 ? mediaMessage(hoisted, others, lose) : others)];
}

/** A turn of which nothing can be said here is none; one of this API's own stays as empty as it was. */
function spoken(group: readonly Message[], native: JsonObject): JsonObject[] {
  const { content, tool_calls, refusal, reasoning_content, reasoning } = native;
  const said = (Array.isArray(content) ? content.length > 0 : content) || tool_calls || refusal;
  return said || reasoning_content || reasoning || group.some(isOwn) ? [native] : [];
}

const isResult = (part: Part): part is ToolResultPart => part.type === 'tool_result';

/** Read from this format: what stands in a result was accepted there, and stays. */
const isOwn = (message: Message): boolean => message.form?.[OPENAI] !== undefined;

/** A tool message holds text alone. What a foreign result shows besides goes into a user message behind the results. */
const isMovable = (part: Part): part is MediaPart =>
  part.type === 'media' && (part.kind !== 'document' || part.source.type === 'data' || part.source.type === 'file');

const isFixed = (part: Part): boolean => !isMovable(part);

function media(message: Message, lose: Lose): MediaPart[] {
  if (isOwn(message)) return [];
  const moved = message.parts.filter(isResult).flatMap((result) => result.parts.filter(isMovable));
  for (const part of moved)
    lose(`${part.kind} in a tool result`, 'moved into a user message after the results', 'moved');
  return moved;
}

function mediaMessage(hoisted: readonly Part[], others: readonly JsonObject[], lose: Lose): readonly JsonObject[] {
  const [other] = others;
  const content = writeContent(hoisted, 'parts', lose) as JsonObject[];
  if (content.length === 0) return others;
  if (other === undefined) return [{ role: 'user', content }];
  const rest =
    typeof other.content === 'string' ? [{ type: 'text', text: other.content }] : (other.content as JsonObject[]);
  return [{ ...other, content: [...content, ...rest] }];
}

/** Results become messages of their own, before what else the message holds. */
function writeResults(message: Message, lose: Lose): JsonObject[] {
  const results = message.parts.filter(isResult);
  const alone = results.length === message.parts.length;
  const natives = results.map((result) => writeResult(result, message, lose)).filter((native) => native !== undefined);
  const meta = alone ? writeMeta([message]) : undefined;
  return meta ? natives.map((native, i) => (i === natives.length - 1 ? { ...native, ...meta } : native)) : natives;
}

function writeResult(result: ToolResultPart, message: Message, lose: Lose): JsonObject | undefined {
  if (result.by === 'provider') {
    lose('provider tool result', 'only the provider that created it can read it');
    return undefined;
  }
  if (result.error) lose('is_error', 'tool messages have no such field');
  if (result.cache) lose('cache_control', 'a result has no breakpoint');
  const parts = isOwn(message) || !result.parts.some(isMovable) ? result.parts : result.parts.filter(isFixed);
  const written = writeContent(parts, result.form?.[OPENAI], lose);
  // Nothing of it can be said here; the API takes no empty list.
  const content = Array.isArray(written) && written.length === 0 && parts.length > 0 ? '' : written;
  const kept = own(message.ext, OPENAI);
  if (kept === undefined && message.form?.[OPENAI] === undefined && content !== undefined)
    return { role: 'tool', tool_call_id: result.callId, content };
  const spelled = content === undefined ? {} : { content };
  if (message.form?.[OPENAI] === 'function') return { ...kept, role: 'function', name: result.name ?? '', ...spelled };
  const name = isOwn(message) && result.name !== undefined ? { name: result.name } : {};
  return { ...kept, role: 'tool', tool_call_id: result.callId, ...name, ...spelled };
}

function writeRest(message: Message, lose: Lose): JsonObject[] {
  const parts = message.parts.filter((part) => !isResult(part));
  if (parts.length === 0 && message.parts.length > 0) return [];
  const content = writeContent(parts, message.form?.[OPENAI], lose);
  if (!isOwn(message) && Array.isArray(content) && content.length === 0) return [];
  const role = message.role === 'tool' ? 'user' : message.role;
  const more = { ...(content !== undefined && { content }), ...(message.name !== undefined && { name: message.name }) };
  return [{ ...own(message.ext, OPENAI), role, ...more, ...writeMeta([message]) }];
}
