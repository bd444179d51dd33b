// The Gemini API's own schemas, a part of OpenAPI 3.0: https://ai.google.dev/api/caching#Schema. Others belong into a JSON Schema.
import { isObject, type Json, type JsonObject, textIn } from '../../json/values.ts';
import { listOf, objectOf, quoted } from '../record-rules.ts';

const KEYWORDS = new Set(
  `type format title description nullable enum maxItems minItems properties required minProperties maxProperties minLength maxLength
  pattern example anyOf propertyOrdering default items minimum maximum`.split(/\s+/),
);
const TEXTS = new Set<unknown>(['enum', 'date-time']);
const TYPES = new Set(['STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT', 'NULL', 'TYPE_UNSPECIFIED']);

const innerOf = (schema: JsonObject): (Json | undefined)[] => [
  ...Object.values(objectOf(schema.properties)),
  schema.items,
  ...listOf(schema.anyOf),
];

/** What the API refuses of a schema, in words; undefined: nothing. The root of a function's is an object. */
export function refusedBy(schema: Json | undefined, isRoot = false): string | undefined {
  if (!isObject(schema)) return undefined;
  const here = wrongIn(schema);
  if (here !== undefined) return here;
  if (isRoot && schema.type !== undefined && textIn(schema.type).toUpperCase() !== 'OBJECT')
    return `the root is of the type ${quoted(schema.type)}`;
  for (const each of innerOf(schema)) {
    const found = refusedBy(each);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * `Unknown name "const" … Cannot find field`, `Proto field is not repeating, cannot start list` (several types), `items: missing field`,
 * `enum[0]: cannot be empty`, `required[0]: property is not defined`.
 */
function wrongIn(schema: JsonObject): string | undefined {
  const { type, format, enum: words, items, required, properties } = schema;
  const strange = Object.keys(schema).find((keyword) => !KEYWORDS.has(keyword));
  if (strange !== undefined) return `${quoted(strange)} is not a keyword of the API`;
  if (type !== undefined && !(typeof type === 'string' && TYPES.has(type.toUpperCase())))
    return `"type" is ${quoted(type)}`;
  const kind = textIn(type).toUpperCase();
  if (format !== undefined && kind === 'STRING' && !TEXTS.has(format)) return `"format" is ${quoted(format)}`;
  if (Array.isArray(words) && words.some((word) => typeof word !== 'string' || word === ''))
    return '"enum" contains more than non-empty strings';
  if (kind === 'ARRAY' && items === undefined) return 'an array has no "items"';
  const extra = Array.isArray(required)
    ? required.find((name) => typeof name !== 'string' || !Object.hasOwn(objectOf(properties), name))
    : undefined;
  return extra === undefined ? undefined : `"required" names ${quoted(extra)}, which is not a property`;
}

/** The API's own schemas spell types in capitals too. */
export function asJsonSchema(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(asJsonSchema);
  if (!isObject(schema)) return schema;
  const entries = Object.entries(schema).map(([key, value]): [string, Json] => [
    key,
    key === 'type' && typeof value === 'string'
      ? value.toLowerCase()
      : key === 'enum' || key === 'required'
        ? (value as Json)
        : asJsonSchema(value as Json),
  ]);
  return Object.fromEntries(entries);
}
