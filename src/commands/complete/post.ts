// A log-in traded for a token: one small request beside the conversation's.
import type { Context } from '../../lib/cli/filter.ts';
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import { isObject, type JsonObject } from '../../lib/json/values.ts';
import { ConnectionError, readAll, send } from '../../lib/providers/http.ts';
import { Silence } from '../../lib/providers/watch.ts';

/** Seconds. */
const PATIENCE = { first: 30, idle: 30 };

/** The JSON object that answers a form. Throws a Failure: 77 where the log-in is refused, 69 where nobody answers; no part of the form is in it. */
export async function post(
  url: string,
  form: Readonly<Record<string, string>>,
  { env, signal }: Pick<Context, 'env' | 'signal'>,
): Promise<JsonObject> {
  const { host } = new URL(url);
  try {
    const body = new URLSearchParams(form).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await send({ url, headers, body, signal, patience: PATIENCE, proxies: env });
    const text = await readAll(answer.body);
    if (answer.status !== 200) throw refused(host, answer.status, text);
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (error) {
    if (error instanceof ConnectionError || error instanceof Silence)
      throw new Failure(EXIT.unavailable, `cannot log in: ${error.message}`);
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new Failure(EXIT.unavailable, `cannot log in: the response of ${host} is not a JSON object`);
}

/** Of the answer only the name of the error is told, which is one of a list: https://www.rfc-editor.org/rfc/rfc6749#section-5.2 */
function refused(host: string, status: number, text: string): Failure {
  const name = /"error"\s*:\s*"([a-z_]{1,40})"/.exec(text)?.[1];
  const why = `${host} answered ${status}${name === undefined ? '' : ` (${name})`}`;
  return new Failure(status >= 500 ? EXIT.unavailable : EXIT.notPermitted, `cannot log in: ${why}`);
}
