// What is asked again, how often, and who is asked instead.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pauseBefore } from '../../../src/lib/providers/retry.ts';
import { type Answer, faultServer, HELLO, json } from '../../fault-server.ts';
import { run } from '../../run.ts';
import { ASK, complete, fresh, records, reply } from './asking.ts';

const limited = (headers: Record<string, string> = {}) =>
  json(429, { error: { type: 'rate_limit_error', message: 'slow down' } }, headers);

describe('attempts', () => {
  test.each<[string, Answer, number]>([
    ['a spent quota', json(429, { error: { code: 'insufficient_quota', message: 'no' } }), 1],
    [
      'a spending limit',
      json(429, { error: { type: 'rate_limit_error', details: { error_code: 'enforced_spend_limit_reached' } } }),
      1,
    ],
    ['a filter', json(400, { error: { code: 'content_filter', message: 'no' } }), 1],
    ['too long a conversation', json(400, { error: { code: 'context_length_exceeded', message: 'no' } }), 1],
    ['a wrong request', json(400, { error: { message: 'no such field' } }), 1],
    ['a wrong key', json(401, { error: { message: 'no' } }), 1],
    ['a rate limit', limited({ 'retry-after-ms': '10' }), 2],
    ['overload', json(529, { error: { type: 'overloaded_error' } }, { 'retry-after-ms': '1' }), 2],
    ['a timeout of the server', json(408, {}, { 'retry-after-ms': '1' }), 2],
    ['a conflict', json(409, {}, { 'retry-after-ms': '1' }), 2],
    ['what the server says not to ask again', json(500, {}, { 'x-should-retry': 'false' }), 1],
  ])('%s', async (_, answer, attempts) => {
    await using server = await faultServer(answer);
    const { stdout } = await complete(server.url, ['--retries', '1']);
    expect(stdout).toBe('');
    expect(server.asked).toHaveLength(attempts);
  });

  test('as many as --retries says, and never sooner than the server allows', async () => {
    await using server = await faultServer(limited({ 'retry-after': '1' }));
    const { status, stderr } = await complete(server.url, ['--retries', '2']);
    expect(status).toBe(75);
    expect(stderr).toContain('gave up after 3 attempts');
    expect(server.asked).toHaveLength(3);
    const times = server.asked.map(({ at }) => at);
    for (const [i, at] of times.slice(1).entries()) expect(at - (times[i] ?? 0)).toBeGreaterThanOrEqual(995);
  });

  test('a server that asks to wait longer than --max-wait allows than --max-wait is', async () => {
    await using server = await faultServer(limited({ 'retry-after': '3600' }));
    const { status, stderr } = await complete(server.url, []);
    expect(status).toBe(75);
    expect(stderr).toMatch(/asks to wait 3600 s, longer than --max-wait/);
    expect(server.asked).toHaveLength(1);
  });

  test('a limit of which the server says that nothing is left is waited for, if it is not too long', async () => {
    const none = (reset: string) => ({
      'x-ratelimit-limit-requests': '9',
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': reset,
    });
    await using server = await faultServer(
      json(200, HELLO, none('1s')),
      json(200, HELLO, none('2h')),
      json(200, HELLO),
    );
    const env = { AI_STATE: `${fresh()}/s.db` };
    for (let n = 0; n < 3; n++) expect((await complete(server.url, [], { env })).status).toBe(0);
    const [first, second, third] = server.asked.map(({ at }) => at) as [number, number, number];
    expect(second - first).toBeGreaterThanOrEqual(990);
    expect(third - second).toBeLessThan(3_600_000);
  });

  test('pauses grow up to 30 s, by chance, and are at least what the server says', () => {
    expect([0, 1, 2, 3, 4, 5, 6].map((nth) => pauseBefore(nth, undefined, 1))).toEqual([1, 2, 4, 8, 16, 30, 30]);
    expect(pauseBefore(3, undefined, 0)).toBe(0);
    expect(pauseBefore(0, 7, 1)).toBe(7);
  });

  test('what was tried more than once is told', async () => {
    await using server = await faultServer(limited({ 'retry-after-ms': '1' }), json(200, HELLO));
    const [{ _meta }] = records((await complete(server.url, [])).stdout);
    expect(_meta.attempts).toBe(2);
  });
});

/** Providers of the configuration, each at a server of its own. */
function providers(servers: Readonly<Record<string, string>>, models: object = {}): Record<string, string> {
  const home = fresh();
  const dir = join(home, 'ai');
  const rows = Object.entries(servers).map(([name, url]) => [name, { apis: { openai: url }, kind: 'local' }]);
  process.getBuiltinModule('node:fs').mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'models.json'), JSON.stringify({ providers: Object.fromEntries(rows), models }));
  return { XDG_CONFIG_HOME: home };
}

