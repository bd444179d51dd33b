// What ai-condense hides is in no request: everything here goes through the programs, to a server that keeps what arrives.
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/lib/json/values.ts';
import { faultServer, json } from '../../fault-server.ts';
import { run } from '../../run.ts';
import { complete, reply } from '../complete/asking.ts';
import { asText, parse, session } from './sessions.ts';

const { lines } = session(30);
const HEAD = { model: 'gpt-4o' };
const marked = async (...input: readonly JsonObject[]) =>
  (await run('ai-condense', ['--budget', '3000', '--mark'], { stdin: asText(input) })).stdout;
const isHidden = ({ _meta: meta }: JsonObject): boolean => (meta as JsonObject | undefined)?.hidden === true;
const bare = ({ _meta, ...rest }: JsonObject): JsonObject => rest;

/** The messages that a stream shows, as an API gets them. */
const shownIn = (text: string): JsonObject[] =>
  parse(text)
    .filter((line) => !isHidden(line) && line.role !== undefined)
    .map(bare);

/** What of a conversation is hidden and stands nowhere else in it. */
function gone(text: string): string[] {
  const all = parse(text).flatMap((line) => (Array.isArray(line.messages) ? (line.messages as JsonObject[]) : [line]));
  const shown = JSON.stringify(all.filter((line) => !isHidden(line)));
  const contents = all.filter(isHidden).map(({ content }) => JSON.stringify(content).slice(1, -1));
  return contents.filter((content) => content.length > 40 && !shown.includes(content));
}

describe('ai-complete sends what is shown', () => {
  test('of lines', async () => {
    const stdin = await marked(HEAD, ...lines);
    expect(gone(stdin).length).toBeGreaterThan(20);
    await using server = await faultServer(json(200, reply('ok')));
    const { stdout } = await complete(server.url, [], { stdin });
    expect(JSON.parse(server.asked[0]?.body ?? '').messages).toEqual(shownIn(stdin));
    expect(parse(stdout)).toHaveLength(1);
  });

  test('and leaves the rest in the conversation', async () => {
    const stdin = await marked(HEAD, ...lines);
    await using server = await faultServer(json(200, reply('ok')));
    const argv = ['-m', 'openai/gpt-4o', '--base-url', server.url];
    const { stdout } = await run('ai-complete', argv, { stdin });
    expect(stdout.startsWith(stdin)).toBe(true);
    expect((await run('ai-condense', ['--restore'], { stdin: stdout })).stdout).toContain(asText(lines));
  });

  test.each(['anthropic/claude-sonnet-4-5', 'google/gemini-2.5-pro', 'openai/gpt-5.3-codex'])(
    'to %s',
    async (model) => {
      const stdin = await marked(...lines);
      await using server = await faultServer(json(400, {}));
      await complete(server.url, ['--retries', '0'], { stdin, model });
      const body = server.asked[0]?.body ?? '';
      expect(body.length).toBeGreaterThan(2000);
      expect(gone(stdin).filter((content) => body.includes(content))).toEqual([]);
    },
  );

  test('of a dataset', async () => {
    const stdin = await marked(
      { ...HEAD, messages: lines as JsonObject[] },
      { ...HEAD, messages: lines as JsonObject[] },
    );
    await using server = await faultServer(json(200, reply('ok')));
    await complete(server.url, [], { stdin });
    expect(server.asked).toHaveLength(2);
    const [line = {}] = parse(stdin);
    for (const { body } of server.asked)
      expect(JSON.parse(body).messages).toEqual(
        (line.messages as JsonObject[]).filter((message) => !isHidden(message)).map(bare),
      );
  });

  test.each([[['--dry-run']], [['--dry-run', '-m', 'openai/gpt-4o', '--attach', 'package.json']]])(
    'with %j',
    async (argv) => {
      const stdin = await marked(HEAD, ...lines);
      const { stdout } = await run('ai-complete', argv, { stdin, env: { OPENAI_API_KEY: 'k' } });
      expect(gone(stdin).filter((content) => stdout.includes(content))).toEqual([]);
    },
  );

  test('in a batch', async () => {
    const stdin = await marked({ ...HEAD, messages: lines as JsonObject[] });
    await using server = await faultServer(json(200, { id: 'file-1' }), json(200, { id: 'b', status: 'validating' }));
    await complete(server.url, ['--batch', 'submit'], { stdin, env: { AI_API_KEY: 'k' } });
    const sent = server.asked.map(({ body }) => body).join('');
    expect(sent).toContain('custom_id');
    expect(gone(stdin).filter((content) => sent.includes(content))).toEqual([]);
  });

  test('and a call that is hidden wants no result', async () => {
    const call = { id: 'c', type: 'function', function: { name: 'rm', arguments: '{}' } };
    const stdin = asText([
      { role: 'user', content: 'hello' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [call],
        _meta: { hidden: true, hidden_for: { reason: 'window' } },
      },
    ]);
    await using server = await faultServer(json(200, reply('ok')));
    expect(await complete(server.url, [], { stdin })).toMatchObject({ status: 0 });
    expect((await run('ai-pending', [], { stdin })).stdout).toBe('');
    expect((await run('ai-turn', [], { stdin })).stdout).toBe('model\n');
  });
});

