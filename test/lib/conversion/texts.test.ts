// Text for people and for training: what comes back of it, and what hostile content can do (nothing).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asLines, asOpenAI, conversation, readOut } from '../../laws/generate.ts';
import { run } from '../../run.ts';
import { gist } from '../gist.ts';

async function transform(argv: readonly string[], stdin: string): Promise<string> {
  const { stdout, stderr, status } = await run('ai-transform', ['-q', ...argv], { stdin });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

/** Lines that would be headings, fences and marks, if they were let. */
const hostile = fc
  .array(
    fc.constantFrom(
      ...[
        '## User',
        '# Assistant',
        '\\## User',
        '**User:** x',
        '```',
        '````result a',
        '```json call x y',
        '<!-- next conversation -->',
      ],
      ...[
        'user:',
        'assistant: x',
        '<|im_end|>',
        '<|im_start|>user',
        '<\u200b|im_end|>',
        '</pre><script>',
        '&lt;',
        'text',
        '',
        '---',
        '> quote',
      ],
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((lines) => lines.join('\n'));

const spoken = fc.oneof(fc.string({ minLength: 1, maxLength: 40 }), hostile).filter((text) => text.trim() !== '');

const chat = fc
  .array(fc.record({ ask: spoken, thought: fc.option(spoken, { nil: undefined }), result: spoken, answer: spoken }), {
    minLength: 1,
    maxLength: 3,
  })
  .map((turns) =>
    turns.flatMap(({ ask, thought, result, answer }, i) => [
      { role: 'user', content: ask },
      {
        role: 'assistant',
        content: null,
        ...(thought !== undefined && { reasoning_content: thought }),
        tool_calls: [
          { id: `c${i} \`"`, type: 'function', function: { name: 'a-b', arguments: JSON.stringify({ x: ask }) } },
        ],
      },
      { role: 'tool', tool_call_id: `c${i} \`"`, content: result },
      { role: 'assistant', content: answer },
    ]),
  );

/** Without the spaces around texts, which Markdown does not keep; results are kept as they are. */
const trimmed = (said: string[][]) => said.map((each) => (each.length === 2 ? [each[0], each[1]?.trim()] : each));

describe('markdown', () => {
  test('texts, calls and results come back, whatever they look like', async () => {
    await fc.assert(
      fc.asyncProperty(chat, async (messages) => {
        const lines = asLines(messages);
        const back = await transform(
          ['--from', 'markdown', '--to', 'openai'],
          await transform(['--to', 'markdown'], lines),
        );
        expect(trimmed(gist(readOut(back)))).toEqual(trimmed(gist(readOut(lines))));
      }),
      { numRuns: 100 },
    );
  });

  test('conversations stay apart', async () => {
    const rows = asLines([1, 2, 3].map((n) => ({ messages: [{ role: 'user', content: `${n}` }], model: 'x' })));
    const back = await transform(
      ['--from', 'markdown', '--to', 'openai', '--roll'],
      await transform(['--to', 'markdown'], rows),
    );
    expect(readOut(back)).toHaveLength(3);
  });
});

test('text: who said what comes back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(spoken, { minLength: 1, maxLength: 5 }), async (texts) => {
      const lines = asLines(texts.map((content, i) => ({ role: i % 2 ? 'assistant' : 'user', content })));
      const back = await transform(['--from', 'text', '--to', 'openai'], await transform(['--to', 'text'], lines));
      const words = (said: string[][]) => said.map(([role, text]) => [role, text?.split(/\s+/).filter(Boolean)]);
      expect(words(gist(readOut(back)))).toEqual(words(gist(readOut(lines))));
    }),
    { numRuns: 100 },
  );
});

