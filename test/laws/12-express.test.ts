// Law 12: plain messages that go by as bytes come out as they would if each were parsed, and say the same.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Result, run } from '../run.ts';

const RULES = { numRuns: Number(process.env.RUNS ?? 150) };

/** Some way to write a value down: with spaces or without, and with more escapes than are needed. */
interface Spelling {
  readonly spaced: boolean;
  readonly escaped: boolean;
}

function spelled(value: unknown, spelling: Spelling): string {
  const { spaced, escaped } = spelling;
  const [comma, colon] = spaced ? [', ', ': '] : [',', ':'];
  if (Array.isArray(value)) return `[${value.map((item) => spelled(item, spelling)).join(comma)}]`;
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).filter(([, item]) => item !== undefined);
    return `{${fields.map(([key, item]) => `"${key}"${colon}${spelled(item, spelling)}`).join(comma)}}`;
  }
  const text = JSON.stringify(value);
  if (typeof value !== 'string' || !escaped) return text;
  return text.replace(/[^ -~]|\//g, (c) => (c === '/' ? '\\/' : `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`));
}

const spelling = fc.record({ spaced: fc.boolean(), escaped: fc.boolean() });
const text = fc.oneof(
  { weight: 6, arbitrary: fc.string({ maxLength: 30, unit: 'grapheme' }) },
  fc.constantFrom(
    '',
    ' ',
    '\n\n',
    '\u3000',
    '\u0085',
    '\\',
    '"',
    '\n  \u00e9',
    'a\u2028b',
    '\u{1f600}',
    'x'.repeat(3000),
  ),
);
/** Mostly what most are. */
const oneOf = <T>(usual: readonly T[], others: readonly T[]) =>
  fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...usual) }, fc.constantFrom(...others));
const id = oneOf(['call_1', 'call_2', 'toolu_3', 'call_4'], ['a b', 'x'.repeat(70), 'p|q', '', 'é', '9']);
const name = oneOf(['Read', 'bash'], ['web.search', 'n'.repeat(80), 'ü']);
/** What has to be escaped, once or twice. */
const quoting = fc.constantFrom('a"b', 'c\\d', 'e\\"f\n\t', { 'g"': ['\\'] });
const input = fc.oneof(
  fc.dictionary(fc.constantFrom('path', 'n', '_raw', 'é', 'x'), fc.oneof(fc.jsonValue({ maxDepth: 2 }), quoting), {
    noNullPrototype: true,
  }),
  fc.constantFrom({}, { _raw: 'x' }, { a: { b: [1, [], {}] } }),
);
const mostly = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 6 });
const rarely = <T>(arbitrary: fc.Arbitrary<T>) => fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, arbitrary);

/** Arguments as models write them: mostly an object, in some spelling. */
const args = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(input, spelling).map(([value, how]) => spelled(value, how)) },
  fc.constantFrom(
    '',
    '5',
    '[]',
    'not json',
    '{"a":1',
    '{"a": 1.0e2}',
    '{\n "a": "b"\n}',
    '{"a":"\n"}',
    '"x"',
    '{"a":01}',
    '{} {}',
  ),
);

const list = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ type: fc.constant('text'), text }) },
    fc.record({ type: fc.constant('text'), text, cache_control: fc.constant({ type: 'ephemeral' }) }),
  ),
  { maxLength: 3 },
);
const content = fc.oneof({ weight: 4, arbitrary: text }, list);

const openaiCall = fc.record(
  { id, type: fc.constant('function'), function: fc.record({ name, arguments: args }), index: rarely(fc.nat(2)) },
  { requiredKeys: ['id', 'type', 'function'] },
);
const openai = fc.oneof(
  { weight: 4, arbitrary: fc.record({ role: fc.constantFrom('user', 'assistant'), content }) },
  {
    weight: 4,
    arbitrary: fc.record({
      role: fc.constant('assistant'),
      content: fc.oneof(content, fc.constant(null)),
      tool_calls: fc.oneof(
        { weight: 5, arbitrary: fc.array(openaiCall, { minLength: 1, maxLength: 3 }) },
        fc.constant([]),
      ),
      refusal: rarely(fc.constant(null)),
    }),
  },
  { weight: 5, arbitrary: fc.record({ role: fc.constant('tool'), tool_call_id: id, name: rarely(name), content }) },
  { weight: 2, arbitrary: fc.record({ content, role: fc.constantFrom('system', 'system', 'developer') }) },
  fc.record({ role: fc.constant('user'), content, name: fc.constant('me') }),
  fc.constant({ model: 'm', temperature: 1.5 }),
);

