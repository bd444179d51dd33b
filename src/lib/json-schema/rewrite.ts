// A schema as an API takes it. Nothing disappears without a word: constraints go into descriptions, and what was done is told.
import { equal, isObject, type Json, type JsonObject } from '../json/values.ts';
import { isOptional, withNote, withoutNote } from './notes.ts';
import { forOpenApi, fromOpenApi } from './openapi.ts';
import { withoutRefs } from './refs.ts';
import { objectRoot } from './root.ts';
import { type Keywords, type SchemaTarget, TARGETS, type Told } from './targets.ts';
import { eachInside, without } from './walk.ts';

/** The schema for one API. The same object where nothing is refused. A schema that is no object (`true`, say) stays. */
export function schemaFor(target: SchemaTarget, schema: Json, tell: Told): Json {
  if (!isObject(schema)) return schema;
  const keywords = TARGETS[target];
  const plain = keywords.inline ? inlined(schema, keywords, tell) : schema;
  const root = keywords.objectRoot ? objectRoot(plain, keywords.name, tell) : plain;
  return rewrite(root, keywords, tell);
}

/** The schema as it was before it was written for an API: notes are keywords again. */
export function restored(schema: Json): Json {
  if (!isObject(schema)) return schema;
  const optional = isObject(schema.properties)
    ? Object.entries(schema.properties).filter(([, node]) => isOptional(node))
    : [];
  const inside = eachInside(schema, (node) => restored(node) as JsonObject);
  const required = Array.isArray(inside.required) ? inside.required : [];
  const names = optional.map(([name]) => name);
  const properties = isObject(inside.properties) ? inside.properties : {};
  const own = fromOpenApi(withoutItems(withoutNote(inside)));
  if (names.length === 0) return own;
  const rest = required.filter((name) => !names.includes(String(name)));
  const { required: _, ...others } = own;
  const freed = names.map((name) => [name, withoutNull(properties[name] ?? {})]);
  return {
    ...others,
    properties: { ...properties, ...Object.fromEntries(freed) },
    ...(rest.length > 0 && { required: rest }),
  };
}

/** What stood for `prefixItems`. */
function withoutItems(schema: JsonObject): JsonObject {
  const { items, ...rest } = schema;
  const given = Array.isArray(rest.prefixItems) && equal(items ?? null, { anyOf: rest.prefixItems });
  return given ? rest : schema;
}

function inlined(schema: JsonObject, { name }: Keywords, tell: Told): JsonObject {
  if (!JSON.stringify(schema).includes('"$ref"')) return without(schema, ['$defs', 'definitions'])[0];
  tell('$ref', `${name} takes no references: written out`, 'changed');
  return withoutRefs(schema, (ref) => tell('$ref', `${ref} refers to itself: kept in the description`, 'moved'));
}

function rewrite(schema: JsonObject, keywords: Keywords, tell: Told): JsonObject {
  const inside = eachInside(schema, (node) => rewrite(node, keywords, tell));
  const steps = [alternatives, merged, lonely, constants, formats, removed, noted, closed, required];
  const done = steps.reduce((node, step) => step(node, keywords, tell), inside);
  return keywords.openapi ? forOpenApi(done, tell) : done;
}

type Step = (node: JsonObject, keywords: Keywords, tell: Told) => JsonObject;

const alternatives: Step = (node, { anyOf, name }, tell) => {
  if (!anyOf || !Array.isArray(node.oneOf)) return node;
  tell('oneOf', `${name} takes only anyOf`, 'changed');
  const { oneOf, ...rest } = node;
  return { ...rest, anyOf: Array.isArray(node.anyOf) ? node.anyOf : oneOf };
};

/** `allOf` is one schema with all that its branches say, where no two say different things. */
const merged: Step = (node, { noted: refused, name }, tell) => {
  const { allOf, ...rest } = node;
  if (!refused.includes('allOf') || !Array.isArray(allOf) || !allOf.every(isObject)) return node;
  const whole = [...allOf, rest].reduce<JsonObject | undefined>(together, {});
  if (whole === undefined) return node;
  tell('allOf', `${name} refuses it: its branches are merged`, 'changed');
  return whole;
};

/** Two schemas as one; undefined where they contradict each other. The second one's words about it stand. */
function together(a: JsonObject | undefined, b: JsonObject): JsonObject | undefined {
  if (a === undefined) return undefined;
  const joined = new Map(Object.entries(a));
  for (const [keyword, value] of Object.entries(b)) {
    const before = joined.get(keyword);
    if (before === undefined || keyword === 'description' || keyword === 'title' || equal(before, value))
      joined.set(keyword, value);
    else if (keyword === 'required' && Array.isArray(before) && Array.isArray(value))
      joined.set(keyword, [...new Set([...before, ...value])]);
    else if (keyword === 'properties' && isObject(before) && isObject(value) && !sharesKey(before, value))
      joined.set(keyword, { ...before, ...value });
    else return undefined;
  }
  return Object.fromEntries(joined);
}

const sharesKey = (a: JsonObject, b: JsonObject): boolean => Object.keys(a).some((key) => Object.hasOwn(b, key));

