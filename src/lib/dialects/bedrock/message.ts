// Messages: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Message.html

import { readMeta, writeMeta } from '../../conversation/meta.ts';
import type { Lose, Message, Part, Role } from '../../conversation/types.ts';
import { asArray, type JsonObject, ShapeError } from '../../json/values.ts';
import { withoutMedia } from '../codec/documents.ts';
import { lookup } from '../codec/fields.ts';
import { own, residual } from '../codec/residual.ts';
import { DocumentNames } from './document-names.ts';
import { BEDROCK } from './name.ts';
import { readContent } from './read-blocks.ts';
import type { MessageFields } from './types.ts';
import { isDocument, writeBlocks } from './write-blocks.ts';

const ROLES: { readonly [role: string]: Role } = { user: 'user', assistant: 'assistant', system: 'system' };

export function readMessage(native: JsonObject): Message {
  const { role: spoken, content, _meta, ...rest } = native as MessageFields;
  const role = lookup(ROLES, spoken);
  if (role === undefined) throw new ShapeError('role', 'user, assistant or system', spoken);
  const blocks = asArray<JsonObject>(content, 'content');
  const filled = isFilled(blocks);
  const parts = readContent(filled ? blocks.slice(0, -1) : blocks);
  return { role, parts, ext: residual(BEDROCK, rest), form: filled ? FILLED : BLOCKS, ...readMeta(_meta) };
}

const BLOCKS = { [BEDROCK]: 'blocks' };
const FILLED = { [BEDROCK]: 'filled' };

/** The API demands a text beside a document: this one, where there is none. */
const FILLER = 'See the document.';

/** Whether the only text of a message is the one that `writeMessages` puts beside a document. */
function isFilled(blocks: readonly JsonObject[]): boolean {
  const last = blocks.at(-1);
  if (last?.text !== FILLER || Object.keys(last).length > 1) return false;
  return blocks.slice(0, -1).every((block) => block?.text === undefined) && blocks.some(isDocument);
}

/** Tool results stand together, and what the user says next goes with them: both are one turn to the API. So is all that the assistant says. */
export function joins(group: readonly Message[], next: Message): boolean {
  const last = group.at(-1)?.role;
  if (last === 'assistant') return next.role === 'assistant';
  return last === 'tool' && (next.role === 'tool' || next.role === 'user');
}

export function writeMessages(group: readonly Message[], lose: Lose): JsonObject[] {
  const [first] = group;
  if (first === undefined) return [];
  for (const message of group) if (message.name !== undefined) lose('name', 'messages have no name');
  const parts = group.length === 1 ? first.parts : group.flatMap((message) => message.parts);
  const form = first.form?.[BEDROCK];
  const admitted = form === undefined ? admissible(shownBy(first.role, parts, lose)) : parts;
  const content = writeBlocks(admitted, new DocumentNames(), lose);
  if (form === undefined && content.length === 0) {
    lose('message', 'the API rejects a message without content');
    return [];
  }
  const bare = content.some(isDocument) && !content.some((block) => block.text !== undefined);
  if (bare && form !== 'blocks') content.push({ text: FILLER });
  const role = first.role === 'tool' ? 'user' : first.role === 'developer' ? 'system' : first.role;
  return [{ ...own(first.ext, BEDROCK), role, content, ...writeMeta(group) }];
}

/** Only a user shows files. */
function shownBy(role: Role, parts: readonly Part[], lose: Lose): readonly Part[] {
  return role === 'user' || role === 'tool' ? parts : withoutMedia(parts, 'only user messages may contain files', lose);
}

/** What another format sends and this API refuses: empty texts, and results after other content. */
function admissible(parts: readonly Part[]): readonly Part[] {
  const kept = withoutEmpty(parts);
  const last = kept.findLastIndex(isResult);
  if (last <= 0 || kept.slice(0, last).every(isResult)) return kept;
  return [...kept.filter(isResult), ...kept.filter((part) => !isResult(part))];
}

/** Empty texts are refused. */
export function withoutEmpty(parts: readonly Part[]): readonly Part[] {
  return parts.filter((part) => part.type !== 'text' || part.text !== '');
}

const isResult = (part: Part): boolean => part.type === 'tool_result' && part.by !== 'provider';
