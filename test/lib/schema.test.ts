// Schemas: what each API takes, nothing gone without a word, and the way back.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { equal, isObject, type Json, type JsonObject } from '../../src/lib/json/values.ts';
import { restored, schemaFor } from '../../src/lib/json-schema/rewrite.ts';
import { type SchemaTarget, TARGETS } from '../../src/lib/json-schema/targets.ts';

const NAMES = Object.keys(TARGETS) as SchemaTarget[];

function told(target: SchemaTarget, schema: Json): { schema: JsonObject; said: string[] } {
  const said: string[] = [];
  return { schema: schemaFor(target, schema, (keyword) => said.push(keyword)) as JsonObject, said };
}

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});

/** Every schema inside a schema, itself first. Properties are not keywords. */
function nodes(schema: Json | undefined): JsonObject[] {
  if (!isObject(schema)) return [];
  const maps = ['properties', '$defs'].flatMap((key) => Object.values(isObject(schema[key]) ? schema[key] : {}));
  const lists = ['anyOf', 'allOf', 'oneOf', 'prefixItems'].flatMap((key) =>
    Array.isArray(schema[key]) ? schema[key] : [],
  );
  const single = ['items', 'additionalProperties', 'not'].map((key) => schema[key]);
  return [schema, ...[...maps, ...lists, ...single].flatMap(nodes)];
}

describe('constraints', () => {
  test.each([
    ['openai-strict', { type: 'string', minLength: 2 }, 'minLength'],
    ['openai-strict', { type: 'string', format: 'uri' }, 'format'],
    ['openai-strict', { type: 'string', pattern: '^(?=a)' }, 'pattern'],
    ['openai-strict', { type: 'array', items: { type: 'string' }, uniqueItems: true }, 'uniqueItems'],
    ['anthropic-strict', { type: 'integer', minimum: 1, maximum: 9 }, 'minimum'],
    ['anthropic-strict', { type: 'array', items: { type: 'string' }, minItems: 3 }, 'minItems'],
    ['anthropic-strict', { type: 'string', format: 'regex' }, 'format'],
    ['gemini', { type: 'number', exclusiveMinimum: 0 }, 'exclusiveMinimum'],
    ['gemini', { type: 'string', format: 'date-time' }, 'format'],
    ['gemini-json', { type: 'number', exclusiveMaximum: 0 }, 'exclusiveMaximum'],
  ] as [SchemaTarget, JsonObject, string][])(
    '%s: %j goes into the description, and comes back',
    (target, node, keyword) => {
      const schema = object({ a: { description: 'About a.', ...node } });
      const { schema: written, said } = told(target, schema);
      expect(said).toContain(keyword);
      const a = (written.properties as JsonObject).a as JsonObject;
      expect(a).not.toHaveProperty(keyword);
      expect(a.description).toMatch(/^About a\.\nConstraints: \{/);
      expect(restored(written)).toEqual(schema);
    },
  );

  test('that are taken stay, and nothing is said', () => {
    const schema = object({
      a: { type: 'string', format: 'uuid' },
      b: { type: 'integer', minimum: 1, description: 'B' },
    });
    expect(told('openai-strict', schema)).toEqual({ schema, said: [] });
    expect(
      told('openai', { ...schema, properties: { a: { type: 'string', minLength: 3, format: 'uri' } } }).said,
    ).toEqual([]);
  });

  test('a description that ends like a note but is none is left alone', () => {
    for (const description of [
      'Constraints: {"no":1}',
      'Constraints: x}',
      'x Constraints: {"minimum":1}',
      'Constraints: {}x',
    ])
      expect(restored({ type: 'string', description })).toEqual({ type: 'string', description });
  });
});

describe('properties named like keywords survive', () => {
  const names = [
    'title',
    'default',
    'format',
    'const',
    '$ref',
    'examples',
    'minLength',
    'oneOf',
    'properties',
    'required',
    '__proto__',
    'type',
    'additionalProperties',
  ];
  test.each(NAMES)('%s', (target) => {
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
    const { schema } = told(target, { ...object(properties), required: names });
    expect(Object.keys(schema.properties as object).sort()).toEqual([...names].sort());
    expect(({} as { type?: string }).type).toBeUndefined();
  });
});

describe('references', () => {
  const list = {
    $defs: {
      Node: object({ value: { type: 'string' }, next: { anyOf: [{ $ref: '#/$defs/Node' }, { type: 'null' }] } }),
    },
    ...object({ head: { $ref: '#/$defs/Node' } }),
  };

  test('are written out for Gemini’s OpenAPI schemas, also inside alternatives', () => {
    const schema = {
      $defs: { A: { type: 'string', enum: ['x'] } },
      ...object({ a: { anyOf: [{ $ref: '#/$defs/A' }, { type: 'integer' }] } }),
    };
    const { schema: written, said } = told('gemini', schema);
    expect(JSON.stringify(written)).not.toContain('$ref');
    expect(written).not.toHaveProperty('$defs');
    expect((written.properties as JsonObject).a).toEqual({
      anyOf: [{ type: 'string', enum: ['x'] }, { type: 'integer' }],
    });
    expect(said).toContain('$ref');
  });

  test('that refer to themselves end', () => {
    const { schema: written } = told('gemini', list);
    const text = JSON.stringify(written);
    expect(text.length).toBeLessThan(2000);
    expect(text).toContain('Constraints: {\\"$ref\\":\\"#/$defs/Node\\"}');
  });

  test('that would grow without bounds end too', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [
        `d${i}`,
        object({ a: { $ref: `#/$defs/d${i + 1}` }, b: { $ref: `#/$defs/d${i + 1}` } }),
      ]),
    );
    const { schema } = told('gemini', { $defs, ...object({ a: { $ref: '#/$defs/d0' } }) });
    expect(JSON.stringify(schema).length).toBeLessThan(5_000_000);
  });

  test('stand alone in strict modes', () => {
    const schema = { ...list, properties: { head: { $ref: '#/$defs/Node', description: 'First.' } } };
    for (const target of ['openai-strict', 'anthropic-strict'] as const)
      expect((told(target, schema).schema.properties as JsonObject).head).toEqual({
        description: 'First.',
        anyOf: [{ $ref: '#/$defs/Node' }],
      });
  });

  test('into nowhere are kept as a note', () => {
    const { schema } = told(
      'gemini',
      object({ a: { $ref: '#/$defs/Nowhere' }, b: { $ref: 'https://example.com/schema' } }),
    );
    expect(JSON.stringify(schema)).not.toContain('"$ref":"#');
  });
});