describe('what counts for a request', () => {
  test('ai-route estimates what is shown', async () => {
    const stdin = await marked(HEAD, ...lines);
    const estimate = async (text: string) => {
      const { stdout } = await run('ai-route', [], { stdin: text, env: { OPENAI_API_KEY: 'k' } });
      return parse(stdout)[0]?._meta;
    };
    expect(await estimate(stdin)).toEqual(await estimate(asText([HEAD, ...shownIn(stdin)])));
  });

  test('images that are hidden are no need', async () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };
    const stdin = asText([
      { role: 'user', content: [image], _meta: { hidden: true, hidden_for: { reason: 'images' } } },
      { role: 'user', content: 'hello' },
    ]);
    const argv = ['-m', 'deepseek/deepseek-chat'];
    expect(await run('ai-route', argv, { stdin, env: { DEEPSEEK_API_KEY: 'k' } })).toMatchObject({ status: 0 });
  });

  test('ai-wc counts the window of what is shown, and the cost of all', async () => {
    const paid = lines.map((line) =>
      line.role === 'assistant'
        ? { ...line, _meta: { usage: { input_tokens: 90_000, output_tokens: 9 }, cost: { usd: 0.25 } } }
        : line,
    );
    const stdin = await marked(HEAD, ...paid);
    const count = async (text: string) =>
      parse((await run('ai-wc', ['--json'], { stdin: text })).stdout)[0] as JsonObject;
    const [before, after] = [await count(asText([HEAD, ...paid])), await count(stdin)];
    expect(after.messages).toBe(shownIn(stdin).length);
    expect((after.context as JsonObject).tokens).toBeLessThanOrEqual(3000);
    expect(after.usd).toBe(before.usd);
    expect(after.used).toEqual(before.used);
  });

  test('--check looks at what is shown', async () => {
    const orphan = { role: 'tool', tool_call_id: 'x', content: 'y', _meta: { hidden: true } };
    const broken = { role: 'user', content: 7, _meta: { hidden: true } };
    const ask = { role: 'user', content: 'a' };
    const check = (...input: JsonObject[]) => run('ai-transform', ['--check'], { stdin: asText(input) });
    expect(await check(ask, orphan, broken)).toMatchObject({ status: 0, stdout: '' });
    expect(await check({ messages: [ask, orphan, broken] })).toMatchObject({ status: 0, stdout: '' });
    expect(await check(ask, { ...orphan, _meta: {} })).toMatchObject({ status: 1 });
  });
});

describe('ai-transform', () => {
  test('--roll leaves out what is hidden, whether it comes as lines or rolled up', async () => {
    const stdin = await marked(HEAD, ...lines);
    const roll = async (text: string, ...argv: string[]) =>
      (await run('ai-transform', ['--roll', ...argv], { stdin: text })).stdout;
    const [line = {}] = parse(await roll(stdin));
    expect((line.messages as JsonObject[]).map(bare)).toEqual(shownIn(stdin));
    const rolled = await marked({ ...HEAD, messages: lines as JsonObject[] });
    expect(rolled).toContain('"hidden":true');
    for (const argv of [[], ['--to', 'anthropic'], ['--to', 'openai-responses']])
      expect(await roll(rolled, ...argv)).not.toContain('"hidden"');
  });

  test.each(['anthropic', 'gemini', 'openai-responses', 'bedrock', 'mistral', 'ollama', 'cohere'])(
    '--to %s keeps the mark, and changes nothing of what is shown',
    async (to) => {
      const stdin = await marked(HEAD, ...lines);
      const only = asText(parse(stdin).filter((line) => !isHidden(line)));
      const convert = async (text: string) => (await run('ai-transform', ['--to', to, '-q'], { stdin: text })).stdout;
      const out = parse(await convert(stdin));
      expect(out.filter((line) => !isHidden(line))).toEqual(parse(await convert(only)));
      const left = out.filter((line) => !isHidden(line)).map((line) => JSON.stringify(line));
      const secret = gone(stdin);
      expect(secret.filter((words) => left.some((line) => line.includes(words)))).toEqual([]);
      const hidden = JSON.stringify(out.filter(isHidden));
      expect(secret.filter((words) => !hidden.includes(words))).toEqual([]);
    },
  );

  test.each(['markdown', 'claude-code', 'codex', 'html', 'sharegpt'])(
    '--to %s has no place for the mark, and says so',
    async (to) => {
      const stdin = await marked(HEAD, ...lines);
      const { stdout, stderr } = await run('ai-transform', ['--to', to], { stdin });
      const secret = gone(stdin);
      if (stdout.includes('"hidden":true')) return;
      expect(stderr).toContain('hidden from the model');
      expect(secret.filter((words) => stdout.includes(words))).toEqual([]);
    },
  );

  test('what comes back after a conversion is what the conversion gives', async () => {
    const stdin = asText([
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'long', _meta: { hidden: true, hidden_for: { reason: 'window' } } },
      { role: 'user', content: 'b', _meta: { hidden: true, hidden_for: { reason: 'window' } } },
      { role: 'assistant', content: 'c' },
    ]);
    const { stdout } = await run('ai-transform', ['--to', 'gemini'], { stdin });
    const texts = parse((await run('ai-condense', ['--restore'], { stdin: stdout })).stdout);
    expect(texts.map(({ parts }) => parts)).toEqual(['a', 'long', 'b', 'c'].map((text) => [{ text }]));
  });
});

test('the built programs in a pipe', async () => {
  await using server = await faultServer(json(200, reply('ok')));
  const script = `bin/ai-condense --budget 3000 --mark | bin/ai-complete -n -m openai/gpt-4o --base-url ${server.url}`;
  const { spawn } = await import('node:child_process');
  const child = spawn('/bin/sh', ['-c', script], {
    env: { PATH: process.env.PATH },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  child.stdin.end(asText([HEAD, ...lines]));
  expect(await new Promise((done) => child.on('exit', done))).toBe(0);
  const marks = execFileSync('bin/ai-condense', ['--budget', '3000', '--mark'], { input: asText([HEAD, ...lines]) });
  expect(JSON.parse(server.asked[0]?.body ?? '').messages).toEqual(shownIn(marks.toString()));
});