const said = fc.record({ type: fc.constant('text'), text });
const toolUse = fc.record({ type: fc.constant('tool_use'), id, name, input });
const toolResult = fc.record({
  type: fc.constant('tool_result'),
  tool_use_id: id,
  content: mostly(content),
  is_error: rarely(fc.boolean()),
});
const others = fc.constantFrom(
  { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
  { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
);
const own = fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.constantFrom('', null, [], 0));
const blocks = <T>(...some: readonly fc.Arbitrary<T>[]) => fc.array(fc.oneof(...some), { maxLength: 3 });
const turn = (role: string, list: fc.Arbitrary<unknown>) =>
  fc.record(
    {
      role: fc.constant(role),
      content: list,
      _cost: rarely(own),
      _meta: rarely(
        fc.constantFrom(
          { renamed: { of: 'openai', ids: { call_1: 'p|q' } } },
          { renamed: { of: 'gemini', ids: { call_2: 'é', call_4: 'call_3' } } },
          { renamed: 1 },
          { id: 'm' },
        ),
      ),
    },
    { requiredKeys: ['role', 'content'] },
  );
const anthropic = fc.oneof(
  { weight: 3, arbitrary: fc.record({ role: fc.constantFrom('user', 'assistant', 'system'), content }) },
  { weight: 6, arbitrary: turn('assistant', blocks<unknown>(said, toolUse)) },
  { weight: 6, arbitrary: turn('user', blocks<unknown>(said, toolResult, toolResult)) },
  { weight: 2, arbitrary: turn('user', blocks<unknown>(said, toolUse, toolResult, others)) },
  turn('assistant', blocks<unknown>(said, toolUse, toolResult, others)),
  fc.constant({ model: 'm', max_tokens: 5 }),
);

const BROKEN = [
  '{"role":"user","content":"\t"}',
  '{"role":"user","content":"\\x"}',
  '{"role":"user","content":"a"',
  '{"role":"user","content":"a"}}',
  '',
];

/** Lines of a stream, and how many bytes come at once. */
const stream = (record: fc.Arbitrary<unknown>, first: string) =>
  fc
    .tuple(
      fc.array(
        fc.oneof(
          { weight: 40, arbitrary: fc.tuple(record, spelling).map(([value, how]) => spelled(value, how)) },
          fc.constantFrom(...BROKEN),
        ),
        {
          minLength: 5,
          maxLength: 60,
          size: 'max',
        },
      ),
      fc.integer({ min: 1, max: 700 }),
      fc.boolean(),
      fc.constantFrom([first], [first], []),
    )
    .map(([lines, size, ended, begin]) => ({
      bytes: Buffer.from([...begin, ...lines].join('\n') + (ended ? '\n' : '')),
      size,
    }));

function pieces({ bytes, size }: { readonly bytes: Buffer; readonly size: number }): Buffer[] {
  const count = Math.ceil(bytes.length / size);
  return Array.from({ length: count }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
}

/** Lines as values; arguments as what they say. */
function told({ stdout, stderr, status }: Result): unknown {
  const lines = stdout.split('\n').map((line) => {
    try {
      return JSON.stringify(JSON.parse(line), (key, value) =>
        key === 'arguments' && isJson(value) ? JSON.parse(value) : value,
      );
    } catch {
      return line;
    }
  });
  return { lines, stderr, status };
}

function isJson(text: unknown): boolean {
  try {
    return typeof JSON.parse(text as string) === 'object';
  } catch {
    return false;
  }
}

describe.each([
  [
    'anthropic',
    openai,
    '{"role":"assistant","content":null,"tool_calls":[{"id":"call_0","type":"function","function":{"name":"Read","arguments":"{}"}}]}',
  ],
  ['openai', anthropic, '{"role":"assistant","content":[{"type":"tool_use","id":"call_0","name":"Read","input":{}}]}'],
] as const)('to %s', (to, record, first) => {
  test.each([[[]], [['--keep-going']], [['--from', to === 'openai' ? 'anthropic' : 'openai']]])('%j', async (more) => {
    await fc.assert(
      fc.asyncProperty(stream(record as fc.Arbitrary<unknown>, first), async (given) => {
        const stdin = pieces(given);
        const quick = await run('ai-transform', ['--to', to, ...more], { stdin });
        // Whoever wants to hear of each record gets each parsed.
        const slow = await run('ai-transform', ['--to', to, '--report', '/dev/null', ...more], { stdin });
        expect(told(quick)).toEqual(told(slow));
      }),
      RULES,
    );
  });
});
