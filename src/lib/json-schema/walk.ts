// Where schemas stand inside schemas. Properties that are named like keywords are properties.
import { isObject, type Json, type JsonObject } from '../json/values.ts';

const ONE = [
  'additionalProperties',
  'additionalItems',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
];
const LIST = ['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems'];
const MAP = ['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties'];

type Kind = 'one' | 'list' | 'map';

function kindOf(keyword: string, value: Json | undefined): Kind | undefined {
  if (Array.isArray(value)) return LIST.includes(keyword) ? 'list' : undefined;
  if (!isObject(value)) return undefined;
  return MAP.includes(keyword) ? 'map' : ONE.includes(keyword) ? 'one' : undefined;
}

/** The node with `change` made to each schema directly inside it. The same node where none changed. */
export function eachInside(node: JsonObject, change: (inside: JsonObject, keyword: string) => Json): JsonObject {
  const apply = (value: Json, keyword: string): Json => (isObject(value) ? change(value, keyword) : value);
  let changed: Map<string, Json> | undefined;
  for (const [keyword, value] of Object.entries(node)) {
    const kind = kindOf(keyword, value);
    if (kind === undefined || value === undefined) continue;
    const now = inside(kind, value, (item) => apply(item, keyword));
    if (now !== value) changed = (changed ?? new Map<string, Json>()).set(keyword, now);
  }
  return changed ? { ...node, ...Object.fromEntries(changed) } : node;
}

function inside(kind: Kind, value: Json, apply: (item: Json) => Json): Json {
  if (kind === 'one') return apply(value);
  if (Array.isArray(value)) {
    const items = value.map(apply);
    return items.every((item, i) => item === value[i]) ? value : items;
  }
  const entries = Object.entries(value as JsonObject).map(([key, item]) => [key, apply(item ?? null)] as const);
  const same = entries.every(([key, item]) => item === (value as JsonObject)[key]);
  return same ? value : Object.fromEntries(entries);
}

/** The node without some keywords, and what they said. */
export function without(node: JsonObject, keywords: readonly string[]): [rest: JsonObject, taken: JsonObject] {
  const found = keywords.filter((keyword) => Object.hasOwn(node, keyword) && node[keyword] !== undefined);
  if (found.length === 0) return [node, {}];
  const entries = Object.entries(node);
  return [
    Object.fromEntries(entries.filter(([keyword]) => !found.includes(keyword))),
    Object.fromEntries(entries.filter(([keyword]) => found.includes(keyword))),
  ];
}