describe('strict modes', () => {
  test('OpenAI: every property is required, those that were not may be null, and are optional again on the way back', () => {
    const schema = {
      ...object({
        a: { type: 'string' },
        b: { type: 'string', enum: ['x', 'y'] },
        c: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
        d: object({}),
      }),
      required: ['a'],
    };
    const { schema: written, said } = told('openai-strict', schema);
    expect(said).toContain('required');
    expect(written.required).toEqual(['a', 'b', 'c', 'd']);
    const { b, c } = written.properties as { b: JsonObject; c: JsonObject };
    expect(b).toMatchObject({ type: ['string', 'null'], enum: ['x', 'y', null] });
    expect(c.anyOf).toContainEqual({ type: 'null' });
    expect(restored(written)).toEqual(schema);
  });

  test('objects are closed, oneOf is anyOf, one branch of allOf is merged', () => {
    const schema = object({
      a: { oneOf: [{ type: 'string' }, { type: 'null' }] },
      b: { allOf: [{ type: 'string' }], description: 'B' },
      c: { type: 'object', additionalProperties: { type: 'string' } },
    });
    const { schema: written } = told('openai-strict', schema);
    const { a, b, c } = written.properties as { [name: string]: JsonObject };
    expect(a).toEqual({ anyOf: [{ type: 'string' }, { type: 'null' }] });
    expect(b).toEqual({ type: 'string', description: 'B' });
    expect(c).toMatchObject({
      additionalProperties: false,
      description: 'Constraints: {"additionalProperties":{"type":"string"}}',
    });
  });

  test('a root without a type, or with alternatives, becomes one object', () => {
    expect(told('anthropic', { properties: { a: {} } }).schema).toMatchObject({ type: 'object' });
    const branches = [object({ a: { type: 'string' } }), object({ b: { type: 'string' } })];
    const { schema } = told('openai', { anyOf: branches });
    expect(schema).toMatchObject({ type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } });
    expect(schema).not.toHaveProperty('anyOf');
    expect((restored(schema) as JsonObject).anyOf).toEqual(branches);
  });
});