describe('fallbacks', () => {
  const ask = (env: Record<string, string>, ...argv: string[]) =>
    run('ai-complete', ['-n', '--retries', '0', ...argv], { stdin: ASK, env });

  test.each<[string, Answer, boolean]>([
    ['overloaded', json(529, {}), true],
    ['down', (response) => void response.destroy(), true],
    ['out of money', json(402, { error: { message: 'no credit' } }), true],
    ['given a wrong request', json(400, { error: { message: 'bad field' } }), false],
    ['given a wrong key', json(401, {}), false],
    ['filtering', json(400, { error: { code: 'content_filter' } }), false],
  ])('a provider that is %s', async (_, answer, taken) => {
    await using first = await faultServer(answer);
    await using second = await faultServer(json(200, reply('from the second')));
    const env = providers({ one: first.url, two: second.url });
    const { stdout, status } = await ask(env, '-m', 'one/m', '--fallback', 'two/m');
    expect(second.asked).toHaveLength(taken ? 1 : 0);
    if (!taken) return void expect(status).not.toBe(0);
    const [message] = records(stdout);
    expect(message.content).toBe('from the second');
    expect(message._meta.provider).toBe('two');
    expect(message._meta.instead_of[0].model).toBe('one/m');
  });

  test('a conversation that is too long goes to a larger window, and to no other', async () => {
    const tooLong = json(400, { error: { code: 'context_length_exceeded', message: 'maximum context length' } });
    await using first = await faultServer(tooLong);
    await using small = await faultServer(json(200, reply('small')));
    await using large = await faultServer(json(200, reply('large')));
    const models = { one: { m: { context: 8000 } }, two: { m: { context: 4000 } }, three: { m: { context: 100_000 } } };
    const env = providers({ one: first.url, two: small.url, three: large.url }, models);
    const { stdout } = await ask(env, '-m', 'one/m', '--fallback', 'two/m', '--fallback', 'three/m');
    expect(records(stdout)[0].content).toBe('large');
    expect(small.asked).toHaveLength(0);
  });

  test('those that ai-route wrote into the head are taken', async () => {
    await using first = await faultServer(json(529, {}));
    await using second = await faultServer(json(200, reply('second')));
    const env = providers({ one: first.url, two: second.url });
    const head = { model: 'm', _meta: { route: { provider: 'one', fallbacks: ['two/m'] } } };
    const { stdout } = await run('ai-complete', ['-n', '--retries', '0'], {
      stdin: `${JSON.stringify(head)}\n${ASK}`,
      env,
    });
    expect(records(stdout)[0].content).toBe('second');
  });
});

describe('a server that fails', () => {
  test('five calls in a row is left alone by all processes, and nobody else is', async () => {
    await using server = await faultServer(json(529, {}));
    await using well = await faultServer(json(200, HELLO));
    const env = { AI_STATE: join(fresh(), 's.db') };
    for (let n = 0; n < 7; n++) expect((await complete(server.url, ['--retries', '0'], { env })).status).toBe(75);
    expect(server.asked).toHaveLength(5);
    expect((await complete(well.url, ['--retries', '0'], { env })).status).toBe(0);
  });

  test('is asked as often as --retries says within one call', async () => {
    const busy = json(529, {}, { 'retry-after-ms': '1' });
    await using server = await faultServer(busy, busy, busy, json(200, HELLO));
    const env = { AI_STATE: join(fresh(), 's.db') };
    expect((await complete(server.url, ['--retries', '3'], { env })).status).toBe(0);
    expect(server.asked).toHaveLength(4);
  });
});

test.each([
  [
    '[]\n',
    'cannot recognise a conversation: it looks like an empty array (ai-transform --help lists the formats that can be read)',
  ],
  ['{"model":"gpt-4o"}\n', 'cannot complete: there is no message to answer'],
  [
    '{"type":"note"}\n',
    'cannot recognise a conversation: it looks like an object, with the field "type" (ai-transform --help lists the formats that can be read)',
  ],
])('%j has nothing to answer, and nobody is asked', async (stdin, reason) => {
  await using server = await faultServer(json(200, HELLO));
  const { status, stderr } = await complete(server.url, [], { stdin });
  expect([status, server.asked.length]).toEqual([65, 0]);
  expect(stderr).toBe(`ai-complete: -:1: ${reason}\n`);
});

test('a fallback that is an address is asked there, whatever --base-url says of the others', async () => {
  await using first = await faultServer(json(503, { error: { message: 'down' } }));
  await using second = await faultServer(json(200, HELLO));
  const argv = ['--retries', '0', '--fallback', `${second.url}/v1/other`];
  const { status, stdout } = await complete(first.url, argv, { env: { AI_API_KEY: 'own' } });
  expect(status).toBe(0);
  expect(JSON.parse(stdout)._meta.instead_of).toMatchObject([{ why: 'server' }]);
  expect(JSON.parse(second.asked[0]?.body ?? '').model).toBe('other');
  expect(second.asked[0]?.headers.authorization).toBeUndefined();
});
