// Requests to a provider that are no conversation: files, batches.
import { isObject, type JsonObject } from '../../json/values.ts';
import { AttemptFailed } from '../errors.ts';
import type { ProxyVariables } from '../http.ts';
import { type Answer, ConnectionError, readAll, send } from '../http.ts';
import { refused } from '../refusal.ts';
import { type Policy, retrying } from '../retry.ts';
import { type Patience, Silence } from '../watch.ts';
import type { Client } from './types.ts';

interface ClientOptions {
  readonly provider: string;
  readonly base: string;
  /** With the credential. */
  readonly headers: Readonly<Record<string, string>>;
  readonly mask: (text: string) => string;
  readonly policy: Policy;
  readonly patience: Patience;
  readonly proxies: ProxyVariables;
  readonly now: () => number;
}

interface Sent {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function clientOf(options: ClientOptions): Client {
  const whole = (sent: Sent) =>
    retrying(async () => objectIn(await text(await answered(sent, options), options), options), options.policy);
  return {
    json: (method, path, body) => whole({ method, path, ...(body && { body: JSON.stringify(body) }) }),
    upload(path, fields, file) {
      const boundary = boundaryFor(file.text);
      return whole({
        method: 'POST',
        path,
        body: formOf(fields, file, boundary),
        headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      });
    },
    async *lines(path) {
      const answer = await retrying(() => answered({ method: 'GET', path }, options), options.policy);
      yield* linesOf(answer, options);
    },
  };
}

async function answered(sent: Sent, options: ClientOptions): Promise<Answer> {
  const { base, provider, mask, now, patience, policy, proxies } = options;
  try {
    const answer = await send({
      url: `${base}${sent.path}`,
      method: sent.method,
      headers: { ...options.headers, ...sent.headers },
      ...(sent.body !== undefined && { body: sent.body }),
      signal: policy.signal,
      patience,
      proxies,
    });
    if (answer.status >= 200 && answer.status < 300) return answer;
    throw refused({ provider, mask, now: now(), ...answer, body: await readAll(answer.body) });
  } catch (error) {
    throw failed(error);
  }
}

function failed(error: unknown): unknown {
  if (error instanceof ConnectionError) return new AttemptFailed('unreachable', error.message);
  return error instanceof Silence ? new AttemptFailed('silent', error.message, { hint: error.failure.hint }) : error;
}

async function text(answer: Answer, _: ClientOptions): Promise<string> {
  try {
    return await readAll(answer.body);
  } catch (error) {
    throw failed(error);
  }
}

function objectIn(text: string, { provider }: ClientOptions): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Told below.
  }
  throw new AttemptFailed('unreadable', `cannot read the answer of ${provider}: it is not a JSON object`);
}

async function* linesOf(answer: Answer, options: ClientOptions): AsyncGenerator<JsonObject> {
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  try {
    for await (const chunk of answer.body) {
      const [first = '', ...rest] = decoder.decode(chunk, { stream: true }).split('\n');
      pieces.push(first);
      for (const piece of rest) {
        const line = pieces.join('');
        pieces = [piece];
        if (line.trim() !== '') yield objectIn(line, options);
      }
    }
  } catch (error) {
    throw failed(error);
  }
  const last = pieces.join('');
  if (last.trim() !== '') yield objectIn(last, options);
}

function boundaryFor(text: string): string {
  for (let number = 1; ; number++) {
    const boundary = `ai-coreutils-${number}`;
    if (!text.includes(boundary)) return boundary;
  }
}

/** https://www.rfc-editor.org/rfc/rfc7578 */
function formOf(
  fields: Readonly<Record<string, string>>,
  file: { name: string; text: string },
  boundary: string,
): string {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${file.name}"\r\ncontent-type: application/jsonl\r\n\r\n`;
  return `${parts.join('')}${head}${file.text}\r\n--${boundary}--\r\n`;
}