/** A reference with anything beside it becomes the only alternative of an `anyOf`. */
const lonely: Step = (node, { lonelyRefs }) => {
  if (!lonelyRefs || typeof node.$ref !== 'string' || Object.keys(node).length === 1) return node;
  const { $ref, ...rest } = node;
  return { ...rest, anyOf: [{ $ref }] };
};

const constants: Step = (node, { enums, name }, tell) => {
  if (!enums || !Object.hasOwn(node, 'const')) return node;
  tell('const', `${name} takes an enum of one in its place`, 'changed');
  const { const: value, ...rest } = node;
  return { ...(rest.type === undefined && { type: typeOf(value) }), ...rest, enum: [value ?? null] };
};

function typeOf(value: Json | undefined): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return Array.isArray(value) ? 'array' : typeof value;
}

const formats: Step = (node, { formats: taken, name }, tell) => {
  const { format, ...rest } = node;
  const refused = typeof format === 'string' && taken !== undefined && !taken.includes(format);
  const numeric = node.type === 'integer' || node.type === 'number';
  if (!refused || (numeric && taken.length === 0)) return node;
  tell('format', `${name} refuses "${format}": moved into the description`, 'moved');
  return withNote(rest, { format });
};

const removed: Step = (node, { removed: refused, name }, tell) => {
  const [rest, taken] = without(node, refused);
  for (const keyword of Object.keys(taken)) tell(keyword, `${name} refuses it`, 'lost');
  return rest;
};

const noted: Step = (node, { noted: refused, name }, tell) => {
  const [rest, taken] = without(node, refusedIn(node, refused));
  for (const keyword of Object.keys(taken)) tell(keyword, `${name} refuses it: moved into the description`, 'moved');
  const { prefixItems } = taken;
  // An array has to say what it holds.
  const mute = Array.isArray(prefixItems) && rest.items === undefined;
  return withNote(mute ? { ...rest, items: { anyOf: prefixItems } } : rest, taken);
};

/** Strict modes take a `minItems` of 0 or 1, and OpenAI's a pattern that does not look around. */
function refusedIn(node: JsonObject, refused: readonly string[]): readonly string[] {
  const [strict, own] = [refused.includes('prefixItems'), [...refused]];
  if (strict && refused.includes('maxItems') && typeof node.minItems === 'number' && node.minItems > 1)
    own.push('minItems');
  if (strict && typeof node.pattern === 'string' && /\(\?<?[=!]/.test(node.pattern)) own.push('pattern');
  return own;
}

const isObjectType = ({ type, properties }: JsonObject): boolean =>
  type === 'object' || (Array.isArray(type) && type.includes('object')) || (type === undefined && isObject(properties));

const closed: Step = (node, keywords, tell) => {
  if (!keywords.closed || !isObjectType(node) || node.additionalProperties === false) return node;
  const { additionalProperties, ...rest } = node;
  const more = additionalProperties === undefined ? {} : { additionalProperties };
  tell('additionalProperties', `${keywords.name} takes only false`, Object.keys(more).length > 0 ? 'moved' : 'added');
  return { ...withNote(rest, more), additionalProperties: false };
};

const required: Step = (node, keywords, tell) => {
  if (!keywords.required || !isObjectType(node)) return node;
  const properties = isObject(node.properties) ? node.properties : {};
  const named = Array.isArray(node.required) ? node.required.map(String) : [];
  const optional = Object.keys(properties).filter((name) => !named.includes(name));
  if (optional.length === 0)
    return isObject(node.properties) && named.length > 0 ? node : { ...node, properties, required: named };
  tell('required', `${keywords.name} requires every property: optional properties may be null`, 'changed');
  const opened = optional.map((name) => [name, orNull(properties[name] ?? {})]);
  return { ...node, properties: { ...properties, ...Object.fromEntries(opened) }, required: Object.keys(properties) };
};

/** A schema that takes null too, marked so that the way back is known. */
function orNull(schema: Json): Json {
  if (!isObject(schema)) return schema;
  const marked = withNote(schema, { optional: true });
  const { type } = schema;
  if (type === 'null' || (Array.isArray(type) && type.includes('null'))) return marked;
  if (Array.isArray(schema.enum))
    return { ...marked, ...(type && { type: [type, 'null'].flat() }), enum: [...schema.enum, null] };
  if (type !== undefined) return { ...marked, type: [type, 'null'].flat() };
  if (Array.isArray(schema.anyOf)) return { ...marked, anyOf: [...schema.anyOf, { type: 'null' }] };
  const { description, ...rest } = marked;
  return { ...(description !== undefined && { description }), anyOf: [rest, { type: 'null' }] };
}

function withoutNull(schema: Json): Json {
  if (!isObject(schema)) return schema;
  const types = Array.isArray(schema.type) ? schema.type.filter((type) => type !== 'null') : undefined;
  const values = Array.isArray(schema.enum) ? schema.enum.filter((value) => value !== null) : undefined;
  const cases = Array.isArray(schema.anyOf)
    ? schema.anyOf.filter((node) => !isObject(node) || node.type !== 'null')
    : undefined;
  const [only] = cases ?? [];
  const { anyOf: _, ...rest } = schema;
  if (cases?.length === 1 && isObject(only)) return { ...only, ...rest };
  return {
    ...schema,
    ...(types && { type: types.length === 1 ? types[0] : types }),
    ...(values && { enum: values }),
    ...(cases && { anyOf: cases }),
  };
}
