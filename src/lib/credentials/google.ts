// Google's application default credentials: a service account, or a log-in with gcloud, each traded for a token that lasts an hour.
// https://google.aip.dev/auth/4110, https://developers.google.com/identity/protocols/oauth2/service-account#httprest
import { join } from 'node:path';
import type { Env } from '../config/places.ts';
import { EXIT, Failure } from '../failure/failure.ts';
import type { JsonObject } from '../json/values.ts';
import { readSecretObject } from './file.ts';
import type { Credential, Post } from './types.ts';

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
  const log = async (post: Post, now: () => number): Promise<Held> => {
    const { access_token: token, expires_in: seconds } = await post(address, grant(address, now()));
    if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token))
      throw new Failure(EXIT.notPermitted, 'cannot log in: the response has no token', { place: file });
    const project = key.quota_project_id;
    const billed = typeof project === 'string' && /^[\w.:-]+$/.test(project) && { 'x-goog-user-project': project };
    const until = now() + (Number(seconds ?? HOUR) - MARGIN) * 1000;
    return { headers: { authorization: `Bearer ${token}`, ...billed }, until };
  };
  return { headers: {}, from: file, obtain: kept(log) };
}

interface Held {
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** Lines that are asked at the same time share one log-in, until it ends. */
function kept(log: (post: Post, now: () => number) => Promise<Held>): NonNullable<Credential['obtain']> {
  let held: Promise<Held> | undefined;
  const begin = (post: Post, now: () => number) => {
    const begun = log(post, now);
    held = begun;
    begun.catch(() => {
      held = undefined;
    });
    return begun;
  };
  return async (post, now) => {
    const { headers, until } = await (held ?? begin(post, now));
    return until > now() ? headers : (await begin(post, now)).headers;
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
    'cannot use these credentials: they are neither a service account nor a gcloud login',
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

const readKey = (file: string): JsonObject | undefined => readSecretObject(file, 'credentials');
