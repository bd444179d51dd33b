// JSON Schemas that are none, and what single APIs refuse of any: `tools.0.custom.input_schema: JSON schema is invalid. It must match JSON Schema
// draft 2020-12`, `Invalid schema for function 'f': 'str' is not valid under any of the given schemas`, `array schema missing items`.

import {
  listOf,
  type NamedSchema,
  objectOf,
  quoted,
  type RecordConstraints,
  type RecordRule,
  type Records,
} from '../../dialects/record-rules.ts';
import { isObject, type Json, type JsonObject } from '../../json/values.ts';

const TYPES = new Set<unknown>(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']);

/** Schemas within a schema, each with its place. */
const PLACES = ['items', 'not', 'additionalProperties', 'contains', 'if', 'then', 'else'];
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const TABLES = ['properties', '$defs', 'definitions', 'patternProperties'];

function innerOf(schema: JsonObject): [place: string, inner: Json][] {
  return [
    ...PLACES.flatMap((key): [string, Json][] => (isObject(schema[key]) ? [[key, schema[key]]] : [])),
    ...LISTS.flatMap((key) =>
      Array.isArray(schema[key]) ? schema[key].map((inner): [string, Json] => [key, inner]) : [],
    ),
    ...TABLES.flatMap((key) =>
      Object.entries(objectOf(schema[key])).map(([name, inner]): [string, Json] => [`${key}.${name}`, inner ?? null]),
    ),
  ];
}

/** What is wrong with one level of a schema, in words. */
type Look = (schema: JsonObject) => string | undefined;

const areTexts = (value: Json | undefined): boolean =>
  value === undefined || (Array.isArray(value) && value.every((each) => typeof each === 'string'));

const wellFormed: Look = ({ type, properties, required, enum: words }) => {
  const types = Array.isArray(type) ? type : [type];
  const strange = types.find((each) => each !== undefined && !TYPES.has(each));
  if (strange !== undefined) return `"type" is ${quoted(strange)}`;
  if (properties !== undefined && !isObject(properties)) return '"properties" is not an object';
  if (!areTexts(required)) return '"required" is not a list of names';
  if (words !== undefined && (!Array.isArray(words) || words.length === 0)) return '"enum" is not a list of values';
  return undefined;
};

/** https://github.com/openai/openai-python: `array schema missing items` holds in and out of strict mode. */
const withItems: Look = ({ type, items, prefixItems }) =>
  (type === 'array' || (Array.isArray(type) && type.includes('array'))) &&
  items === undefined &&
  prefixItems === undefined
    ? 'an array has no "items"'
    : undefined;

/** Strict mode: `schema must have a 'type' key`, `Extra required key 'b' supplied`, `$ref cannot have keywords`, `'default' is not permitted`. */
const strictly: Look = (schema) => {
  const { type, properties, required, $ref } = schema;
  if (type === undefined && $ref === undefined && !['anyOf', 'enum', 'const'].some((key) => key in schema))
    return 'a schema has no "type"';
  const extra = Array.isArray(required)
    ? required.find((name) => typeof name !== 'string' || !Object.hasOwn(objectOf(properties), name))
    : undefined;
  if (extra !== undefined) return `"required" names ${quoted(extra)}, which is not a property`;
  if ($ref !== undefined && Object.keys(schema).some((key) => !['$ref', '$defs', 'definitions'].includes(key)))
    return 'there are other keywords beside "$ref"';
  return undefined;
};

interface Limits {
  readonly depth: number;
  readonly properties: number;
}

/** https://platform.openai.com/docs/guides/structured-outputs#objects-have-limitations-on-nesting-depth-and-size */
const OPENAI: Limits = { depth: 10, properties: 5000 };

function firstIn(schema: Json, look: Look): string | undefined {
  if (!isObject(schema)) return undefined;
  const here = look(schema);
  if (here !== undefined) return here;
  for (const [, inner] of innerOf(schema)) {
    const found = firstIn(inner, look);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Levels of objects, and all their properties. */
function sizeOf(schema: Json): Limits {
  if (!isObject(schema)) return { depth: 0, properties: 0 };
  const inner = innerOf(schema).map(([, each]) => sizeOf(each));
  const own = Object.keys(objectOf(schema.properties)).length;
  const deepest = inner.reduce((most, { depth }) => Math.max(most, depth), 0);
  return {
    depth: deepest + (schema.properties === undefined ? 0 : 1),
    properties: inner.reduce((sum, { properties }) => sum + properties, own),
  };
}

function tooLarge(schema: Json, { depth, properties }: Limits): string | undefined {
  const size = sizeOf(schema);
  if (size.depth > depth) return `there are ${size.depth} levels of objects, but at most ${depth} are allowed`;
  if (size.properties > properties)
    return `there are ${size.properties} properties, but at most ${properties} are allowed`;
  return undefined;
}

/** `Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'`, at the root alone: https://github.com/decocms/studio/pull/6874 */
const KEY = /^[a-zA-Z0-9_.-]{1,64}$/;
const badKey = (schema: Json): string | undefined => {
  const key = Object.keys(objectOf(objectOf(schema).properties)).find((name) => !KEY.test(name));
  return key === undefined
    ? undefined
    : `the property ${quoted(key)} has other characters than letters, digits, "_", "." and "-", or more than 64`;
};

function wrongIn(
  { schema, strict, isTool }: NamedSchema,
  api: RecordConstraints,
  records: Records,
): string | undefined {
  const own = api.strictSchemas && isOwn(api, records);
  if (!isObject(schema)) return 'it is not an object';
  const { type = 'object' } = schema;
  // Others look at the roots of the others.
  const rooted = !api.rootsRefused || !isTool || type === 'object';
  if (!rooted) return `"type" is ${quoted(type)} at its root`;
  return (
    firstIn(schema, wellFormed) ??
    (own ? firstIn(schema, withItems) : undefined) ??
    (own && strict ? (firstIn(schema, strictly) ?? tooLarge(schema, OPENAI)) : undefined) ??
    (isTool && api.namesProperties?.(records) ? badKey(schema) : undefined)
  );
}

const isOwn = (api: RecordConstraints, records: Records): boolean => api.isOwn?.(records) ?? true;

const schemaRule = (api: RecordConstraints): RecordRule => ({
  name: 'schema',
  check: (records) =>
    api.schemas(records.head ?? {}).flatMap((named) => {
      const wrong = wrongIn(named, api, records);
      return wrong === undefined
        ? []
        : [
            {
              rule: 'schema',
              what: `the schema of ${named.of}: ${wrong}`,
              mend: 'write it in the form that the API accepts',
            },
          ];
    }),
  mend(records) {
    if (!isOwn(api, records)) return undefined;
    const head =
      records.head && api.changeSchemas?.(records.head, (schema, strict) => looser(schema, strict, api, records));
    if (head === undefined || head === records.head) return undefined;
    return {
      records: { ...records, head },
      did: [{ rule: 'schema', did: 'wrote "items", and removed "strict" where it is not allowed' }],
    };
  },
});

/** An array of anything says so, and what strict mode does not take is no strict schema. */
function looser(
  schema: Json,
  strict: boolean,
  api: RecordConstraints,
  records: Records,
): { schema: Json; strict: boolean } {
  const whole = withAnyItems(schema);
  const wrong = strict ? wrongIn({ of: '', isTool: false, schema: whole, strict }, api, records) : undefined;
  return { schema: whole, strict: strict && wrong === undefined };
}

function withAnyItems(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withAnyItems);
  if (!isObject(schema)) return schema;
  const inner = Object.entries(schema).map(([key, value]): [string, Json] => [
    key,
    TABLES.includes(key) && isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withAnyItems(each ?? null)]))
      : PLACES.includes(key) || LISTS.includes(key)
        ? withAnyItems(value ?? null)
        : (value ?? null),
  ]);
  const now: JsonObject = Object.fromEntries(inner);
  return withItems(now) === undefined ? now : { ...now, items: {} };
}

