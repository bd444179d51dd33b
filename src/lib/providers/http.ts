// One HTTP exchange. Node's own client: it starts in a third of the time of either SDK or of fetch (figures in src/README.md).
import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { EXIT, Failure } from '../failure/failure.ts';
import { after, type Patience, Watch } from './watch.ts';

export interface Call {
  readonly url: string;
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, unless a header says otherwise. */
  readonly body?: string | Uint8Array;
  /** Ends the exchange when it aborts; its reason is thrown. */
  readonly signal: AbortSignal;
  /** Without it only the signal ends a silence. */
  readonly patience?: Patience;
  /** The environment, where it may name a proxy. */
  readonly proxies?: ProxyVariables;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Ends with a ConnectionError if the connection is cut, and with Silence if no byte comes for too long. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** The exchange failed before an answer came, or in the middle of one. */
export class ConnectionError extends Error {}

/**
 * Sends one request. Redirects are not followed: a key goes to the host that it was given for and no other. Throws ConnectionError, and Silence
 * where no answer begins in time.
 */
export async function send(call: Call): Promise<Answer> {
  try {
    return await attempt(call);
  } catch (error) {
    // The server had closed a connection that was kept open, as the request was on its way: it was never read. Others may be closed too.
    if (error instanceof StaleConnection) return attempt(call, true);
    throw error;
  }
}

const ENDLESS: Patience = { first: Infinity, idle: Infinity };

class StaleConnection extends ConnectionError {}

function attempt(call: Call, fresh = false): Promise<Answer> {
  const { url, method = 'POST', headers, body, signal, patience = ENDLESS, proxies } = call;
  const target = new URL(url);
  // A named import of node:http would run its getters, one of which loads the whole of fetch.
  const { request } = process.getBuiltinModule(target.protocol === 'https:' ? 'node:https' : 'node:http');
  const agent = agentFor(target, proxies, fresh);
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const bytes = body === undefined ? undefined : Buffer.from(body as string);
    const outgoing: ClientRequest = request(target, {
      method,
      headers: bytes
        ? { 'content-type': 'application/json', ...headers, 'content-length': String(bytes.length) }
        : headers,
      ...(agent !== undefined && { agent }),
    });
    const watch = new Watch(target.host, patience, signal, (reason) => {
      reject(reason);
      outgoing.destroy();
    });
    outgoing.on('socket', (socket) => socket.connecting && socket.once('connect', () => watch.touch()));
    outgoing.on('finish', () => watch.touch());
    outgoing.on('error', (error) => {
      watch.end();
      reject(failureOf(error, target, outgoing.reusedSocket));
    });
    outgoing.on('response', (incoming) => resolve(answer(incoming, target, watch)));
    outgoing.end(bytes);
  });
}

function failureOf(error: Error, target: URL, reused: boolean): ConnectionError {
  const stale = reused && /^(ECONNRESET|EPIPE)$/.test(codeOf(error));
  return new (stale ? StaleConnection : ConnectionError)(describe(error, target), { cause: error });
}

function answer(incoming: IncomingMessage, target: URL, watch: Watch): Answer {
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
  // Held from now on, so that silence ends the exchange though nobody may be reading yet.
  watch.listen((reason) => incoming.destroy(reason as Error));
  incoming.on('error', () => {});
  return {
    status: incoming.statusCode ?? 0,
    headers: Object.fromEntries(headers),
    body: chunks(incoming, target, watch),
  };
}

/** What is left of an answer when its reader has enough is thrown away, so that the connection can serve again; for so long at most. */
const LEFTOVER = 1000;

async function* chunks(incoming: IncomingMessage, target: URL, watch: Watch): AsyncGenerator<Uint8Array> {
  let whole = false;
  try {
    for await (const chunk of plain(incoming).iterator({ destroyOnReturn: false })) {
      watch.touch();
      yield chunk;
    }
    whole = true;
  } catch (error) {
    if (watch.reason !== undefined) throw watch.reason;
    throw new ConnectionError(describe(error as Error, target), { cause: error });
  } finally {
    watch.end();
    if (!whole) discard(incoming);
  }
}

