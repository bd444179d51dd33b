// A record of a conversation: one item. https://platform.openai.com/docs/api-reference/responses/input-items

import { readMeta } from '../../conversation/meta.ts';
import type { Message, Role } from '../../conversation/types.ts';
import { type JsonObject, ShapeError } from '../../json/values.ts';
import { lookup } from '../codec/fields.ts';
import { residual } from '../codec/residual.ts';
import { RESPONSES } from './name.ts';
import { readContent } from './read-content.ts';
import { readItem } from './read-item.ts';
import type { ItemOf } from './types.ts';

const ROLES: { readonly [role: string]: Role } = {
  user: 'user',
  assistant: 'assistant',
  system: 'system',
  developer: 'developer',
};

export function readMessage(native: JsonObject): Message {
  if (native.type === 'message' || typeof native.role === 'string') {
    if (native.type === undefined || native.type === null || native.type === 'message') return readOwn(native as never);
  }
  const { _meta, ...item } = native;
  const { role, part } = readItem(item);
  return { role, parts: [part], form: ITEM, ...readMeta(_meta) };
}

const ITEM = { [RESPONSES]: 'item' };

function readOwn(native: ItemOf<'message'> & { _meta?: unknown }): Message {
  const { type, role, content, id, status, phase, created_by, _meta, ...rest } = native as Known;
  const known = lookup(ROLES, role);
  if (known === undefined) throw new ShapeError('role', 'user, assistant, system or developer', role);
  const kept = { type: type === undefined ? undefined : type, id, status, phase, created_by };
  return {
    role: known,
    parts: readContent(content),
    form: formOf(content),
    ext: residual(RESPONSES, rest, kept),
    ...readMeta(_meta),
  };
}

type Known = ItemOf<'message'> & { _meta?: unknown; created_by?: string };

const STRING = { [RESPONSES]: 'string' };
const PARTS = { [RESPONSES]: 'parts' };
const NULL = { [RESPONSES]: 'null' };
const ABSENT = { [RESPONSES]: 'absent' };

function formOf(content: unknown): { [format: string]: string } {
  if (typeof content === 'string') return STRING;
  return content === undefined ? ABSENT : content === null ? NULL : PARTS;
}
