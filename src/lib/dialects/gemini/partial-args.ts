// Arguments that come in pieces, each with the path of the value that it belongs to. https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling#streaming-fc
import { isObject, type Json } from '../../json/values.ts';

type Key = string | number;

/** A value that grows: the pieces of a text, a value that came whole, or an object or a list of such. */
type Node = { pieces: string[] } | { value: Json } | { list: boolean; fields: Map<Key, Node> };

export class PartialArgs {
  #root: Node = { list: false, fields: new Map() };

  push(partial: unknown): void {
    if (!isObject(partial) || typeof partial.jsonPath !== 'string') return;
    const path = keysOf(partial.jsonPath);
    const { stringValue, numberValue, boolValue, nullValue } = partial;
    if (typeof stringValue === 'string') this.#append(path, stringValue);
    else if (numberValue !== undefined) this.#set(path, numberValue);
    else if (boolValue !== undefined) this.#set(path, boolValue);
    else if (nullValue !== undefined) this.#set(path, null);
  }

  get whole(): Json {
    return jsonOf(this.#root);
  }

  #append(path: readonly Key[], piece: string): void {
    const [parent, key] = this.#parent(path);
    const before = parent.fields.get(key);
    if (before && 'pieces' in before) before.pieces.push(piece);
    else parent.fields.set(key, { pieces: [piece] });
  }

  #set(path: readonly Key[], value: Json): void {
    const [parent, key] = this.#parent(path);
    parent.fields.set(key, { value });
  }

  /** The object or list that holds the last key of the path; those on the way are made. */
  #parent(path: readonly Key[]): [{ list: boolean; fields: Map<Key, Node> }, Key] {
    let node = this.#root as { list: boolean; fields: Map<Key, Node> };
    for (const [i, key] of path.slice(0, -1).entries()) {
      const next = node.fields.get(key);
      if (next && 'fields' in next) node = next;
      else {
        const made = { list: typeof path[i + 1] === 'number', fields: new Map<Key, Node>() };
        node.fields.set(key, made);
        node = made;
      }
    }
    return [node, path.at(-1) ?? ''];
  }
}

/** `$.a.b[0]['c']`: fields after a dot or quoted in brackets, and places in lists. */
function keysOf(path: string): Key[] {
  const keys: Key[] = [];
  for (const [, field, index, quoted] of path.matchAll(/\.([^.[\]]+)|\[(\d{1,9})\]|\[(?:'([^']*)'|"[^"]*")\]/g))
    keys.push(index !== undefined ? Number(index) : (field ?? quoted ?? ''));
  return keys;
}

/** Places of a list are filled in their order, whatever their numbers: a number too high must not make a list too long. */
function jsonOf(node: Node): Json {
  if ('value' in node) return node.value;
  if ('pieces' in node) return node.pieces.join('');
  const entries = [...node.fields].map(([key, inner]): [Key, Json] => [key, jsonOf(inner)]);
  if (node.list) return entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, value]) => value);
  return Object.fromEntries(entries);
}
