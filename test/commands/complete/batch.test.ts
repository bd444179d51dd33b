// --batch: files of requests handed in, waited for, and read back onto their lines.
import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, faultServer, json } from '../../fault-server.ts';
import { run } from '../../run.ts';
import { complete, fresh, records, reply } from './asking.ts';

const DATA = ['a', 'b', 'c']
  .map((id) => `${JSON.stringify({ id, messages: [{ role: 'user', content: `hello ${id}` }] })}\n`)
  .join('');

describe('OpenAI, by a mock', () => {
  const mock = new LLMock({ port: 0 });
  beforeAll(async () => {
    mock.onMessage(/hello/, { content: 'Hi there!' });
    await mock.start();
  });
  afterAll(() => mock.stop());

  test('a batch is handed in and waited for', async () => {
    const handed = await complete(`${mock.url}/v1`, ['--batch', 'submit'], { stdin: DATA });
    expect(handed.status, handed.stderr).toBe(0);
    const [batch] = records(handed.stdout);
    expect(batch).toMatchObject({ type: 'batch', provider: 'openai', model: 'gpt-4o', requests: 3 });
    const status = await complete(`${mock.url}/v1`, ['--batch', 'status'], { stdin: handed.stdout });
    expect(records(status.stdout)[0]).toMatchObject({ type: 'batch', id: batch.id, state: expect.any(String) });
  });
});

/** OpenAI's files and batches, as its documents say. */
function openai(files: Map<string, string>): Answer {
  return (response, asked) => {
    const send = (body: unknown) => json(200, body)(response, asked);
    if (asked.path.endsWith('/files')) {
      files.set('in', asked.body);
      return send({ id: 'in', object: 'file' });
    }
    const batch = {
      id: 'batch_1',
      status: 'completed',
      request_counts: { total: 3, completed: 2, failed: 1 },
      output_file_id: 'out',
      error_file_id: 'err',
    };
    if (asked.path.includes('/batches')) return send(batch);
    const line = (custom_id: string, status_code: number, body: unknown) =>
      `${JSON.stringify({ id: 'x', custom_id, response: { status_code, request_id: 'r', body }, error: null })}\n`;
    const text = asked.path.includes('/out/')
      ? line('c', 200, reply('for c')) + line('a', 200, reply('for a'))
      : line('b', 400, { error: { message: 'bad b' } });
    response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(text);
  };
}

describe('OpenAI, as its documents say', () => {
  test('results come onto their lines by custom_id, at half the price, and once into the ledger', async () => {
    const files = new Map<string, string>();
    await using server = await faultServer(openai(files));
    const env = { AI_STATE: `${fresh()}/s.db`, AI_API_KEY: 'k' };
    const handed = await complete(server.url, ['--batch', 'submit'], { stdin: DATA, env });
    const sent =
      files
        .get('in')
        ?.split('\r\n')
        .find((part) => part.startsWith('{'))
        ?.trim()
        .split('\n') ?? [];
    expect(sent.map((line) => JSON.parse(line))).toMatchObject(
      ['a', 'b', 'c'].map((custom_id) => ({
        custom_id,
        method: 'POST',
        url: '/v1/chat/completions',
        body: { model: 'gpt-4o' },
      })),
    );
    expect(JSON.parse(server.asked[1]?.body ?? '')).toEqual({
      input_file_id: 'in',
      endpoint: '/v1/chat/completions',
      completion_window: '24h',
    });
    for (let n = 0; n < 2; n++) {
      const got = await complete(server.url, ['--batch', 'fetch'], { stdin: handed.stdout + DATA, env });
      const [a, b, c] = records(got.stdout);
      expect([a.messages[1].content, c.messages[1].content]).toEqual(['for a', 'for c']);
      expect(a.messages[1]._meta).toMatchObject({ batch: 'batch_1', cost: { usd: 0.000075 / 2 } });
      expect(b._meta.error.message).toContain('bad b');
      expect(got.status).toBe(75);
    }
    expect(records((await run('ai-complete', ['--costs=model'], { env })).stdout)).toMatchObject([
      { answers: 2, usd: 0.000075 },
    ]);
    expect(server.asked.every(({ headers }) => headers.authorization === 'Bearer k')).toBe(true);
  });
});

