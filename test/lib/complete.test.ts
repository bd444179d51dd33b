// ai-complete against real servers on loopback: a mock of both APIs, and one that misbehaves.
import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import { LLMock } from '@copilotkit/aimock';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, event, faultServer, HELLO, HELLO_STREAM, json, stream } from '../fault-server.ts';
import { run } from '../run.ts';

const ask = '{"role":"user","content":"hello"}\n';
const out = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

describe('a mock of both APIs', () => {
  const mock = new LLMock({ port: 0 });
  beforeAll(async () => {
    mock.onMessage('hello', { content: 'Hi there!' });
    mock.onMessage('read', { toolCalls: [{ name: 'Read', arguments: '{"path":"a.txt"}' }] });
    await mock.start();
  });
  afterAll(() => mock.stop());

  const argv = (model: string) => ['-m', model, '--base-url', `${mock.url}/v1`];

  test.each(['openai/gpt-4o-mini', 'anthropic/claude-sonnet-4-5'])('%s answers, streamed and whole', async (model) => {
    const whole = await run('ai-complete', argv(model), { stdin: ask });
    expect(whole.status, whole.stderr).toBe(0);
    const [, message] = out(whole.stdout);
    expect(message._meta.provider).toBe(model.split('/')[0]);
    expect(JSON.stringify(message.content)).toContain('Hi there!');
    const streamed = out((await run('ai-complete', [...argv(model), '--stream', '-n'], { stdin: ask })).stdout);
    expect(
      streamed
        .filter((r) => r.type === 'delta')
        .map((r) => r.text)
        .join(''),
    ).toBe('Hi there!');
    expect(streamed.at(-1).content).toEqual(message.content);
    expect((await run('ai-complete', [...argv(model), '-t'], { stdin: ask })).stdout).toBe('Hi there!\n');
  });

  test.each(['openai/gpt-4o-mini', 'anthropic/claude-sonnet-4-5'])(
    '%s: the call of a tool comes in the dialect of the stream',
    async (model) => {
      const tools =
        '{"tools":[{"type":"function","function":{"name":"Read","parameters":{"type":"object"}}}]}\n{"role":"user","content":"read"}\n';
      const [message] = out((await run('ai-complete', [...argv(model), '-n'], { stdin: tools })).stdout);
      expect(message.tool_calls[0].function).toEqual({ name: 'Read', arguments: '{"path":"a.txt"}' });
      expect(message._meta.stop.reason).toBe('tool_calls');
    },
  );
});

