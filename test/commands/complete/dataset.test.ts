// A file of conversations: in parallel, in order, resumed, with failures on their lines.
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Answer, faultServer, HELLO, json } from '../../fault-server.ts';
import { run } from '../../run.ts';
import { complete, fresh, records, reply } from './asking.ts';

const lines = (n: number) =>
  Array.from(
    { length: n },
    (_, id) => `${JSON.stringify({ id, messages: [{ role: 'user', content: `q${id}` }] })}\n`,
  ).join('');

/** Answers `a7` to `q7`, after a time that differs from line to line. */
const slowly =
  (milliseconds: (n: number) => number): Answer =>
  async (response, { body }) => {
    const n = Number(/"q(\d+)"/.exec(body)?.[1]);
    await new Promise((next) => setTimeout(next, milliseconds(n)));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply(`a${n}`)));
  };

const answers = (text: string) => records(text).map(({ id, messages }) => [id, messages.at(-1).content]);
const right = (n: number) => Array.from({ length: n }, (_, id) => [id, `a${id}`]);

describe('lines', () => {
  test('are answered in their order, though not one after another', async () => {
    await using server = await faultServer(slowly((n) => (n * 37) % 50));
    const { stdout } = await complete(server.url, ['-j', '10'], { stdin: lines(40) });
    expect(answers(stdout)).toEqual(right(40));
  });

  test('come as they are answered with --unordered', async () => {
    await using server = await faultServer(slowly((n) => (n === 0 ? 300 : 5)));
    const { stdout } = await complete(server.url, ['-j', '4', '--unordered'], { stdin: lines(12) });
    expect(answers(stdout).toSorted((a, b) => a[0] - b[0])).toEqual(right(12));
    expect(answers(stdout).at(-1)?.[0]).toBe(0);
  });

  test('are never more at once than --jobs says', async () => {
    let now = 0;
    let most = 0;
    await using server = await faultServer(async (response, asked) => {
      most = Math.max(most, ++now);
      await slowly(() => 10)(response, asked);
      now -= 1;
    });
    await complete(server.url, ['-j', '3'], { stdin: lines(20) });
    expect(most).toBe(3);
  });

  test('that fail say so on their line, and the others are answered', async () => {
    await using server = await faultServer((response, asked) =>
      asked.body.includes('"q3"')
        ? json(400, { error: { message: 'not this one' } })(response, asked)
        : slowly(() => 1)(response, asked),
    );
    const { stdout, stderr, status } = await complete(server.url, [], { stdin: lines(6) });
    expect(status).toBe(75);
    const all = records(stdout);
    expect(all).toHaveLength(6);
    expect(all[3]).toMatchObject({ id: 3, messages: [{ content: 'q3' }], _meta: { error: { status: 65 } } });
    expect(all[3]._meta.error.message).toContain('not this one');
    expect(stderr).toMatch(/-:4: .*not this one/);
  });

  test('a wrong key ends the run: it would fail them all', async () => {
    await using server = await faultServer(json(401, { error: { message: 'no' } }));
    const { status, stdout } = await complete(server.url, ['-j', '2'], { stdin: lines(50) });
    expect({ status, stdout }).toEqual({ status: 77, stdout: '' });
    expect(server.asked.length).toBeLessThan(5);
  });

  test('a line that is no JSON ends the run after the lines before it', async () => {
    await using server = await faultServer(slowly(() => 1));
    const { status, stdout } = await complete(server.url, [], { stdin: `${lines(3)}{oops\n` });
    expect(status).toBe(65);
    expect(answers(stdout)).toEqual(right(3));
  });

  test('and conversations of lines may follow each other', async () => {
    const stdin = `${lines(2)}{"model":"m"}\n{"role":"user","content":"q7"}\n`;
    await using server = await faultServer(slowly(() => 1));
    const { stdout } = await complete(server.url, [], { stdin });
    expect(records(stdout).map((r) => (r.messages ? r.messages.at(-1).content : r.content))).toEqual([
      'a0',
      'a1',
      'a7',
    ]);
  });

  test('--text prints a line for each', async () => {
    await using server = await faultServer(slowly((n) => 20 - n));
    expect((await complete(server.url, ['-t'], { stdin: lines(3) })).stdout).toBe('a0\na1\na2\n');
  });
});