/** Nobody asks for compressed answers, but some proxies compress them nevertheless. */
function plain(incoming: IncomingMessage): Readable {
  const encoding = incoming.headers['content-encoding'];
  if (encoding === undefined || encoding === 'identity') return incoming;
  const { createBrotliDecompress, createUnzip } = process.getBuiltinModule('node:zlib');
  const decoder = encoding === 'br' ? createBrotliDecompress() : createUnzip();
  incoming.on('error', (error) => decoder.destroy(error));
  return incoming.pipe(decoder);
}

function discard(incoming: IncomingMessage): void {
  if (incoming.destroyed) return;
  const late = setTimeout(() => incoming.destroy(), LEFTOVER);
  late.unref();
  incoming.once('close', () => clearTimeout(late));
  incoming.resume();
}

const CAUSES: { readonly [code: string]: string } = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the host name cannot be looked up',
  ETIMEDOUT: 'it did not answer',
  EHOSTUNREACH: 'the host cannot be reached',
  EPIPE: 'the connection was cut',
};

const codeOf = (error: Error): string =>
  (error as NodeJS.ErrnoException).code ?? (error as { errors?: NodeJS.ErrnoException[] }).errors?.[0]?.code ?? '';

function describe(error: Error, target: URL): string {
  return `cannot reach ${target.host}: ${CAUSES[codeOf(error)] ?? error.message}`;
}

/** No answer that is read whole is larger. */
const LARGEST = 256 * 1024 * 1024;

/** A signal that aborts with a Failure (124) after `seconds`, or with `outer`. */
export function deadline(seconds: number, outer: AbortSignal): { signal: AbortSignal; clear: () => void } {
  const controller = new AbortController();
  const late = () =>
    controller.abort(new Failure(EXIT.timeout, `no complete answer within ${seconds} s`, { hint: 'see --timeout' }));
  const timer = after(seconds, late);
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

/** The whole of a body, as text. Throws ConnectionError for one without end. */
export async function readAll(body: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > LARGEST) throw new ConnectionError('cannot read the answer: it is larger than 256 MB');
    all.push(chunk);
  }
  return Buffer.concat(all).toString('utf8');
}

// WAS // Proxies that the environment names (HTTPS_PROXY, HTTP_PROXY, NO_PROXY). Node's agents know them: https://nodejs.org/api/http.html#built-in-proxy-support

export type ProxyVariables = Readonly<Record<string, string | undefined>>;

const NAMES = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'];
const LOCAL = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

const agents = new Map<string, Agent>();

/**
 * The agent for a request: one that knows the proxy, where there is one; undefined is Node's own. `fresh` is one for a single request, whose
 * connection nobody has used before.
 */
export function agentFor(target: URL, env: ProxyVariables | undefined, fresh: boolean): Agent | false | undefined {
  if (env === undefined || !isProxied(target, env)) return fresh ? false : undefined;
  const known = fresh ? undefined : agents.get(target.protocol);
  if (known) return known;
  const { Agent } = process.getBuiltinModule(target.protocol === 'https:' ? 'node:https' : 'node:http');
  const agent = new Agent({ keepAlive: !fresh, proxyEnv: { ...env } });
  if (!fresh) agents.set(target.protocol, agent);
  return agent;
}

function isProxied({ hostname, host }: URL, env: ProxyVariables): boolean {
  if (LOCAL.test(hostname) || !NAMES.some((name) => env[name])) return false;
  const exempt = (env.no_proxy ?? env.NO_PROXY ?? '').toLowerCase().split(/[\s,]+/);
  return !exempt.some((one) => one !== '' && isWithin(one.replace(/^\*?\./, ''), hostname, host));
}

/** A name stands for its subdomains too, as for curl and most other clients; Node takes it for one host. */
const isWithin = (name: string, hostname: string, host: string): boolean =>
  name === '*' || name === hostname || name === host || hostname.endsWith(`.${name}`);
