// One GET: of the world's addresses only, no longer and no larger than allowed, redirects told and not followed.
import type { IncomingMessage } from 'node:http';
import { type ToolContext, ToolError } from '../../lib/cli/tool.ts';
import { isAllowed, isPrivate, privateHost, worldOnly } from './addresses.ts';

/** Bytes of one answer, as sent and as unpacked. */
const LARGEST = 5 * 1024 * 1024;

const TIMEOUT = 30_000;

export interface Page {
  readonly status: number;
  readonly type: string;
  readonly location?: string;
  readonly body: Buffer;
  /** The answer went on after what is here. */
  readonly cut: boolean;
}

/** Asks for a page. Throws a ToolError. */
export function get(url: URL, { env, signal }: ToolContext): Promise<Page> {
  const allowed = isAllowed(url, env);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const { isIP } = process.getBuiltinModule('node:net');
  if (!allowed && isIP(host) !== 0 && isPrivate(host)) throw privateHost(url.host, host);
  const { request } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http');
  const ended = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]);
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(asToolError(error, url, ended));
    const outgoing = request(url, {
      method: 'GET',
      signal: ended,
      ...(!allowed && { lookup: worldOnly }),
      headers: {
        accept: 'text/html,text/*;q=0.9,application/json;q=0.9,*/*;q=0.5',
        'accept-encoding': 'gzip, deflate, br',
        'user-agent': 'ai-coreutils',
      },
    });
    outgoing.on('error', fail);
    outgoing.on('response', (incoming) => read(incoming).then(resolve, fail));
    outgoing.end();
  });
}

async function read(incoming: IncomingMessage): Promise<Page> {
  const { statusCode = 0, headers } = incoming;
  const about = {
    status: statusCode,
    type: String(headers['content-type'] ?? '').toLowerCase(),
    ...(headers.location && { location: headers.location }),
  };
  if (statusCode >= 300 && statusCode < 400 && headers.location) {
    incoming.destroy();
    return { ...about, body: Buffer.alloc(0), cut: false };
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of unpacked(incoming)) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > LARGEST) break;
  }
  incoming.destroy();
  return { ...about, body: Buffer.concat(chunks).subarray(0, LARGEST), cut: size > LARGEST };
}

function unpacked(incoming: IncomingMessage): AsyncIterable<Buffer> {
  const zlib = process.getBuiltinModule('node:zlib');
  const encoding = incoming.headers['content-encoding'];
  const by =
    encoding === 'gzip' || encoding === 'deflate'
      ? zlib.createUnzip()
      : encoding === 'br'
        ? zlib.createBrotliDecompress()
        : undefined;
  if (by === undefined) return incoming;
  incoming.on('error', (error) => by.destroy(error));
  return incoming.pipe(by);
}

const CAUSES: { readonly [code: string]: string } = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the host name cannot be looked up',
  ETIMEDOUT: 'it did not answer',
};

function asToolError(error: unknown, url: URL, ended: AbortSignal): ToolError {
  if (error instanceof ToolError) return error;
  if (ended.aborted) return new ToolError(`${url.host} did not answer within ${TIMEOUT / 1000} s`);
  const { code = '', message } = error as NodeJS.ErrnoException;
  return new ToolError(`${url.host} cannot be reached: ${CAUSES[code] ?? message}`);
}
