// The root of a tool's schema: an object without alternatives. `schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not'
// at the top level` (OpenAI); `input_schema does not support oneOf, allOf, or anyOf at the top level` (Anthropic).
import { isObject, type Json, type JsonObject } from '../json/values.ts';
import { withNote } from './notes.ts';
import { find } from './refs.ts';
import type { Told } from './targets.ts';
import { without } from './walk.ts';

const ALTERNATIVES = ['anyOf', 'oneOf', 'allOf'] as const;

/** The same root with `type: object`, and with its alternatives as one object that takes all their properties. */
export function objectRoot(schema: JsonObject, name: string, tell: Told): JsonObject {
  const direct = referred(schema);
  const typed = direct.type === undefined ? { type: 'object', ...direct } : direct;
  if (direct.type === undefined) tell('type', `${name} requires an object at the root`, 'added');
  const [rest, taken] = without(typed, [...ALTERNATIVES, 'not']);
  if (Object.keys(taken).length === 0) return typed;
  for (const keyword of Object.keys(taken))
    tell(keyword, `${name} refuses it at the root: its properties are merged, the rest is in the description`, 'moved');
  const branches = ALTERNATIVES.flatMap((keyword) => (Array.isArray(taken[keyword]) ? (taken[keyword] as Json[]) : []));
  const objects = branches.filter(isObject).map((branch) => resolve(schema, branch));
  const properties = objects.flatMap((branch) => (isObject(branch.properties) ? [branch.properties] : []));
  const all = Array.isArray(taken.allOf) ? objects.flatMap(requiredOf) : [];
  const required = [...new Set([...requiredOf(rest), ...all])];
  const merged = {
    ...Object.assign({}, ...properties.map(plain)),
    ...(isObject(rest.properties) ? rest.properties : {}),
  };
  const whole = { ...rest, properties: merged, ...(required.length > 0 && { required }) };
  return withNote(whole, taken);
}

const plain = (properties: JsonObject): JsonObject => Object.fromEntries(Object.entries(properties));

const requiredOf = (schema: JsonObject): string[] =>
  Array.isArray(schema.required) ? schema.required.map(String) : [];

/** A root that is only a reference is what it refers to, with the definitions beside it. */
function referred(schema: JsonObject): JsonObject {
  const target = typeof schema.$ref === 'string' ? find(schema, schema.$ref) : undefined;
  if (target === undefined || target === schema) return schema;
  const { $ref: _, ...rest } = schema;
  return { ...target, ...rest };
}

const resolve = (root: JsonObject, branch: JsonObject): JsonObject =>
  typeof branch.$ref === 'string' ? (find(root, branch.$ref) ?? branch) : branch;
