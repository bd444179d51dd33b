// Models that need no provider, and what is said where there is none.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { faultServer, HELLO, json } from '../../fault-server.ts';
import { run } from '../../run.ts';
import { tinyGguf } from '../../tiny-gguf.ts';
import { ASK, fresh, records } from './asking.ts';

const extract = async (text: string, ...argv: string[]): Promise<string> => {
  const stdin = `${JSON.stringify({ role: 'user', content: text })}\n`;
  const { stdout, status } = await run('ai-complete', ['-n', '-m', 'extract', ...argv], { stdin });
  expect(status).toBe(0);
  return records(stdout)[0].content;
};

describe('extract', () => {
  const TEXT = `The deployment failed because the database migration timed out. The weather was nice that day.
We decided to split the migration into two steps. Anna had coffee. The first step of the migration adds the new column to the
database without a default. The second step of the migration fills the column of the database in batches of 500 rows.
Thanks everybody! See you next week.`;

  test('takes the sentences that say most, in their order', async () => {
    const summary = await extract(TEXT, '--max-tokens', '60');
    expect(summary).toMatch(/migration/);
    expect(summary).not.toMatch(/coffee|weather|Thanks/);
    const places = summary
      .split(/(?<=\.)\s+/)
      .map((sentence) => TEXT.replace(/\s+/g, ' ').indexOf(sentence.slice(0, 30)));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  test('says the same every time, and nothing that was not said', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.lorem({ mode: 'sentences', maxCount: 5 }), { minLength: 1, maxLength: 30 }),
        async (paragraphs) => {
          const text = paragraphs.join('\n');
          const summary = await extract(text, '--max-tokens', '100');
          expect(await extract(text, '--max-tokens', '100')).toBe(summary);
          expect(summary.length).toBeLessThanOrEqual(400);
          for (const line of summary.split('\n'))
            for (const sentence of line.split(/(?<=\.) /)) expect(text).toContain(sentence);
        },
      ),
      { numRuns: 20 },
    ));

  test('takes no time to speak of on much text, or on text without sentences', async () => {
    await extract('lorem ipsum dolor sit amet. '.repeat(50_000));
    await extract('x'.repeat(2_000_000));
    await extract('a. '.repeat(300_000));
  });
});

describe('without a model', () => {
  test('the shortest ways to one are told', async () => {
    const env = { OLLAMA_HOST: '127.0.0.1:9' };
    const { status, stderr } = await run('ai-complete', [], { stdin: ASK, env });
    // A server of this machine may be there.
    if (status === 0) return;
    expect(status).toBe(69);
    expect(stderr).toMatch(/ANTHROPIC_API_KEY.*ollama run.*-m gguf:FILE/);
  });

  test('a server of this machine is found', async () => {
    await using server = await faultServer((response, asked) =>
      asked.path.endsWith('/models')
        ? json(200, { object: 'list', data: [{ id: 'nomic-embed' }, { id: 'llama3.2' }] })(response, asked)
        : json(200, asked.path.startsWith('/api/') ? OLLAMA : HELLO)(response, asked),
    );
    const { stdout, stderr } = await run('ai-complete', ['-n', '-m', 'local'], {
      stdin: ASK,
      env: { OLLAMA_HOST: server.url },
    });
    expect(records(stdout)[0]?._meta, stderr).toMatchObject({ provider: 'ollama', model: 'llama3.2' });
  });

  const OLLAMA = {
    model: 'llama3.2',
    created_at: '2026-01-01T00:00:00Z',
    message: { role: 'assistant', content: 'Hello there.' },
    done: true,
    done_reason: 'stop',
  };
});

describe('a model file', () => {
  test('needs node-llama-cpp, and says how to get it', async () => {
    const file = join(fresh(), 'tiny.gguf');
    writeFileSync(file, tinyGguf());
    const { status, stderr } = await run('ai-complete', ['-m', `gguf:${file}`], { stdin: ASK, env: { HOME: fresh() } });
    expect(status).toBe(69);
    expect(stderr).toMatch(/npm install --prefix \S+ node-llama-cpp@\d/);
    expect((await run('ai-complete', ['-m', 'gguf:missing'], { stdin: ASK })).status).toBe(74);
  });

  const home = process.env.AI_TEST_LLAMA;

  test.skipIf(home === undefined)(
    'runs, and streams what it says',
    () => {
      const data = join(home as string, 'ai');
      mkdirSync(data, { recursive: true });
      if (!existsSync(join(data, 'node_modules/node-llama-cpp')))
        execFileSync('npm', ['install', '--prefix', data, '--no-audit', '--no-fund', 'node-llama-cpp@3.22.1'], {
          stdio: 'ignore',
        });
      const file = join(fresh(), 'tiny.gguf');
      writeFileSync(file, tinyGguf());
      // In a process of its own: vitest has no import() for code that is made at run time.
      const entry = join(import.meta.dirname, '../../../src/start.ts');
      const options = ['-n', '-m', `gguf:${file}`, '--max-tokens', '12', '--temperature', '0'];
      const env = { XDG_DATA_HOME: home as string, AI_GPU: 'off', AI_STATE: 'off' };
      const ask = (...argv: string[]) =>
        execFileSync(process.execPath, [entry, 'ai-complete', ...options, ...argv], {
          input: ASK,
          env,
          encoding: 'utf8',
        });
      const [whole] = records(ask());
      expect(whole._meta).toMatchObject({ provider: 'gguf', usage: { input_tokens: expect.any(Number) } });
      const streamed = records(ask('--stream'));
      expect(streamed.at(-1).content).toBe(whole.content);
      expect(
        streamed
          .slice(0, -1)
          .map(({ text }) => text)
          .join(''),
      ).toBe(whole.content);
    },
    120_000,
  );
});