test('what is a line’s own is not sent, but to servers of this machine', async () => {
  await using server = await faultServer(json(200, HELLO));
  const line = { id: 'x1', label: 'yes', top_k: 3, messages: [{ role: 'user', content: 'q' }] };
  const ask = (model: string) =>
    run('ai-complete', ['-q', '-m', model, '--base-url', server.url], { stdin: `${JSON.stringify(line)}\n` });
  const { stdout } = await ask('openrouter/qwen/qwen3-coder');
  await ask('my-server');
  const [gateway, own] = server.asked.map(({ body }) => Object.keys(JSON.parse(body)).sort());
  expect(gateway).toEqual(['messages', 'model', 'top_k']);
  expect(own).toEqual(['label', 'messages', 'model', 'top_k']);
  expect(JSON.parse(stdout)).toMatchObject({ id: 'x1', label: 'yes' });
});

describe('--resume', () => {
  test('asks only what has not been answered, and again what failed', async () => {
    const out = join(fresh(), 'out.jsonl');
    await using server = await faultServer(slowly(() => 1));
    const { stdout } = await complete(server.url, [], { stdin: lines(5) });
    const kept = stdout.split('\n').slice(0, 3).join('\n');
    writeFileSync(out, `${kept}\n{"id":3,"messages":[],"_meta":{"error":{"status":75}}}\n`);
    const before = server.asked.length;
    const resumed = await complete(server.url, ['--resume', out], { stdin: lines(5) });
    expect(answers(resumed.stdout)).toEqual([
      [3, 'a3'],
      [4, 'a4'],
    ]);
    expect(server.asked.length - before).toBe(2);
  });

  test('knows lines without ids by what they say', async () => {
    const out = join(fresh(), 'out.jsonl');
    const stdin = lines(4).replace(/"id":\d+,/g, '');
    await using server = await faultServer(slowly(() => 1));
    writeFileSync(out, (await complete(server.url, [], { stdin })).stdout.split('\n').slice(0, 2).join('\n'));
    expect(records((await complete(server.url, ['--resume', out], { stdin })).stdout)).toHaveLength(2);
  });

  test('after a kill in the middle, every line is answered exactly once', async () => {
    const dir = fresh();
    const [data, out] = [join(dir, 'in.jsonl'), join(dir, 'out.jsonl')];
    writeFileSync(data, lines(120));
    writeFileSync(out, '');
    await using server = await faultServer(slowly(() => 20));
    const start = (more: readonly string[]) => {
      const entry = join(import.meta.dirname, '../../../src/start.ts');
      const argv = [entry, 'ai-complete', '-m', 'openai/gpt-4o', '--base-url', server.url, '-j', '6', ...more, data];
      const child = spawn(process.execPath, argv, { env: {}, stdio: ['ignore', 'pipe', 'inherit'] });
      child.stdout.on('data', (chunk) => appendFileSync(out, chunk));
      return child;
    };
    const first = start([]);
    while (readFileSync(out, 'utf8').length < 5000) await new Promise((next) => setTimeout(next, 10));
    const ended = new Promise((done) => first.on('close', done));
    first.kill('SIGKILL');
    await ended;
    expect(existsSync(out)).toBe(true);
    appendFileSync(out, '{"id":119,"messages":[{"role":"us');
    const again = start(['--resume', out]);
    expect(await new Promise((done) => again.on('close', done))).toBe(0);
    const good = readFileSync(out, 'utf8')
      .split('\n')
      .flatMap((line) => {
        try {
          return [JSON.parse(line)];
        } catch {
          return [];
        }
      });
    expect(good.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(right(120).map(([id]) => id));
    expect(good.every(({ id, messages }) => messages.at(-1).content === `a${id}`)).toBe(true);
  }, 60_000);
});

test('a server that says that it is too much gets less at once', async () => {
  let now = 0;
  const seen: number[] = [];
  await using server = await faultServer(async (response, asked) => {
    seen.push(++now);
    const many = now > 4;
    await new Promise((next) => setTimeout(next, 10));
    now -= 1;
    if (many) json(429, { error: { message: 'slow' } }, { 'retry-after-ms': '20' })(response, asked);
    else await slowly(() => 1)(response, asked);
  });
  const { status } = await run(
    'ai-complete',
    ['-n', '-q', '-m', 'openai/m', '--base-url', server.url, '-j', '32', '--retries', '20'],
    {
      stdin: lines(150),
    },
  );
  expect(status).toBe(0);
  expect(Math.max(...seen.slice(-50))).toBeLessThan(16);
}, 60_000);
