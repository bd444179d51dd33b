// The subset of OpenAPI 3.0 that Gemini's `parameters` takes: https://ai.google.dev/api/caching#Schema
import { isObject, type Json, type JsonObject } from '../json/values.ts';
import { withNote } from './notes.ts';
import type { Told } from './targets.ts';

/** One type, `nullable` in place of null, enums of strings, tuples as lists of any of their items. */
export function forOpenApi(node: JsonObject, tell: Told): JsonObject {
  return [types, enums, tuples, cases].reduce((now, step) => step(now, tell), node);
}

/** `nullable` as JSON Schema says it. */
export function fromOpenApi(node: JsonObject): JsonObject {
  const { nullable, ...rest } = node;
  if (typeof nullable !== 'boolean') return node;
  if (!nullable || typeof rest.type !== 'string') return rest;
  return { ...rest, type: [rest.type, 'null'] };
}

function types(node: JsonObject): JsonObject {
  if (!Array.isArray(node.type)) return node;
  const { type, ...rest } = node;
  const named = (type as Json[]).filter((one) => one !== 'null');
  const nullable = named.length < (type as Json[]).length ? { nullable: true } : {};
  if (named.length <= 1) return { ...rest, type: named[0] ?? 'string', ...nullable };
  return { ...rest, anyOf: named.map((one) => ({ type: one })), ...nullable };
}

function enums(node: JsonObject, tell: Told): JsonObject {
  if (!Array.isArray(node.enum)) return node;
  const values = node.enum.filter((value) => value !== null);
  const nullable = values.length < node.enum.length ? { nullable: true } : {};
  if (values.every((value) => typeof value === 'string')) return { ...node, ...nullable, enum: values };
  tell('enum', "Gemini's OpenAPI schemas take only strings in it: moved into the description", 'moved');
  const { enum: all, ...rest } = node;
  return { ...withNote(rest, { enum: all }), ...nullable };
}

function tuples(node: JsonObject, tell: Told): JsonObject {
  const { prefixItems, ...rest } = node;
  if (!Array.isArray(prefixItems)) return node;
  tell('prefixItems', "Gemini's OpenAPI schemas take one kind of item: any of them may stand anywhere", 'changed');
  const more = isObject(rest.items) ? [rest.items] : [];
  return { ...rest, items: { anyOf: [...prefixItems, ...more] }, minItems: rest.minItems ?? prefixItems.length };
}

/** null among alternatives is `nullable`, and a type beside them is refused. */
function cases(node: JsonObject): JsonObject {
  if (!Array.isArray(node.anyOf)) return node;
  const { anyOf, type: _, ...rest } = node;
  const kept = (anyOf as Json[]).filter((one) => !isObject(one) || one.type !== 'null');
  const nullable = kept.length < (anyOf as Json[]).length ? { nullable: true } : {};
  const [only] = kept;
  if (kept.length === 1 && isObject(only)) return { ...only, ...rest, ...nullable };
  return { ...rest, anyOf: kept, ...nullable };
}
