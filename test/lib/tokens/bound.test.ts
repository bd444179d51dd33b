// What is said without counting is never too little.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Head, MediaPart, Message, Part } from '../../../src/lib/conversation/types.ts';
import { BOUND } from '../../../src/lib/tokens/bound.ts';
import { counterFor } from '../../../src/lib/tokens/count.ts';

const MODELS = [
  'gpt-4',
  'gpt-4o',
  'gpt-5.5',
  'gpt-oss-120b',
  'claude-sonnet-4-5',
  'claude-opus-5-5',
  'gemini-3-pro',
  'qwen3',
];

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom('', '\n'.repeat(40), '\ud800', '字字字', '1e300'),
);
const png = Buffer.from('89504e470d0a1a0a0000000d49484452000008000000080008060000', 'hex').toString('base64');
const media = fc.record({
  type: fc.constant('media' as const),
  kind: fc.constantFrom('image' as const, 'audio' as const, 'video' as const, 'document' as const),
  source: fc.constantFrom(
    { type: 'data', data: png, mediaType: 'image/png' },
    { type: 'url', url: 'https://x.org/a.png' },
  ),
}) as fc.Arbitrary<MediaPart>;

const part: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text }),
  fc.record({ type: fc.constant('reasoning' as const), text, redacted: text }),
  fc.record({
    type: fc.constant('tool_call' as const),
    id: fc.constant('a'),
    name: text,
    input: fc.jsonValue(),
  }) as fc.Arbitrary<Part>,
  fc.record({
    type: fc.constant('native' as const),
    format: fc.constant('openai'),
    value: fc.jsonValue(),
  }) as fc.Arbitrary<Part>,
  media,
);

const schema = fc.oneof(
  fc.constant({ type: 'object', properties: {} }),
  fc.record({
    type: fc.constant('object'),
    properties: fc.dictionary(text, fc.record({ type: fc.constant('string'), description: text, default: text })),
  }),
);

const request = fc.record({
  head: fc.record({
    tools: fc.array(fc.record({ type: fc.constant('function' as const), name: text, description: text, schema }), {
      maxLength: 3,
    }),
    toolChoice: fc.constantFrom(undefined, { mode: 'required' }),
    responseFormat: fc.constantFrom(undefined, { type: 'schema', schema: { type: 'object' } }),
  }) as unknown as fc.Arbitrary<Head>,
  messages: fc.array(
    fc.record({ role: fc.constantFrom('user', 'assistant', 'system'), parts: fc.array(part, { maxLength: 4 }) }),
    { maxLength: 4 },
  ) as fc.Arbitrary<Message[]>,
});

test.each(MODELS)('%s: no request takes more than the bound says', (model) => {
  const counter = counterFor(model);
  fc.assert(
    fc.property(request, ({ head, messages }) => {
      const sum = (one: typeof counter) =>
        messages.reduce((all, message) => all + one.message(message), one.head(head));
      expect(sum(counter)).toBeLessThanOrEqual(sum(BOUND));
    }),
    { numRuns: 300 },
  );
});
