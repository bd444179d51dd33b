// Roles as Chat Completions spells them, for the APIs that have these four.

import type { Role } from '../../conversation/types.ts';
import { ShapeError } from '../../json/values.ts';
import { lookup } from '../codec/fields.ts';

const ROLES: { readonly [role: string]: Role } = {
  system: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
};

/** The `role` of a message. Throws a ShapeError. */
export function readRole(native: unknown): Role {
  const role = lookup(ROLES, native);
  if (role === undefined) throw new ShapeError('role', 'system, user, assistant or tool', native);
  return role;
}
