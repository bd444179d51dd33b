// One HTTP exchange. Node's own client: it starts in a third of the time of either SDK or of fetch (figures in src/README.md).
import type { ClientRequest, IncomingMessage } from 'node:http';
import { EXIT, Failure } from '../ir/failure.ts';

export interface Call {
  /** POST without it. */
  readonly method?: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Ends the exchange when it aborts; its reason is thrown. */
  readonly signal: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
}

/** The exchange failed before an answer came, or in the middle of one. */
export class ConnectionError extends Error {}

/** Sends one request. Redirects are not followed: a key goes to the host that it was given for and no other. Throws ConnectionError. */
export function send({ method = 'POST', url, headers, body, signal }: Call): Promise<Answer> {
  const target = new URL(url);
  // A named import of node:http would run its getters, one of which loads the whole of fetch.
  const { request } = process.getBuiltinModule(target.protocol === 'https:' ? 'node:https' : 'node:http');
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const bytes = Buffer.from(body);
    const outgoing: ClientRequest = request(target, {
      method,
      headers: { ...headers, 'content-type': 'application/json', 'content-length': String(bytes.length) },
    });
    const stop = () => outgoing.destroy();
    signal.addEventListener('abort', stop, { once: true });
    const fail = (error: Error) =>
      reject(signal.aborted ? signal.reason : new ConnectionError(describe(error, target), { cause: error }));
    outgoing.on('error', fail);
    outgoing.on('response', (incoming) => resolve(answer(incoming, target, signal)));
    outgoing.on('close', () => signal.removeEventListener('abort', stop));
    outgoing.end(bytes);
  });
}

function answer(incoming: IncomingMessage, target: URL, signal: AbortSignal): Answer {
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
  return {
    status: incoming.statusCode ?? 0,
    headers: Object.fromEntries(headers),
    body: chunks(incoming, target, signal),
  };
}

async function* chunks(incoming: IncomingMessage, target: URL, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const stop = () => incoming.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of incoming) yield chunk;
  } catch (error) {
    signal.throwIfAborted();
    throw new ConnectionError(describe(error as Error, target), { cause: error });
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

const CAUSES: { readonly [code: string]: string } = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the host name cannot be looked up',
  ETIMEDOUT: 'it did not answer',
  EHOSTUNREACH: 'the host cannot be reached',
};

function describe(error: Error, target: URL): string {
  const code =
    (error as NodeJS.ErrnoException).code ?? (error as { errors?: NodeJS.ErrnoException[] }).errors?.[0]?.code ?? '';
  return `cannot reach ${target.host}: ${CAUSES[code] ?? error.message}`;
}

/** The whole of a body, as text. */
export async function readAll(body: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const chunk of body) all.push(chunk);
  return Buffer.concat(all).toString('utf8');
}

/** A signal that aborts with a Failure (124) after `seconds`, or with `outer`. */
export function deadline(seconds: number, outer: AbortSignal): { signal: AbortSignal; clear: () => void } {
  const controller = new AbortController();
  const late = () =>
    controller.abort(new Failure(EXIT.timeout, `no whole answer within ${seconds} s`, { hint: 'see --timeout' }));
  const timer = setTimeout(late, seconds * 1000);
  const stop = () => controller.abort(outer.reason);
  if (outer.aborted) stop();
  outer.addEventListener('abort', stop, { once: true });
  return {
    signal: controller.signal,
    clear: () => {
      clearTimeout(timer);
      outer.removeEventListener('abort', stop);
    },
  };
}
