// The credential of a request: a header, a signature over all of it, or an access token that a log-in is exchanged for first.
import type { Context } from '../../../lib/cli/filter.ts';
import type { Post } from '../../../lib/credentials/credential.ts';
import { EXIT, Failure } from '../../../lib/failure/failure.ts';
import { isObject } from '../../../lib/json/values.ts';
import { regionIn, signed } from '../../../lib/providers/aws-signature.ts';
import { ConnectionError, readAll, send } from '../../../lib/providers/http.ts';
import { Silence } from '../../../lib/providers/watch.ts';
import type { Target } from '../select/target.ts';
import type { ApiRequest } from './build.ts';

/** The headers with the credential. Secret. */
export async function authorizeRequest(
  { url, headers: own }: Pick<ApiRequest, 'url' | 'headers'>,
  body: string,
  target: Target,
  now: () => number,
  post: Post,
): Promise<Record<string, string>> {
  const credential = target.credential();
  const headers = { ...own, ...credential?.headers, ...(await credential?.obtain?.(post, now)) };
  if (credential?.aws === undefined) return headers;
  const request = { method: 'POST', url, headers: { 'content-type': 'application/json', ...headers }, body };
  return signed(request, credential.aws, { service: 'bedrock', region: regionIn(url), now: now() });
}

/** Seconds that a token server may be silent. */
const PATIENCE = { first: 30, idle: 30 };

/**
 * Posts a form to a token server and returns the JSON object of its answer. Throws a Failure: 77 where the log-in is refused, 69 where the server
 * cannot be reached. No failure quotes the form.
 */
export const tokenClient =
  ({ env, signal }: Pick<Context, 'env' | 'signal'>): Post =>
  async (url, form) => {
    const { host } = new URL(url);
    try {
      const body = new URLSearchParams(form).toString();
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const answer = await send({ url, headers, body, signal, patience: PATIENCE, proxies: env });
      const text = await readAll(answer.body);
      if (answer.status !== 200) throw refusedLogin(host, answer.status, text);
      const value: unknown = JSON.parse(text);
      if (isObject(value)) return value;
    } catch (error) {
      if (error instanceof ConnectionError || error instanceof Silence)
        throw new Failure(EXIT.unavailable, `cannot log in: ${error.message}`);
      if (!(error instanceof SyntaxError)) throw error;
    }
    throw new Failure(EXIT.unavailable, `cannot log in: the response of ${host} is not a JSON object`);
  };

/** Only the answer's error code is quoted, which is from a fixed list: https://www.rfc-editor.org/rfc/rfc6749#section-5.2 */
function refusedLogin(host: string, status: number, text: string): Failure {
  const name = /"error"\s*:\s*"([a-z_]{1,40})"/.exec(text)?.[1];
  const why = `${host} answered ${status}${name === undefined ? '' : ` (${name})`}`;
  return new Failure(status >= 500 ? EXIT.unavailable : EXIT.notPermitted, `cannot log in: ${why}`);
}
