// Keys appear nowhere but in the header of the provider's own host.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { faultServer, HELLO, json } from '../../fault-server.ts';
import { run } from '../../run.ts';
import { ASK, complete, fresh, records } from './asking.ts';

const KEY = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789';

describe('a key', () => {
  test('stands in no error, trace, cassette or record, though the server repeats it', async () => {
    const dir = fresh();
    const [trace, tape] = [join(dir, 'trace'), join(dir, 'tape')];
    await using server = await faultServer(
      json(500, { error: { message: `bad ${KEY}` } }, { 'retry-after-ms': '1' }),
      json(200, {
        ...HELLO,
        choices: [{ ...HELLO.choices[0], message: { role: 'assistant', content: 'fine' } }],
        system_fingerprint: KEY,
      }),
      json(401, { error: { message: `Incorrect API key provided: ${KEY}` } }),
    );
    const argv = ['--trace', trace, '--record', tape];
    const good = await complete(server.url, argv, { env: { AI_API_KEY: KEY } });
    const bad = await complete(server.url, argv, { env: { AI_API_KEY: KEY } });
    expect([good.status, bad.status]).toEqual([0, 77]);
    expect(server.asked[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    const said = [good.stderr, bad.stdout, bad.stderr, readFileSync(trace, 'utf8'), readFileSync(tape, 'utf8')].join(
      '\n',
    );
    expect(said).not.toContain(KEY.slice(8, 30));
    expect(bad.stderr).toContain('Incorrect API key provided: ***');
  });

  test.each([
    ['openai/gpt-4o', { OPENAI_API_KEY: KEY }, 'authorization'],
    ['anthropic/claude-sonnet-4-5', { ANTHROPIC_API_KEY: KEY }, 'x-api-key'],
    ['azure/gpt-4o', { AZURE_OPENAI_API_KEY: KEY, AZURE_RESOURCE_NAME: 'x' }, 'api-key'],
    [
      'amazon-bedrock/amazon.nova-lite-v1:0',
      { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: KEY },
      'authorization',
    ],
  ])('of %s is masked by --dry-run, which sends nothing', async (model, env, header) => {
    const { stdout, status } = await run('ai-complete', ['-m', model, '--dry-run'], { stdin: ASK, env });
    expect(status).toBe(0);
    const [request] = records(stdout);
    expect(request.type).toBe('request');
    expect(request.headers[header]).toContain('***');
    expect(stdout).not.toContain(KEY.slice(8, 30));
    expect(request.url).toMatch(/^https:/);
  });

  test('does not follow a redirect to another host', async () => {
    await using other = await faultServer(json(200, HELLO));
    await using server = await faultServer((response) => void response.writeHead(307, { location: other.url }).end());
    expect((await complete(server.url, [], { env: { AI_API_KEY: KEY } })).status).toBe(65);
    expect(other.asked).toHaveLength(0);
  });
});

test('a trace tells of every exchange in the words of OpenTelemetry', async () => {
  const trace = join(fresh(), 'trace.jsonl');
  await using server = await faultServer(json(503, {}, { 'retry-after-ms': '1' }), json(200, HELLO));
  await complete(server.url, ['--trace', trace, '--max-tokens', '7']);
  const [first, second] = records(readFileSync(trace, 'utf8'));
  expect(first).toMatchObject({ name: 'chat gpt-4o', kind: 'CLIENT', status: { code: 'ERROR' } });
  expect(first.attributes).toMatchObject({ 'http.response.status_code': 503, 'error.type': 'server' });
  expect(second.attributes).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'gpt-4o',
    'gen_ai.response.model': 'm',
    'gen_ai.response.finish_reasons': ['stop'],
    'gen_ai.usage.input_tokens': 3,
    'gen_ai.usage.output_tokens': 2,
    'http.request.resend_count': 1,
    'server.address': '127.0.0.1',
  });
  expect(JSON.stringify([first, second])).not.toContain('hello');
});

test('an unmatched replay shows the nearest recorded request', async () => {
  const tape = join(fresh(), 'tape.jsonl');
  await using server = await faultServer(json(200, HELLO));
  for (const text of ['one', 'two', 'three'])
    await complete(server.url, ['--record', tape], { stdin: `{"role":"user","content":"${text}"}\n` });
  const stdin = '{"temperature":0}\n{"role":"user","content":"two"}\n';
  const { status, stderr } = await run('ai-complete', ['-m', `replay:${tape}`], { stdin });
  expect(status).toBe(69);
  expect(stderr).toMatch(/the nearest \(exchange 2\) differs at \.temperature \(0, recorded nothing\)/);
});
