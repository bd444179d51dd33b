// A server on loopback that answers as it is told, well or badly, and keeps what it was asked.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly at: number;
}

export type Answer = (response: ServerResponse, asked: Asked) => void | Promise<void>;

export interface FaultServer extends AsyncDisposable {
  readonly url: string;
  readonly asked: readonly Asked[];
}

/** Answers the n-th request with the n-th answer, and later ones with the last. */
export async function faultServer(...answers: readonly Answer[]): Promise<FaultServer> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const one = {
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
      at: Date.now(),
    };
    asked.push(one);
    await answers[Math.min(asked.length, answers.length) - 1]?.(response, one);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const close = () =>
    new Promise<void>((done) => {
      server.closeAllConnections();
      server.close(() => done());
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, [Symbol.asyncDispose]: close };
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };

/** Writes the pieces one after another; then ends, cuts the connection, or stays silent. */
export const stream =
  (pieces: readonly (string | Uint8Array)[], then: 'end' | 'cut' | 'silence' = 'end'): Answer =>
  async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const piece of pieces) {
      response.write(piece);
      await new Promise((next) => setTimeout(next, 2));
    }
    if (then === 'end') response.end();
    if (then === 'cut') response.destroy();
  };

export const event = (data: unknown): string => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

const chunk = (delta: unknown, finish_reason: string | null = null) =>
  event({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason }],
  });

/** A streamed reply of Chat Completions that says "Hello there." */
export const HELLO_STREAM: readonly string[] = [
  chunk({ role: 'assistant', content: '' }),
  chunk({ content: 'Hello ' }),
  chunk({ content: 'there.' }),
  chunk({}, 'stop'),
  event({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [],
    usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
  }),
  event('[DONE]'),
];

export const HELLO = {
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello there.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
};
