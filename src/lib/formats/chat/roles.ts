// Roles as Chat Completions spells them, for the APIs that have these four.
import { ShapeError } from '../../ir/json.ts';
import type { Role } from '../../ir/types.ts';
import { lookup } from '../fields.ts';

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
