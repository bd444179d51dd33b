// Connections: kept open and closed by the server, through proxies, and around them.
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { expect, test } from 'vitest';
import { agentFor } from '../../../src/lib/providers/http.ts';
import { HELLO } from '../../fault-server.ts';
import { run } from '../../run.ts';

const BODY = JSON.stringify(HELLO);
const lines = (count: number) =>
  Array.from(
    { length: count },
    (_, n) => `${JSON.stringify({ messages: [{ role: 'user', content: `q${n}` }] })}\n`,
  ).join('');

const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;

test('a server that drops every connection at its second request answers every line, without a retry', async () => {
  const server = createSocketServer((socket) => {
    let text = '';
    let served = 0;
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      text += chunk;
      const end = text.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (end < 0 || text.length < end + 4 + length) return;
      text = text.slice(end + 4 + length);
      served += 1;
      if (served > 1) socket.resetAndDestroy();
      else
        socket.write(
          `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`,
        );
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const argv = [
    '-q',
    '-j',
    '5',
    '--retries',
    '0',
    '-m',
    'openai/gpt-4o',
    '--base-url',
    `http://127.0.0.1:${portOf(server)}`,
  ];
  const { stdout, status } = await run('ai-complete', argv, { stdin: lines(60) });
  server.close();
  expect(status).toBe(0);
  expect(stdout.match(/Hello there\./g)).toHaveLength(60);
});

test('a proxy is asked for what is elsewhere', async () => {
  const asked: (string | undefined)[] = [];
  const proxy = createServer((request, response) => {
    asked.push(request.url);
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json', connection: 'close' }).end(BODY);
  });
  await new Promise<void>((ready) => proxy.listen(0, '127.0.0.1', ready));
  const env = { HTTP_PROXY: `http://127.0.0.1:${portOf(proxy)}` };
  const argv = ['-q', '--retries', '0', '-m', 'openai/gpt-4o', '--base-url', 'http://api.example.test/v1'];
  const { status } = await run('ai-complete', argv, { stdin: '{"role":"user","content":"hello"}\n', env });
  proxy.close();
  expect([status, asked]).toEqual([0, ['http://api.example.test/v1/chat/completions']]);
});

test.each([
  ['http://api.example.test/', { http_proxy: 'http://p' }, true],
  ['http://api.example.test/', {}, false],
  ['http://api.example.test/', { http_proxy: 'http://p', no_proxy: 'example.test' }, false],
  ['http://api.example.test/', { http_proxy: 'http://p', NO_PROXY: 'other.test, .example.test' }, false],
  ['http://api.example.test/', { http_proxy: 'http://p', NO_PROXY: '*' }, false],
  ['http://notexample.test/', { http_proxy: 'http://p', NO_PROXY: 'example.test' }, true],
  ['http://example.test:81/', { http_proxy: 'http://p', NO_PROXY: 'example.test:81' }, false],
  ['http://127.0.0.1/', { http_proxy: 'http://p' }, false],
])('%s with %o: %s', (url, env, proxied) => {
  expect(agentFor(new URL(url), env, true) !== false).toBe(proxied);
});
