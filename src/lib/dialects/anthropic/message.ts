// Messages: https://platform.claude.com/docs/en/api/messages

import { readMeta, writeMeta } from '../../conversation/meta.ts';
import type { Lose, Message, Part, Role } from '../../conversation/types.ts';
import { asArray, type JsonObject, ShapeError } from '../../json/values.ts';
import { lookup } from '../codec/fields.ts';
import { own, residual } from '../codec/residual.ts';
import { ANTHROPIC } from './name.ts';
import { formOf, readContent } from './read-blocks.ts';
import type { MessageFields } from './types.ts';
import { writeInner } from './write-blocks.ts';

const ROLES: { readonly [role: string]: Role } = { user: 'user', assistant: 'assistant', system: 'system' };

export function readMessage(native: JsonObject): Message {
  const usual = readUsual(native);
  if (usual) return usual;
  const { role, content, clear_at, output_config, _meta, ...rest } = native as MessageFields & { _meta?: unknown };
  const known = lookup(ROLES, role);
  if (known === undefined) throw new ShapeError('role', 'user, assistant or system', role);
  if (content !== undefined && typeof content !== 'string') asArray(content, 'content');
  const ext = residual(ANTHROPIC, rest, { clear_at, output_config });
  return { role: known, parts: readContent(content), ext, form: formOf(content), ...readMeta(_meta) };
}

/** The same for a message of a role and its content, as most are. */
function readUsual(native: JsonObject): Message | undefined {
  const { role, content } = native;
  if (role !== 'user' && role !== 'assistant') return undefined;
  if (typeof content !== 'string' && !Array.isArray(content)) return undefined;
  for (const key in native) if (key !== 'role' && key !== 'content') return undefined;
  return { role, parts: readContent(content), ext: undefined, form: formOf(content) };
}

/**
 * Tool results stand together, and what the user says next goes with them: both are one turn to the API. So are the pieces in which other dialects
 * write an assistant's turn.
 */
export function joins(group: readonly Message[], { role }: Message): boolean {
  const last = group.at(-1)?.role;
  if (last === 'assistant') return role === 'assistant';
  return last === 'tool' && (role === 'tool' || role === 'user');
}

export function writeMessages(group: readonly Message[], lose: Lose): JsonObject[] {
  const [first] = group;
  if (first === undefined) return [];
  const parts = group.length === 1 ? first.parts : group.flatMap((message) => message.parts);
  const foreign = first.form?.[ANTHROPIC] === undefined;
  const content = writeInner(foreign ? admissible(parts, lose) : parts, first.form?.[ANTHROPIC], lose);
  if (group.some(hasName)) lose('name', 'messages have no name');
  // A message that another format left empty would be refused.
  if (foreign && (content === '' || (Array.isArray(content) && content.length === 0))) return [];
  const role = first.role === 'tool' ? 'user' : first.role === 'developer' ? 'system' : first.role;
  const kept = own(first.ext, ANTHROPIC);
  const meta = writeMeta(group);
  return [kept === undefined && meta === undefined ? { role, content } : { role, content, ...kept, ...meta }];
}

const hasName = ({ name }: Message): boolean => name !== undefined;

/** What another format sends and this API refuses: blank texts, and results after other content. */
function admissible(parts: readonly Part[], lose: Lose): readonly Part[] {
  const [only] = parts;
  if (only && parts.length === 1 && !isBlank(only)) return parts;
  const kept = parts.some(isBlank) ? withoutBlanks(parts, lose) : parts;
  const last = kept.findLastIndex(isResult);
  const other = kept.findIndex(isOther);
  if (last <= 0 || other < 0 || other >= last) return kept;
  return [...kept.filter(isResult), ...kept.filter(isOther)];
}

const isBlank = (part: Part): boolean => part.type === 'text' && part.text.trim() === '';

const isResult = (part: Part): boolean => part.type === 'tool_result' && part.by !== 'provider';

const isOther = (part: Part): boolean => !isResult(part);

function withoutBlanks(parts: readonly Part[], lose: Lose): readonly Part[] {
  for (const part of parts)
    if (isBlank(part) && part.type === 'text' && part.text !== '') lose('text', 'the API rejects a blank text block');
  return parts.filter((part) => !isBlank(part));
}
