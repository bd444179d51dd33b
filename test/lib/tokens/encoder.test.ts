// Our encoder gives the tokens that js-tiktoken gives, and takes linear time where that takes for ever.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { Tiktoken } from 'js-tiktoken/lite';
import cl100k from 'js-tiktoken/ranks/cl100k_base';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { describe, expect, test } from 'vitest';
import type { Encoding } from '../../../src/lib/tokens/encoder.ts';
import { encoderNamed } from '../../../src/lib/tokens/encoders.late.ts';
import { CORPORA } from '../../fixtures.ts';

const RANKS = { o200k_base: o200k, cl100k_base: cl100k };
const NAMES = Object.keys(RANKS) as Encoding[];

/** The patterns are those of tiktoken: JavaScript's \s lacks U+0085 and has U+FEFF, and the long s is an s to a pattern that ignores case. */
const oracles = new Map(
  NAMES.map((name) => {
    const pat_str = RANKS[name].pat_str
      .replaceAll('[^\\s', '[^\\p{White_Space}')
      .replaceAll('\\S', '\\P{White_Space}')
      .replaceAll('\\s', '\\p{White_Space}')
      .replaceAll("'s|", "'s|'ſ|");
    return [name, new Tiktoken({ ...RANKS[name], pat_str })];
  }),
);

const oracle = (name: Encoding, text: string): number[] => oracles.get(name)?.encode(text, [], []) ?? [];

const hard = fc.constantFrom(
  ..."' 's 'S 't 're 'RE 'll 've 'ſ ’s < | <|endoftext|> <|im_start|> <|fim_prefix|> \n \r \r\n \t / // 1 12 123 1234 ٣ Ⅷ ½ a A é É ß ǅ ʰ ª 你 好 の ก ำ ़ ́ 👨‍👩‍👧 🏳️‍🌈 ☃ \u0085 \ufeff \u00a0 \u2028 \u3000 \u200b \u0000 \ud800 \udc00 camelCase HTTPServer snake_case x1y2 === --- ... {} \"".split(
    ' ',
  ),
  ' ',
  '  ',
  '   ',
);
const anything = fc.oneof(
  fc.array(fc.oneof(hard, fc.string({ maxLength: 4, unit: 'binary' })), { maxLength: 12 }).map((all) => all.join('')),
  fc.string({ maxLength: 40, unit: 'grapheme' }),
  fc.string({ maxLength: 60 }),
  fc.json({ maxDepth: 2 }),
);

describe.each(NAMES)('%s', (name) => {
  test('equals js-tiktoken on 10,000 generated strings', () => {
    const encoder = encoderNamed(name);
    fc.assert(
      fc.property(anything, (text) => {
        const wanted = oracle(name, text);
        expect(encoder.encode(text)).toEqual(wanted);
        expect(encoder.count(text)).toBe(wanted.length);
      }),
      { numRuns: 10_000 },
    );
  });

  test.skipIf(CORPORA === undefined)('equals js-tiktoken on real conversations', () => {
    const encoder = encoderNamed(name);
    for (const file of globSync('conversations/*.jsonl', { cwd: CORPORA as string })) {
      const text = readFileSync(join(CORPORA as string, file), 'utf8').slice(0, 300_000);
      expect(encoder.encode(text)).toEqual(oracle(name, text));
    }
  });

  test.each([
    ['a', 'a'],
    ['space', ' '],
    ['newline', '\n'],
    ['dash', '-'],
    ['emoji', '👨‍👩‍👧'],
    ['Han', '你'],
    ['mark', '\u0301'],
  ])('a megabyte of one %s takes no longer than its share', (_, unit) => {
    const encoder = encoderNamed(name);
    const short = encoder.count(unit.repeat((1 << 16) / Buffer.byteLength(unit)));
    const long = encoder.count(unit.repeat((1 << 20) / Buffer.byteLength(unit)));
    expect(Math.abs(long / short - 16)).toBeLessThan(1);
  });

  test('a long piece is merged like a short one', () => {
    const encoder = encoderNamed(name);
    const letters = fc.string({ minLength: 97, maxLength: 300, unit: fc.constantFrom(...'abcdeé') });
    fc.assert(
      fc.property(letters, (text) => {
        expect(encoder.encode(text)).toEqual(oracle(name, text));
      }),
      { numRuns: 50 },
    );
  });
});
