// What each API, and each of its strict modes, does with the keywords of JSON Schema.

export type SchemaTarget =
  | 'anthropic'
  | 'anthropic-strict'
  | 'openai'
  | 'openai-strict'
  | 'gemini'
  | 'gemini-json'
  | 'bedrock';

/** What happened to a keyword. `moved`: into the description, from where it comes back. */
export type Told = (keyword: string, why: string, fate: 'lost' | 'changed' | 'moved' | 'added') => void;

export interface Keywords {
  readonly name: string;
  /** Constraints that are refused: they go into the description. */
  readonly noted: readonly string[];
  /** What says nothing about the value, and is refused: it is removed. */
  readonly removed: readonly string[];
  /** The values of `format` that are taken; all of them if it is not given. */
  readonly formats?: readonly string[];
  /** `oneOf` becomes `anyOf`. */
  readonly anyOf?: boolean;
  /** Objects take no properties but those that are named. */
  readonly closed?: boolean;
  /** Every property is required: those that are not may be null. */
  readonly required?: boolean;
  /** Nothing stands beside `$ref`. */
  readonly lonelyRefs?: boolean;
  /** `$ref` is refused. */
  readonly inline?: boolean;
  /** `const` becomes an `enum` of one. */
  readonly enums?: boolean;
  /** OpenAPI 3.0: one type, `nullable`, enums of strings. */
  readonly openapi?: boolean;
  /** The root is an object without alternatives. */
  readonly objectRoot?: boolean;
}

const ANNOTATIONS = ['$schema', '$id', '$comment', '$anchor', 'examples', 'discriminator', 'title'];
const RARE = [
  ...[
    'patternProperties',
    'propertyNames',
    'minProperties',
    'maxProperties',
    'unevaluatedProperties',
    'unevaluatedItems',
  ],
  ...[
    'contains',
    'minContains',
    'maxContains',
    'uniqueItems',
    'not',
    'if',
    'then',
    'else',
    'dependentSchemas',
    'dependentRequired',
  ],
];
const FORMATS = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'];

/**
 * Sources. anthropic: https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations and the transformation in
 * @anthropic-ai/sdk. openai: https://platform.openai.com/docs/guides/structured-outputs#supported-schemas. gemini:
 * https://ai.google.dev/api/caching#Schema and https://ai.google.dev/gemini-api/docs/structured-output#json_schema_support, with what
 * https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/profiles/google.py found refused.
 */
export const TARGETS: { readonly [target in SchemaTarget]: Keywords } = {
  anthropic: { name: 'Anthropic', noted: [], removed: [], objectRoot: true },
  bedrock: { name: 'Bedrock', noted: [], removed: [], objectRoot: true },
  openai: { name: 'OpenAI', noted: [], removed: [], objectRoot: true },
  'anthropic-strict': {
    name: "Anthropic's strict mode",
    noted: [
      ...[
        'minimum',
        'maximum',
        'exclusiveMinimum',
        'exclusiveMaximum',
        'multipleOf',
        'minLength',
        'maxLength',
        'pattern',
      ],
      ...['maxItems', 'prefixItems', ...RARE],
    ],
    removed: [],
    formats: [...FORMATS, 'uri'],
    anyOf: true,
    closed: true,
    lonelyRefs: true,
    objectRoot: true,
  },
  'openai-strict': {
    name: "OpenAI's strict mode",
    noted: ['minLength', 'maxLength', 'prefixItems', 'allOf', 'default', ...RARE],
    removed: ANNOTATIONS,
    formats: FORMATS,
    anyOf: true,
    closed: true,
    required: true,
    lonelyRefs: true,
    objectRoot: true,
  },
  gemini: {
    name: "Gemini's OpenAPI schemas",
    noted: ['additionalProperties', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'allOf', ...openApiRare()],
    removed: ['default', ...ANNOTATIONS],
    formats: [],
    anyOf: true,
    inline: true,
    enums: true,
    openapi: true,
  },
  'gemini-json': {
    name: 'Gemini',
    noted: ['exclusiveMinimum', 'exclusiveMaximum'],
    removed: ANNOTATIONS,
    formats: [],
    enums: true,
  },
};

/** The OpenAPI subset knows how many properties an object may have. */
function openApiRare(): string[] {
  return RARE.filter((keyword) => keyword !== 'minProperties' && keyword !== 'maxProperties');
}