/** Strict tools of one request, and what may be left out of them: https://github.com/earendil-works/pi-mono, strict-tool-limits. */
const STRICT = { tools: 20, optional: 16, unions: 16 };

const strictTools: RecordRule = {
  name: 'strict-tools',
  check({ head = {} }) {
    const schemas = listOf(head.tools).flatMap(({ strict, input_schema }) =>
      strict === true ? [objectOf(input_schema)] : [],
    );
    const count = (of: (schema: JsonObject) => number): number => schemas.reduce((sum, schema) => sum + of(schema), 0);
    const found: [number, number, string][] = [
      [schemas.length, STRICT.tools, 'strict tools'],
      [count(optionalIn), STRICT.optional, 'optional properties of strict tools'],
      [count(unionsIn), STRICT.unions, 'unions in strict tools'],
    ];
    return found.flatMap(([is, may, what]) =>
      is > may
        ? [
            {
              rule: 'strict-tools',
              what: `there are ${is} ${what}, but at most ${may} are allowed`,
              mend: 'make some tools not strict',
            },
          ]
        : [],
    );
  },
};

function optionalIn(schema: JsonObject): number {
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const here = Object.keys(objectOf(schema.properties)).filter((name) => !required.has(name)).length;
  return innerOf(schema).reduce((sum, [, inner]) => sum + (isObject(inner) ? optionalIn(inner) : 0), here);
}

function unionsIn(schema: JsonObject): number {
  const here = Array.isArray(schema.type) || Array.isArray(schema.anyOf) ? 1 : 0;
  return innerOf(schema).reduce((sum, [, inner]) => sum + (isObject(inner) ? unionsIn(inner) : 0), here);
}

/** The rules about the schemas of one API. */
export const schemaRules = (api: RecordConstraints): RecordRule[] => [
  schemaRule(api),
  ...(api.strictTools ? [strictTools] : []),
];
