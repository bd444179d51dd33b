// Google's application default credentials: a service account, or a log-in with gcloud, each traded for a token that lasts an hour.
// https://google.aip.dev/auth/4110, https://developers.google.com/identity/protocols/oauth2/service-account#httprest
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from '../config/places.ts';
import { EXIT, Failure } from '../ir/failure.ts';
import { isObject, type JsonObject } from '../ir/json.ts';
import type { Credential } from './find.ts';

const TOKENS = 'https://oauth2.googleapis.com/token';
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** Seconds: for so long a token is asked for, and so long before its end it is not used any more. */
const HOUR = 3600;
const MARGIN = 60;

export function googleFile(env: Env): string | undefined {
  if (env.GOOGLE_APPLICATION_CREDENTIALS) return env.GOOGLE_APPLICATION_CREDENTIALS;
  const dir = env.CLOUDSDK_CONFIG || (env.HOME && join(env.HOME, '.config', 'gcloud'));
  return dir ? join(dir, 'application_default_credentials.json') : undefined;
}

/** Undefined where there is no file. Throws a Failure (78) for one of another kind; it holds nothing of it. */
export function googleLogin(env: Env): Credential | undefined {
  const file = googleFile(env);
  const key = file === undefined ? undefined : readKey(file);
  if (file === undefined || key === undefined) return undefined;
  const grant = grantOf(key, file);
  const address = typeof key.token_uri === 'string' ? key.token_uri : TOKENS;
  const project = key.quota_project_id;
  let held: { readonly headers: Record<string, string>; readonly until: number } | undefined;
  return {
    headers: {},
    from: file,
    async obtain(post, now) {
      if (held !== undefined && held.until > now()) return held.headers;
      const { access_token: token, expires_in: seconds } = await post(address, grant(address, now()));
      if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token))
        throw new Failure(EXIT.notPermitted, 'cannot log in: the answer holds no token', { place: file });
      const headers = {
        authorization: `Bearer ${token}`,
        ...(typeof project === 'string' && /^[\w.:-]+$/.test(project) && { 'x-goog-user-project': project }),
      };
      held = { headers, until: now() + (Number(seconds ?? HOUR) - MARGIN) * 1000 };
      return headers;
    },
  };
}

/** The project that the file names, where the environment names none. */
export function googleProject(env: Env): string | undefined {
  if (env.GOOGLE_VERTEX_PROJECT || env.GOOGLE_CLOUD_PROJECT || env.VERTEX_PROJECT) return undefined;
  const file = googleFile(env);
  const { project_id: own, quota_project_id: billed } = (file && readKey(file)) || {};
  return [own, billed].find((project) => typeof project === 'string') as string | undefined;
}

type Grant = (audience: string, now: number) => Readonly<Record<string, string>>;

function grantOf(key: JsonObject, file: string): Grant {
  const { type, client_email: email, private_key: secret, private_key_id: kid } = key;
  if (type === 'service_account' && typeof email === 'string' && typeof secret === 'string')
    return (audience, now) => {
      const iat = Math.floor(now / 1000);
      const claims = { iss: email, scope: SCOPE, aud: audience, iat, exp: iat + HOUR };
      return {
        grant_type: GRANT,
        assertion: signed({ alg: 'RS256', typ: 'JWT', kid: kid ?? null }, claims, secret, file),
      };
    };
  const { client_id: id, client_secret: own, refresh_token: refresh } = key;
  if (type === 'authorized_user' && [id, own, refresh].every((part) => typeof part === 'string'))
    return () => ({
      grant_type: 'refresh_token',
      client_id: String(id),
      client_secret: String(own),
      refresh_token: String(refresh),
    });
  throw new Failure(
    EXIT.config,
    'cannot use these credentials: they are no service account and no log-in with gcloud',
    {
      place: file,
      hint: 'set GOOGLE_VERTEX_ACCESS_TOKEN to the output of "gcloud auth print-access-token"',
    },
  );
}

/** https://www.rfc-editor.org/rfc/rfc7515 */
function signed(header: JsonObject, claims: JsonObject, key: string, file: string): string {
  const text = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  try {
    const { sign } = process.getBuiltinModule('node:crypto');
    return `${text}.${sign('RSA-SHA256', Buffer.from(text), key).toString('base64url')}`;
  } catch {
    throw new Failure(EXIT.config, 'cannot sign with the private key', { place: file });
  }
}

function readKey(file: string): JsonObject | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Failure(EXIT.config, 'cannot read the credentials', { place: file });
  }
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Told below, without the text.
  }
  throw new Failure(EXIT.config, 'cannot read the credentials: it is no JSON object', { place: file });
}