describe('Anthropic', () => {
  const message = (text: string) => ({
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  });
  const model = 'anthropic/claude-sonnet-4-5';

  test('results come by custom_id; the address that the batch names for them is not followed', async () => {
    let ended = false;
    await using other = await faultServer(json(200, {}));
    await using server = await faultServer((response, asked) => {
      const lines = [
        { custom_id: 'b', result: { type: 'expired' } },
        { custom_id: 'a', result: { type: 'succeeded', message: message('for a') } },
      ];
      if (asked.path.endsWith('/results'))
        return void response
          .writeHead(200, { 'content-type': 'application/x-jsonl' })
          .end(lines.map((l) => JSON.stringify(l)).join('\n'));
      const request_counts = {
        processing: ended ? 0 : 3,
        succeeded: ended ? 1 : 0,
        errored: 0,
        canceled: 0,
        expired: ended ? 2 : 0,
      };
      json(200, {
        id: 'msgbatch_1',
        processing_status: ended ? 'ended' : 'in_progress',
        request_counts,
        results_url: other.url,
      })(response, asked);
    });
    const handed = await complete(server.url, ['--batch', 'submit'], { stdin: DATA, model });
    expect(
      JSON.parse(server.asked[0]?.body ?? '').requests.map(({ custom_id }: { custom_id: string }) => custom_id),
    ).toEqual(['a', 'b', 'c']);
    const early = await complete(server.url, ['--batch', 'fetch'], { stdin: handed.stdout + DATA, model });
    expect({ status: early.status, stdout: early.stdout }).toEqual({ status: 75, stdout: '' });
    expect((await complete(server.url, ['--batch', 'status'], { stdin: handed.stdout, model })).status).toBe(75);
    ended = true;
    expect((await complete(server.url, ['--batch', 'status'], { stdin: handed.stdout, model })).status).toBe(0);
    const got = records(
      (await complete(server.url, ['--batch', 'fetch'], { stdin: handed.stdout + DATA, model })).stdout,
    );
    expect(got).toHaveLength(2);
    expect(got[0].messages[1].content).toEqual([{ type: 'text', text: 'for a' }]);
    expect(got[1]._meta.error.message).toMatch(/expired/);
    expect(other.asked).toHaveLength(0);
  });
});

test('Gemini: requests inside, replies by their keys', async () => {
  const model = 'google/gemini-2.5-flash';
  const said = (text: string) => ({
    candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  });
  const replies = [
    { metadata: { key: 'c' }, response: said('for c') },
    { metadata: { key: 'a' }, response: said('for a') },
    { metadata: { key: 'b' }, error: { code: 400, message: 'bad b' } },
  ];
  await using server = await faultServer((response, asked) => {
    const stats = { requestCount: '3', successfulRequestCount: '2', failedRequestCount: '1' };
    const metadata = { state: 'BATCH_STATE_SUCCEEDED', batchStats: stats };
    const ended = {
      name: 'batches/b1',
      metadata,
      done: true,
      response: { inlinedResponses: { inlinedResponses: replies } },
    };
    json(200, asked.path.endsWith(':batchGenerateContent') ? { name: 'batches/b1' } : ended)(response, asked);
  });
  const handed = await complete(server.url, ['--batch', 'submit'], { stdin: DATA, model });
  expect(handed.status, handed.stderr).toBe(0);
  expect(server.asked[0]?.path).toBe('/models/gemini-2.5-flash:batchGenerateContent');
  const { batch } = JSON.parse(server.asked[0]?.body ?? '');
  expect(batch.input_config.requests.requests[1]).toEqual({
    request: { contents: [{ role: 'user', parts: [{ text: 'hello b' }] }] },
    metadata: { key: 'b' },
  });
  const status = await complete(server.url, ['--batch', 'status'], { stdin: handed.stdout, model });
  expect(records(status.stdout)[0]).toMatchObject({ id: 'b1', state: 'BATCH_STATE_SUCCEEDED', done: 2, failed: 1 });
  const [a, b, c] = records(
    (await complete(server.url, ['--batch', 'fetch'], { stdin: handed.stdout + DATA, model })).stdout,
  );
  expect([a, c].map(({ messages }) => messages[1])).toMatchObject([
    { role: 'assistant', content: 'for a' },
    { role: 'assistant', content: 'for c' },
  ]);
  expect(b._meta.error.message).toContain('bad b');
});

test('Mistral: a file of requests, files of replies and errors', async () => {
  const model = 'mistral/mistral-large-latest';
  let file = '';
  const line = (custom_id: string, status_code: number, body: unknown) =>
    `${JSON.stringify({ id: 'x', custom_id, response: { status_code, body }, error: null })}\n`;
  await using server = await faultServer((response, asked) => {
    const job = { id: 'j1', status: 'SUCCESS', total_requests: 3, succeeded_requests: 2, failed_requests: 1 };
    if (asked.path === '/files') {
      file = asked.body;
      return json(200, { id: 'in' })(response, asked);
    }
    if (asked.path.startsWith('/batch/jobs'))
      return json(200, { ...job, output_file: 'out', error_file: 'err' })(response, asked);
    const text = asked.path.includes('/out/')
      ? line('c', 200, reply('for c')) + line('a', 200, reply('for a'))
      : line('b', 400, { object: 'error', message: 'bad b', type: 'invalid_request_error' });
    response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(text);
  });
  const handed = await complete(server.url, ['--batch', 'submit'], { stdin: DATA, model });
  expect(handed.status, handed.stderr).toBe(0);
  expect(file).toContain('{"custom_id":"a","body":{"stream":false,"messages":[{"role":"user","content":"hello a"}]}}');
  expect(JSON.parse(server.asked[1]?.body ?? '')).toEqual({
    input_files: ['in'],
    endpoint: '/v1/chat/completions',
    model: 'mistral-large-latest',
    timeout_hours: 24,
  });
  const [a, b, c] = records(
    (await complete(server.url, ['--batch', 'fetch'], { stdin: handed.stdout + DATA, model })).stdout,
  );
  expect([a.messages[1].content, c.messages[1].content]).toEqual(['for a', 'for c']);
  expect(b._meta.error.message).toContain('bad b');
});