describe('the request', () => {
  const REPLY = {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [{ type: 'text', text: 'x' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  };

  test('is the one that the official SDK sends for the same Chat conversation', async () => {
    await using server = await faultServer(json(200, HELLO));
    const messages = [{ role: 'user' as const, content: 'hello' }];
    await new OpenAI({ apiKey: 'k', baseURL: server.url }).chat.completions.create({
      model: 'm',
      temperature: 0.5,
      messages,
    });
    const stdin =
      '{"temperature":0.5,"_meta":{"secret":1}}\n{"role":"user","content":"hello","_meta":{"a":1}}\n{"type":"call","id":"x"}\n';
    await run('ai-complete', ['-m', 'openai/m', '--base-url', server.url], { stdin });
    const [theirs, ours] = server.asked;
    expect(JSON.parse(ours?.body ?? '')).toEqual(JSON.parse(theirs?.body ?? ''));
    expect(ours?.path).toBe(theirs?.path);
  });

  test('is the one that the official SDK sends for the same Messages conversation', async () => {
    await using server = await faultServer(json(200, REPLY));
    const body = {
      model: 'm',
      max_tokens: 9,
      system: 'Be brief.',
      messages: [{ role: 'user' as const, content: 'hello' }],
    };
    await new Anthropic({ apiKey: 'k', baseURL: server.url }).messages.create(body);
    const stdin = '{"max_tokens":9,"system":"Be brief."}\n{"role":"user","content":"hello"}\n';
    await run('ai-complete', ['-m', 'anthropic/m', '--base-url', `${server.url}/v1`], { stdin });
    const [theirs, ours] = server.asked;
    expect(JSON.parse(ours?.body ?? '')).toEqual(JSON.parse(theirs?.body ?? ''));
    expect(ours?.path).toBe(theirs?.path);
    expect(ours?.headers['anthropic-version']).toBe(theirs?.headers['anthropic-version']);
  });

  test('carries no key of a provider to another server', async () => {
    await using server = await faultServer(json(200, HELLO));
    const env = { OPENAI_API_KEY: 'sk-secret', ANTHROPIC_API_KEY: 'sk-secret' };
    await run('ai-complete', ['-m', 'openai/m', '--base-url', server.url], { stdin: ask, env });
    expect(JSON.stringify(server.asked)).not.toContain('sk-secret');
    await run('ai-complete', ['-m', 'openai/m', '--base-url', server.url], { stdin: ask, env: { AI_API_KEY: 'own' } });
    expect(server.asked.at(-1)?.headers.authorization).toBe('Bearer own');
  });
});

const complete = (url: string, ...argv: string[]) =>
  run('ai-complete', ['-m', 'openai/m', '--base-url', url, '-n', ...argv], { stdin: ask });

describe('faults', () => {
  test.each<[string, Answer, number, RegExp]>([
    ['a wrong key', json(401, { error: { message: 'bad key' } }), 77, /answered 401: bad key/],
    ['a spent quota', json(429, { error: { message: 'no money', type: 'insufficient_quota' } }), 77, /no money/],
    ['a bad request', json(400, { error: { message: 'no such field' } }), 65, /no such field/],
    ['200 with an error in it', json(200, { error: { message: 'oops' } }), 69, /oops/],
    ['200 with something else', json(200, { hello: 1 }), 69, /not a reply of this API/],
    [
      'a body that is no JSON',
      (r) => void r.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
      69,
      /not a JSON object/,
    ],
    ['a redirect', (r) => void r.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(), 65, /answered 307/],
    ['a stream without an end', stream(HELLO_STREAM.slice(0, 3)), 69, /without finish_reason/],
    ['a stream with broken JSON', stream([HELLO_STREAM[0] ?? '', 'data: {"choices": [\n\n']), 69, /not a JSON object/],
    [
      'an error inside a stream',
      stream([HELLO_STREAM[0] ?? '', event({ error: { message: 'overloaded' } })]),
      75,
      /overloaded/,
    ],
    ['a connection cut in a stream', stream(HELLO_STREAM.slice(0, 2), 'cut'), 69, /cut|aborted/],
  ])('%s: the right status, and nothing on standard output', async (_, answer, status, words) => {
    await using server = await faultServer(answer);
    const result = await complete(server.url, '--retries', '0');
    expect(result).toEqual({ stdout: '', stderr: expect.stringMatching(words), status });
  });

  test('a server that is down', async () => {
    const server = await faultServer(json(200, HELLO));
    await server[Symbol.asyncDispose]();
    const { stdout, stderr, status } = await complete(server.url, '--retries', '0');
    expect({ stdout, status }).toEqual({ stdout: '', status: 69 });
    expect(stderr).toMatch(/cannot reach 127\.0\.0\.1:\d+: nothing listens there/);
  });

  test('silence ends at the timeout', async () => {
    await using server = await faultServer(stream(HELLO_STREAM.slice(0, 2), 'silence'));
    expect((await complete(server.url, '--timeout', '0.3')).status).toBe(124);
  });

  test('busy, then well: it is tried again, not before the server allows', async () => {
    await using server = await faultServer(
      json(429, { error: { message: 'slow down' } }, { 'retry-after-ms': '300' }),
      json(503, {}),
      json(200, HELLO),
    );
    const { stdout, status } = await complete(server.url);
    expect(status).toBe(0);
    expect(out(stdout)[0].content).toBe('Hello there.');
    const [first, second] = server.asked;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(295);
  });

  test('a spent quota is asked once', async () => {
    await using server = await faultServer(json(429, { error: { code: 'credit_balance_exhausted' } }));
    await complete(server.url);
    expect(server.asked).toHaveLength(1);
  });

  test('a stream that was told in part is not asked for again', async () => {
    await using server = await faultServer(stream(HELLO_STREAM.slice(0, 3)));
    const { stdout, status } = await complete(server.url, '--stream');
    expect(status).toBe(75);
    expect(server.asked).toHaveLength(1);
    expect(out(stdout).every((record) => record.type === 'delta')).toBe(true);
  });

  test('cut at every byte of a stream, it is an error or the whole answer', async () => {
    const bytes = Buffer.from(HELLO_STREAM.join('').replace('there.', 'thére.'));
    const enough = bytes.indexOf('"finish_reason":"stop"}]}\n\n') + '"finish_reason":"stop"}]}\n\n'.length;
    for (let cut = 1; cut < bytes.length; cut += 7) {
      await using server = await faultServer(stream([bytes.subarray(0, cut)]));
      const { stdout, status } = await complete(server.url, '--retries', '0');
      if (cut < enough) expect({ cut, stdout, status }).toEqual({ cut, stdout: '', status: 69 });
      else expect(out(stdout)[0].content).toBe('Hello thére.');
    }
  });

  test('a server that does not stream though it is asked to is heard', async () => {
    await using server = await faultServer(json(200, HELLO));
    expect((await complete(server.url, '-t')).stdout).toBe('Hello there.\n');
    const streamed = out((await complete(server.url, '--stream')).stdout);
    expect(streamed[0]).toMatchObject({ type: 'delta', text: 'Hello there.' });
    expect(streamed.at(-1)).toMatchObject({ role: 'assistant', content: 'Hello there.' });
  });

  test('line ends and chunk borders do not matter', async () => {
    const bytes = Buffer.from(HELLO_STREAM.join('').replace('there.', 'thére.').replaceAll('\n', '\r\n'));
    await using server = await faultServer(stream([...bytes].map((_, i) => bytes.subarray(i, i + 1))));
    expect(out((await complete(server.url)).stdout)[0].content).toBe('Hello thére.');
  });
});

describe('cassettes', () => {
  test.each([[[]], [['--stream']]])(
    'what was recorded %j is replayed for the same question, and for no other',
    async (more) => {
      const tape = join(mkdtempSync(join(tmpdir(), 'tape-')), 'tape.jsonl');
      await using server = await faultServer(more.length > 0 ? stream(HELLO_STREAM) : json(200, HELLO));
      const recorded = await run(
        'ai-complete',
        ['-m', 'openai/m', '--base-url', server.url, '--record', tape, ...more],
        { stdin: ask, env: { AI_API_KEY: 'sk-secret' } },
      );
      expect(recorded.status, recorded.stderr).toBe(0);
      expect(readFileSync(tape, 'utf8')).not.toContain('sk-secret');
      expect(statSync(tape).mode & 0o077).toBe(0);
      expect((await run('ai-complete', ['-m', `replay:${tape}`, ...more], { stdin: ask })).stdout).toBe(
        recorded.stdout,
      );
      const other = await run('ai-complete', ['-m', `replay:${tape}`], { stdin: ask.replace('hello', 'bye') });
      expect(other.status).toBe(69);
      expect(other.stderr).toContain('differs at .messages.0.content');
    },
  );
});
