// Contents: https://ai.google.dev/api/caching#Content

import { readMeta } from '../../conversation/meta.ts';
import type { Message, Part, Role } from '../../conversation/types.ts';
import { asArray, type JsonObject, ShapeError } from '../../json/values.ts';
import { lookup } from '../codec/fields.ts';
import { residual } from '../codec/residual.ts';
import { CallIds } from './call-ids.ts';
import { GEMINI } from './name.ts';
import { readPart } from './read-part.ts';
import type { ContentFields } from './types.ts';

const ROLES: { readonly [role: string]: Role } = { user: 'user', model: 'assistant', function: 'tool', '': 'user' };

/** A content without a role is the user's, unless it makes a call. */
export function readMessage(native: JsonObject): Message {
  const { role, parts, _meta, ...rest } = native as ContentFields;
  const known = lookup(ROLES, role ?? '');
  if (known === undefined) throw new ShapeError('role', 'user, model or function', role);
  const read = readParts(parts);
  return {
    role: role === undefined && read.some((part) => part.type === 'tool_call') ? 'assistant' : known,
    parts: read,
    form: { [GEMINI]: [role ?? '', ...(parts === undefined ? ['absent'] : [])].join(' ') },
    ext: residual(GEMINI, rest),
    ...readMeta(_meta),
  };
}

export function readParts(parts: unknown): Part[] {
  if (parts === undefined) return [];
  const ids = new CallIds();
  return asArray(parts, 'parts').map((part, index) => readPart(part, ids, index));
}
