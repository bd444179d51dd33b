// Contents, from one or more messages of the view.

import { writeMeta } from '../../conversation/meta.ts';
import type { Lose, Message, Part, ToolResultPart } from '../../conversation/types.ts';
import type { JsonObject } from '../../json/values.ts';
import { own } from '../codec/residual.ts';
import { CallIds } from './call-ids.ts';
import { GEMINI } from './name.ts';
import { writePart } from './write-part.ts';

/**
 * A turn of the model is one content, and the results of its calls stand together in the next, in the order of the calls: so calls wait for their
 * results.
 */
export function joins(group: readonly Message[], next: Message): boolean {
  const last = group.at(-1);
  if (last === undefined) return false;
  if (next.role === 'assistant') return last.role === 'assistant';
  return next.parts.some(isResult) && (last.role === 'assistant' || last.parts.some(isResult));
}

const isResult = (part: Part): part is ToolResultPart => part.type === 'tool_result' && part.by !== 'provider';

export function writeMessages(group: readonly Message[], lose: Lose): JsonObject[] {
  const [first] = group;
  if (group.length === 1 && first?.form?.[GEMINI] !== undefined) return [writeOwn(first, lose)];
  const said = group.filter(({ role }) => role === 'assistant');
  const others = group.filter(({ role }) => role !== 'assistant');
  return [...writeContent('model', said, parts(said), lose), ...writeOthers(others, said, lose)];
}

const parts = (group: readonly Message[]): readonly Part[] => group.flatMap((message) => message.parts);

/** As it came: the role by its name, and no parts where there were none. */
export function writeOwn(message: Message, lose: Lose, reply?: string): JsonObject {
  const [role = '', absent] = message.form?.[GEMINI]?.split(' ') ?? [];
  const written = writeParts(message.parts, lose, reply);
  return {
    ...own(message.ext, GEMINI),
    ...(role !== '' && { role }),
    ...(!(absent && written.length === 0) && { parts: written }),
    ...writeMeta([message]),
  };
}

/** `reply` is the id of the reply that the parts belong to, if they do. */
export function writeParts(list: readonly Part[], lose: Lose, reply?: string): JsonObject[] {
  const ids = new CallIds(reply);
  return list.map((part) => writePart(part, ids, lose)).filter((part) => part !== undefined);
}

/** Results first, in the order of their calls, under the names of their calls. */
function writeOthers(group: readonly Message[], said: readonly Message[], lose: Lose): JsonObject[] {
  const calls = new Map<string, { at: number; name: string }>();
  for (const part of parts(said))
    if (part.type === 'tool_call') calls.set(part.id, { at: calls.size, name: part.name });
  const place = ({ callId }: ToolResultPart) => calls.get(callId)?.at ?? calls.size;
  const results = parts(group)
    .filter(isResult)
    .map((result) => ({ ...result, name: result.name ?? calls.get(result.callId)?.name }))
    .sort((a, b) => place(a) - place(b));
  const rest = group.flatMap((message) => restOf(message, lose));
  return writeContent('user', group, [...results, ...rest], lose);
}

/** A system prompt stands in the head; one that comes later is told to the model as what it is. */
function restOf(message: Message, lose: Lose): readonly Part[] {
  const rest = message.parts.filter((part) => !isResult(part));
  if (message.role !== 'system' && message.role !== 'developer') return rest;
  if (rest.some((part) => part.type === 'text'))
    lose(message.role, 'written as a user message: the API accepts a system prompt only in the head');
  return rest.map((part) => (part.type === 'text' ? { ...part, text: `<system>\n${part.text}\n</system>` } : part));
}

/** Nothing for a turn that says nothing: a content without parts is refused. */
function writeContent(
  role: 'user' | 'model',
  group: readonly Message[],
  list: readonly Part[],
  lose: Lose,
): JsonObject[] {
  if (group.some(({ name }) => name !== undefined)) lose('name', 'messages have no name');
  const written = writeParts(list, lose);
  return written.length > 0 ? [{ role, parts: written, ...writeMeta(group) }] : [];
}