describe('Gemini', () => {
  test('const is an enum of one, null is nullable, tuples are lists', () => {
    const schema = object({
      a: { const: 'x' },
      b: { type: ['string', 'null'] },
      c: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }] },
      d: { enum: [1, 2], type: 'integer' },
    });
    const { properties } = told('gemini', schema).schema as { properties: { [name: string]: JsonObject } };
    expect(properties.a).toEqual({ type: 'string', enum: ['x'] });
    expect(properties.b).toEqual({ type: 'string', nullable: true });
    expect(properties.c).toEqual({
      type: 'array',
      items: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
      minItems: 2,
    });
    expect(properties.d).toEqual({ type: 'integer', description: 'Constraints: {"enum":[1,2]}' });
  });
});

/** Schemas of all kinds, as tools have them. */
const schema: fc.Arbitrary<JsonObject> = fc.letrec<{ node: JsonObject }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    fc.record(
      {
        type: fc.constant('string'),
        minLength: fc.nat(9),
        format: fc.constantFrom('uri', 'date', 'regex'),
        description: fc.string(),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record(
      {
        type: fc.constantFrom('integer', 'number'),
        minimum: fc.nat(9),
        exclusiveMaximum: fc.nat(9),
        multipleOf: fc.constantFrom(1, 2),
        title: fc.string(),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record(
      { type: fc.constant('array'), items: tie('node'), minItems: fc.nat(3), uniqueItems: fc.boolean() },
      { requiredKeys: ['type', 'items'] },
    ),
    fc.record({ anyOf: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ oneOf: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
    fc
      .dictionary(fc.constantFrom('a', 'b', 'title', 'format', 'const'), tie('node'), { maxKeys: 3 })
      .chain((properties) =>
        fc
          .subarray(Object.keys(properties))
          .map((required) => ({ type: 'object', properties: { ...properties }, required }) as JsonObject),
      ),
  ) as fc.Arbitrary<JsonObject>,
})).node;

describe('any schema', () => {
  const root = fc
    .dictionary(fc.constantFrom('a', 'b', 'c'), schema, { maxKeys: 3 })
    .map((properties) => object({ ...properties }, { required: ['a'].filter((k) => k in properties) }));

  test.each(NAMES)('%s: nothing refused is left, and a second time changes nothing', (target) => {
    fc.assert(
      fc.property(root, (given) => {
        const { schema: written } = told(target, given);
        const { noted, removed, formats, closed, required, anyOf } = TARGETS[target];
        for (const node of nodes(written)) {
          for (const keyword of [...noted, ...removed]) expect(node).not.toHaveProperty(keyword, expect.anything());
          if (anyOf) expect(node).not.toHaveProperty('oneOf');
          if (formats && node.type === 'string' && node.format !== undefined) expect(formats).toContain(node.format);
          if (closed && node.type === 'object') expect(node.additionalProperties).toBe(false);
          if (required && node.type === 'object')
            expect(new Set(node.required as string[])).toEqual(new Set(Object.keys(node.properties as object)));
        }
        expect(told(target, written).schema).toEqual(written);
      }),
      { numRuns: 300 },
    );
  });

  test.each(NAMES)('%s: every constraint is in the schema or in its descriptions', (target) => {
    fc.assert(
      fc.property(root, (given) => {
        const { schema: written } = told(target, given);
        const text = JSON.stringify(written);
        for (const node of nodes(given))
          for (const keyword of [
            'minLength',
            'minimum',
            'exclusiveMaximum',
            'multipleOf',
            'minItems',
            'uniqueItems',
          ] as const)
            if (node[keyword] !== undefined) expect(text).toMatch(new RegExp(`${keyword}\\\\*":`));
      }),
      { numRuns: 200 },
    );
  });

  test('what no API refuses is the same object', () => {
    const plain = object({ a: { type: 'string', description: 'A' } });
    for (const target of NAMES) if (target !== 'gemini') expect(told(target, plain).schema).toBe(plain);
    expect(equal(restored(plain), plain)).toBe(true);
  });

  test('values that are no schemas break nothing', () => {
    fc.assert(
      fc.property(fc.constantFrom(...NAMES), fc.jsonValue(), (target, value) => {
        expect(() => restored(schemaFor(target, value as Json, () => {}))).not.toThrow();
      }),
    );
    for (const odd of [
      { properties: 5 },
      { anyOf: {} },
      { required: 'a' },
      { enum: 3 },
      { allOf: [1] },
      { $ref: 3 },
      { prefixItems: {} },
      { type: [] },
      { items: [{}, true] },
    ] as Json[])
      for (const target of NAMES) expect(() => schemaFor(target, odd, () => {})).not.toThrow();
  });
});
