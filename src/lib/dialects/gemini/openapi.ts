// The API's older schemas, a subset of OpenAPI 3.0, as JSON Schema. https://ai.google.dev/api/caching#Schema

import { isObject, type Json, type JsonObject } from '../../json/values.ts';
import { lookup } from '../codec/fields.ts';

const TYPES: { readonly [type: string]: string | undefined } = {
  STRING: 'string',
  NUMBER: 'number',
  INTEGER: 'integer',
  BOOLEAN: 'boolean',
  ARRAY: 'array',
  OBJECT: 'object',
  NULL: 'null',
};

/** Numbers that the API sends and takes as text, since they have 64 bits. */
const NUMBERS = new Set(['minItems', 'maxItems', 'minLength', 'maxLength', 'minProperties', 'maxProperties']);
const LISTS = new Set(['anyOf', 'prefixItems']);
const MAPS = new Set(['properties', 'defs', '$defs']);

/** The same schema in the words of JSON Schema. What is spelled so already stays as it is. */
export function toJsonSchema(schema: Json): Json {
  if (!isObject(schema)) return schema;
  const { type, nullable, example, propertyOrdering: _, ...rest } = schema;
  const entries = Object.entries(rest).map(([key, value]): [string, Json] => [key, convert(key, value as Json)]);
  const name = typeof type === 'string' ? (lookup(TYPES, type) ?? type) : type;
  const known = name === 'TYPE_UNSPECIFIED' ? undefined : name;
  const types = nullable === true && typeof known === 'string' ? [known, 'null'] : known;
  return {
    ...(types !== undefined && { type: types }),
    ...Object.fromEntries(entries),
    ...(example !== undefined && { examples: [example] }),
  };
}

function convert(key: string, value: Json): Json {
  if (key === 'items' || (key === 'additionalProperties' && isObject(value))) return toJsonSchema(value);
  if (LISTS.has(key) && Array.isArray(value)) return value.map(toJsonSchema);
  if (MAPS.has(key) && isObject(value)) return convertEach(value);
  return NUMBERS.has(key) && typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
}

function convertEach(schemas: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, toJsonSchema(schema as Json)]));
}