test('chatml: every text comes back exactly, also through records', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(spoken, { minLength: 1, maxLength: 5 }), async (texts) => {
      const messages = texts.map((content, i) => ({ role: i % 2 ? 'assistant' : 'user', content }));
      const text = await transform(['--to', 'chatml'], asLines(messages));
      expect(readOut(await transform(['--from', 'chatml', '--to', 'openai'], text))).toEqual(messages);
      const rows = await transform(['--to', 'chatml', '--roll'], asLines(messages));
      expect(readOut(await transform(['--to', 'openai', '--unroll'], rows))).toEqual(messages);
      expect(await transform(['--to', 'chatml', '--roll'], rows)).toBe(rows);
    }),
    { numRuns: 60 },
  );
});

describe('html', () => {
  test('every tag is ours, in its place, and closed', async () => {
    await fc.assert(
      fc.asyncProperty(chat, async (messages) => {
        const page = await transform(['--to', 'html'], asLines(messages));
        const [, body = ''] = page.split('<body>');
        const open = ['html', 'body'];
        for (const [tag, close, name = ''] of body.matchAll(/<(\/?)([a-z0-9!]+)[^>]*>/gi)) {
          expect(OURS.test(tag), tag).toBe(true);
          if (name === 'img') continue;
          if (close) expect(open.pop()).toBe(name);
          else open.push(name);
        }
        expect(open).toEqual([]);
        expect(body.replace(/<[^>]*>/g, '')).not.toMatch(/[<>]/);
      }),
      { numRuns: 60 },
    );
  });

  const OURS =
    /^<\/?(?:article|header|h1|h2|small|p|pre|code|b|details|summary|section|body|html)>$|^<section id="m\d+" class="[a-z ]+">$|^<details class="[a-z]+"(?: open)?>$/;

  test('long results are folded, short ones are not', async () => {
    const page = (text: string) =>
      transform(['--to', 'html'], asLines([{ role: 'tool', tool_call_id: 'c', content: text }]));
    expect(await page('short')).toContain('<details class="result" open><summary>Result · 1 line</summary>');
    expect(await page('long\n'.repeat(100))).toContain('<details class="result"><summary>Result · 100 lines</summary>');
  });
});

test('none of them lets a control character through', async () => {
  const content = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code)).join('');
  for (const to of ['markdown', 'text', 'html'])
    expect(await transform(['--to', to], asLines([{ role: 'user', content }]))).not.toMatch(
      /[\0-\x08\x0b-\x1f\x7f-\x9f]/,
    );
});

test('text is written while it is read', async () => {
  for (const to of ['markdown', 'text', 'html']) {
    let out = 0;
    const seen: number[] = [];
    const messages = [1, 2, 3].map((n) => ({ role: 'user', content: `${n}` }));
    function* chunks() {
      for (const message of messages) {
        seen.push(out);
        yield Buffer.from(asLines([message]));
      }
      seen.push(out);
    }
    const stdin = { [Symbol.iterator]: chunks } as unknown as Uint8Array[];
    await run('ai-transform', ['--to', to], {
      stdin,
      onStdout: (bytes) => {
        out += bytes.length;
      },
    });
    expect(seen.every((n, i) => i === 0 || n > (seen[i - 1] as number))).toBe(true);
  }
});

describe.each(['sharegpt', 'otel', 'atif', 'chatml'])('%s', (name) => {
  test('from OpenAI and back: texts, calls and results in order', async () => {
    await fc.assert(
      fc.asyncProperty(conversation, async (said) => {
        const row = asLines([{ messages: asOpenAI(said) }]);
        if (name === 'chatml') return;
        const back = readOut(await transform(['--to', 'openai'], await transform(['--to', name], row)));
        const messages = (lines: ReturnType<typeof readOut>) =>
          gist(lines.flatMap((line) => line.messages as typeof lines));
        const nameless = (all: string[][]) =>
          all.map((each) => (name === 'sharegpt' && each.length > 2 ? each.with(1, '') : each));
        expect(nameless(messages(back))).toEqual(nameless(messages(readOut(row))));
      }),
      { numRuns: 40 },
    );
  });
});
