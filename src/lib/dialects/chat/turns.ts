// Turns as Chat Completions spells them: an assistant's is one message, each result has its own, and what else was said follows.

import { writeMeta } from '../../conversation/meta.ts';
import type { FormatName, Lose, Message, Part, ToolResultPart } from '../../conversation/types.ts';
import type { JsonObject } from '../../json/values.ts';
import { withoutMedia } from '../codec/documents.ts';
import { withOrder } from '../codec/turn-order.ts';

/**
 * An assistant's turn is one message: all its calls must stand in it, and formats that split it write it in pieces. Results stand together,
 * since what they cannot hold follows them.
 */
export function joins(group: readonly Message[], next: Message): boolean {
  return (next.role === 'assistant' || next.role === 'tool') && group.at(-1)?.role === next.role;
}

/** How one API writes the pieces of a turn. */
export interface TurnWriter {
  readonly format: FormatName;
  /** An assistant's message; undefined for one that says nothing. */
  assistant(group: readonly Message[], parts: readonly Part[], lose: Lose): JsonObject | undefined;
  result(result: ToolResultPart, message: Message, lose: Lose): JsonObject;
  /** What else a message says: of the user, or of the system. */
  other(message: Message, parts: readonly Part[], lose: Lose): JsonObject;
  /** What a result of another format shows and this one's cannot: it goes behind the results. */
  readonly moves?: (part: Part) => boolean;
}

export function writeTurn(group: readonly Message[], writer: TurnWriter, lose: Lose): JsonObject[] {
  for (const message of group) if (message.name !== undefined) lose('name', 'messages have no name');
  if (group[0]?.role === 'assistant') return writeAssistant(group, writer, lose);
  const moved = writer.moves ? group.flatMap((message) => movedFrom(message, writer, lose)) : [];
  const results = group.flatMap((message) => writeResults(message, writer, lose));
  const others = group.filter(({ parts }) => parts.length === 0 || !parts.every(isResult));
  const [first, ...rest] = moved.length > 0 && others.length === 0 ? [MOVED] : others;
  if (first === undefined) return results;
  const natives = [writeOther(first, moved, writer, lose), ...rest.map((other) => writeOther(other, [], writer, lose))];
  return [...results, ...natives.filter((native) => native !== undefined)];
}

const MOVED: Message = { role: 'user', parts: [] };

function writeAssistant(group: readonly Message[], writer: TurnWriter, lose: Lose): JsonObject[] {
  const [first] = group;
  const parts = group.length === 1 && first ? first.parts : group.flatMap((message) => message.parts);
  sayLost(parts, lose);
  for (const part of parts) if (isResult(part) && part.by === undefined) lose('tool result', 'an assistant has none');
  const native = writer.assistant(group, parts, lose);
  return native ? [{ ...native, ...writeMeta(withOrder(group, parts, writer.format, lose)) }] : [];
}

/** The provider's own calls and their results mean something to it alone. */
function sayLost(parts: readonly Part[], lose: Lose): void {
  for (const part of parts)
    if (part.type !== 'tool_call' && part.type !== 'tool_result') continue;
    else if (part.by !== 'provider' && part.cache) lose('cache_control', 'calls and results have no breakpoints');
    else if (part.by === 'provider')
      lose(`provider ${part.type.replace('_', ' ')}`, 'only the provider that ran it can read it');
}

export const isResult = (part: Part): part is ToolResultPart => part.type === 'tool_result';

function movedFrom(message: Message, { format, moves }: TurnWriter, lose: Lose): Part[] {
  const foreign = message.parts.filter(isResult).filter((result) => result.form?.[format] === undefined);
  const moved = foreign.flatMap((result) => result.parts.filter((part) => moves?.(part)));
  for (const part of moved)
    if (part.type === 'media') lose(`${part.kind} in a tool result`, 'moved into a user message after the results');
  return moved;
}

/** Results become messages of their own, before what else the message holds. */
function writeResults(message: Message, writer: TurnWriter, lose: Lose): JsonObject[] {
  const results = message.parts.filter(isResult);
  if (results.length === 0) return [];
  sayLost(results, lose);
  const natives = results
    .filter(({ by }) => by === undefined)
    .map((result) => writeResult(result, message, writer, lose));
  const last = natives.pop();
  if (last === undefined) return [];
  return [...natives, results.length === message.parts.length ? { ...last, ...writeMeta([message]) } : last];
}

function writeResult(result: ToolResultPart, message: Message, writer: TurnWriter, lose: Lose): JsonObject {
  if (result.error) lose('is_error', 'tool messages have no such field');
  const { format, moves } = writer;
  const stays = moves === undefined || result.form?.[format] !== undefined;
  const parts = stays ? result.parts : result.parts.filter((part) => !moves(part));
  return writer.result({ ...result, parts }, message, lose);
}

/** undefined for a message of another format of which nothing can be said. */
function writeOther(message: Message, moved: readonly Part[], writer: TurnWriter, lose: Lose): JsonObject | undefined {
  const said = message.parts.filter((part) => !isResult(part) && part.type !== 'tool_call');
  if (message.parts.some((part) => part.type === 'tool_call'))
    lose('tool call', 'only an assistant message may contain calls');
  const role = message.role === 'tool' ? 'user' : message.role === 'developer' ? 'system' : message.role;
  const foreign = message.form?.[writer.format] === undefined;
  const shown = role === 'system' && foreign ? withoutMedia(said, 'a system message contains only text', lose) : said;
  const native = writer.other({ ...message, role }, [...moved, ...shown], lose);
  if (foreign && message.parts.length > 0 && saysNothing(native)) return undefined;
  return { ...native, ...writeMeta([message]) };
}

const saysNothing = ({ content, images }: JsonObject): boolean =>
  images === undefined && (content === undefined || content === '' || (Array.isArray(content) && content.length === 0));
