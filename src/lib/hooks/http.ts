// One hook that is an address of the web: gets the input as JSON, answers with what a command would print.
import { EXIT, Failure } from '../failure/failure.ts';
import type { JsonObject } from '../json/values.ts';
import { ConnectionError, send } from '../providers/http.ts';
import type { Ended } from './answer.ts';
import type { RunnerOptions } from './command.ts';
import type { HttpHandler } from './settings.ts';

const MOST = 1 << 20;

/** Posts the input. A status other than 2xx, or no answer, is a failure that does not block by itself. */
export async function runHttp(
  { url, headers, allowedEnvVars }: HttpHandler,
  input: JsonObject,
  seconds: number,
  { env, signal }: RunnerOptions,
): Promise<Ended> {
  const late = AbortSignal.timeout(seconds * 1000);
  const allowed = new Set(allowedEnvVars);
  const filled = (text: string) =>
    text.replace(/\$\{(\w+)\}|\$(\w+)/g, (_, braced?: string, bare?: string) => {
      const name = braced ?? bare ?? '';
      return allowed.has(name) ? (env[name] ?? '') : '';
    });
  const fields = Object.entries(headers).map(([name, value]) => [name, filled(value)]);
  try {
    const answer = await send({
      url,
      headers: Object.fromEntries(fields),
      body: JSON.stringify(input),
      signal: AbortSignal.any([signal, late]),
    });
    const stdout = await textOf(answer.body);
    if (answer.status >= 200 && answer.status < 300) return { status: 0, stdout, stderr: '' };
    return { stdout: '', stderr: '', failure: `the server answered with status ${answer.status}` };
  } catch (error) {
    if (late.aborted) return { stdout: '', stderr: '', failure: `it took longer than ${seconds} s` };
    if (error instanceof ConnectionError) return { stdout: '', stderr: '', failure: error.message };
    if (signal.aborted) throw new Failure(EXIT.interrupted, 'interrupted');
    throw error;
  }
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    if (length < MOST) chunks.push(chunk);
    length += chunk.length;
  }
  return Buffer.concat(chunks).toString('utf8').slice(0, MOST);
}
