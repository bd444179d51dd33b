// References written out. A schema that refers to itself, or that would grow beyond bounds, keeps the reference as a note.
import { isObject, type Json, type JsonObject } from '../json/values.ts';
import { withNote } from './notes.ts';
import { eachInside } from './walk.ts';

/** Schemas grow exponentially where definitions use each other twice: the API would not take more. */
const MOST_NODES = 5000;

/** The schema without `$ref` and definitions. `said` is told of each reference that could not be written out. */
export function withoutRefs(root: JsonObject, said: (ref: string) => void): JsonObject {
  let nodes = 0;
  const open = new Set<string>();
  const inline = (node: JsonObject): JsonObject => {
    nodes += 1;
    const { $ref, ...siblings } = node;
    if (typeof $ref !== 'string') return eachInside(node, inline);
    const target = find(root, $ref);
    if (target === undefined || open.has($ref) || nodes > MOST_NODES) {
      said($ref);
      return withNote({ type: 'object', ...siblings }, { $ref });
    }
    open.add($ref);
    const written = inline({ ...target, ...siblings });
    open.delete($ref);
    return written;
  };
  const { $defs: _d, definitions: _o, ...rest } = inline(root);
  return rest;
}

/** What a pointer into the same document means: `#/$defs/Node`. */
export function find(root: JsonObject, ref: string): JsonObject | undefined {
  if (ref !== '#' && !ref.startsWith('#/')) return undefined;
  let node: Json | undefined = root;
  for (const part of ref.split('/').slice(1)) {
    const key = decode(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(node)) node = node[Number(key)];
    else if (isObject(node) && Object.hasOwn(node, key)) node = node[key];
    else return undefined;
  }
  return isObject(node) ? node : undefined;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
