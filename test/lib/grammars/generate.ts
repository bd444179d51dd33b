// Calls made at random, with the tools that they call: names, keys and values of every kind, delimiters of the grammars within them.
import fc from 'fast-check';
import type { Tool } from '../../../src/lib/conversation/types.ts';
import { Toolset } from '../../../src/lib/grammars/toolset.ts';
import type { Written } from '../../../src/lib/grammars/types.ts';
import type { Json, JsonObject } from '../../../src/lib/json/values.ts';

/** Pieces of the grammars themselves. */
const DELIMITERS = [
  '</tool_call>',
  '<tool_call>',
  '{"name": "x", "arguments": {}}',
  '</parameter>',
  '<parameter=x>',
  '</function>',
  '</arg_value>',
  '<|tool_call_end|>',
  '<｜tool▁calls▁end｜>',
  '```',
  '\n```\n',
  '[TOOL_CALLS]',
  '[/TOOL_CALL]',
  '<|"|>',
  '<escape>',
  '</think>',
  '<think>',
  ']<]minimax[>[',
  '✿RESULT✿',
  'Observation:',
  '\nAction: f\nAction Input: {}',
  'END_ARG',
  '</invoke>',
  '<invoke name="f">',
  ')',
  '")',
  "'",
  '"""',
  '\\',
  '\\n',
  '}',
  ']',
  ']]>',
  '&lt;',
  '&amp;',
];

const text = fc.oneof(
  fc.string({ maxLength: 20, unit: 'grapheme' }),
  fc.string({ maxLength: 12, unit: 'binary' }),
  fc
    .array(fc.oneof(fc.constantFrom(...DELIMITERS), fc.string({ maxLength: 6 })), { maxLength: 4 })
    .map((all) => all.join('')),
  fc.constantFrom(
    '',
    ' ',
    '\n',
    'true',
    '5',
    '1e2',
    'null',
    'None',
    '[1]',
    '{"a":1}',
    '"quoted"',
    'a\nb\n',
    '  padded  ',
    '<div>x</div>',
    'C:\\new\\x',
  ),
);

const scalar = fc.oneof(
  text,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (Object.is(n, -0) ? 0 : n)),
  fc.boolean(),
  fc.constant(null),
);
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { arbitrary: scalar, weight: 5 },
    { arbitrary: fc.array(tie('value'), { maxLength: 3 }), weight: 1 },
    {
      arbitrary: fc.dictionary(
        fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom('__proto__', 'constructor', 'a b')),
        tie('value'),
        { maxKeys: 3, noNullPrototype: true },
      ),
      weight: 1,
    },
  ),
}));

const name = fc
  .stringMatching(/^[a-zA-Z_][a-zA-Z0-9_-]{0,20}$/)
  .filter(
    (word) =>
      !/^(?:all|python|print|user|self|call|default_api.*|constructor|toString|valueOf|null|true|false|None|True|False|name|tool|function|arguments|parameters|input|__.*)$/.test(
        word,
      ),
  );
const key = fc
  .stringMatching(/^[a-z][a-zA-Z0-9_]{0,10}$/)
  .filter((word) => !/^(?:arguments|input|parameters|params|args|name|item|kwargs|file|options?)$/.test(word));

/** A call, and the schema of its arguments. */
const call = fc.record({ name, input: fc.dictionary(key, value, { maxKeys: 4, noNullPrototype: true }) });

function typeOf(item: Json): string {
  if (item === null) return 'null';
  return Array.isArray(item) ? 'array' : typeof item === 'number' && Number.isInteger(item) ? 'integer' : typeof item;
}

function toolFor({ name: called, input }: Written): Tool {
  const properties = Object.fromEntries(Object.entries(input).map(([k, v]) => [k, { type: typeOf(v as Json) }]));
  return { type: 'function', name: called, schema: { type: 'object', properties } as JsonObject };
}

export interface Spoken {
  readonly calls: readonly Written[];
  readonly tools: Toolset;
  readonly before: string;
  readonly after: string;
}

/** Parallel calls of tools with different names, and prose around them. */
export const spoken: fc.Arbitrary<Spoken> = fc
  .record({
    calls: fc.uniqueArray(call, {
      minLength: 1,
      maxLength: 20,
      selector: (one) => one.name.toLowerCase().replace(/[^a-z0-9]+/g, '_'),
    }),
    before: fc.constantFrom('', 'Let me look.\n', 'I will do that now:\n\n', 'Wetter für Zürich 🌦️\n'),
    after: fc.constantFrom('', '\n'),
  })
  .map(({ calls, before, after }) => ({ calls, before, after, tools: new Toolset(calls.map(toolFor)) }));
