// Law 3: an untouched record leaves as the same bytes.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { run } from '../run.ts';

/** Command lines with which a program has nothing to change. */
const IDLE: readonly (readonly [string, ...string[]])[] = [
  ['ai-transform'],
  ['ai-transform', '--to', 'openai'],
  ['ai-route'],
  ['ai-condense', '--budget', '100000000'],
  ['ai-recover-tools'],
];

const TEXTS: { readonly [what: string]: string } = {
  'odd spacing': '{"model":"gpt-4o-mini" , "tools": [] }\n{ "role" : "user","content":"a" }\n',
  'no final newline': '{"model":"x"}\n{"role":"user","content":"a"}',
  'carriage returns': '{"model":"x"}\r\n{"role":"user","content":"a"}\r\n',
  'a byte-order mark': '\ufeff{"model":"x"}\n{"role":"user","content":"a"}\n',
  'blank lines': '{"model":"x"}\n\n  \n{"role":"user","content":"a"}\n\n',
  'numbers beyond 2^53 and repeated keys':
    '{"model":"x","seed":12345678901234567890,"a":1,"a":2}\n{"role":"user","content":"a"}\n',
  escapes: '{"model":"x"}\n{"role":"user","content":"\\u00e9\\/\\ud83d\\ude00 \\ud800 é😀\u2028"}\n',
  'records of ours and of nobody':
    '{"model":"x"}\n{"type":"call","id":"1"}\n{"what":"is this"}\n[1,2]\n"text"\nnull\n{"role":"user","content":"a"}\n',
  'rolled-up lines': '{"model":"x","messages":[{"role":"user","content":"a"}] , "id":1.0}\n',
  nothing: '',
};

for (const [name, ...argv] of IDLE)
  describe([name, ...argv].join(' '), () => {
    for (const [what, text] of Object.entries(TEXTS))
      test(`${what}: the bytes come back`, async () => {
        expect(await run(name, argv, { stdin: text })).toEqual({ stdout: text, stderr: '', status: 0 });
      });

    test('wherever the input is cut into chunks', async () => {
      const bytes = Buffer.from(
        Object.values(TEXTS)
          .filter((t) => t.endsWith('\n') && !t.startsWith('\ufeff'))
          .join(''),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 8 }), async (cuts) => {
          const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
          const chunks = at.slice(1).map((end, i) => bytes.subarray(at[i], end));
          const result = await run(name, argv, { stdin: chunks.filter((chunk) => chunk.length > 0) });
          expect(result.stdout).toBe(bytes.toString('utf8'));
        }),
        { numRuns: 30 },
      );
    });
  });
