// Log-ins of other programs. Their files are read, never written: a log-in that has expired is renewed by its own program.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from '../config/places.ts';
import { EXIT, Failure } from '../failure/failure.ts';
import { isObject, type JsonObject } from '../json/values.ts';
import type { Login } from '../models/types.ts';
import { awsKeys } from './aws.ts';
import { readSecretObject } from './file.ts';
import { googleFile, googleLogin } from './google.ts';
import type { Credential } from './types.ts';

interface Source {
  /** The variable or the file that seems to hold it. No file is opened. */
  at(env: Env): string | undefined;
  /** Undefined if there is none. Throws a Failure (78) for one that has expired or cannot be read. */
  read(env: Env, now: number): Credential | undefined;
  /** A cloud's own way to its own servers, and no other program's log-in. */
  readonly ofCloud?: true;
  /** How to get one, for messages. */
  readonly how: string;
}

/** Anthropic takes tokens of a log-in only with this. https://docs.claude.com/en/api/beta-headers */
export const OAUTH = { 'anthropic-beta': 'oauth-2025-04-20' } as const;

export const LOGINS: { readonly [login in Login]: Source } = {
  'claude-code': {
    at: (env) => existing(inHome(env, env.CLAUDE_CONFIG_DIR, '.claude', '.credentials.json')),
    how: 'log in with claude',
    read(env, now) {
      const file = this.at(env);
      const { claudeAiOauth: oauth } = readLogin(file) ?? {};
      if (!isObject(oauth) || typeof oauth.accessToken !== 'string') return undefined;
      refuseExpired(oauth.expiresAt, now, file, 'claude');
      const headers = { ...bearer(oauth.accessToken, file), ...OAUTH };
      return { headers, from: String(file) };
    },
  },
  codex: {
    at: (env) => existing(inHome(env, env.CODEX_HOME, '.codex', 'auth.json')),
    how: 'log in with codex',
    read(env, now) {
      const file = this.at(env);
      const { tokens } = readLogin(file) ?? {};
      if (!isObject(tokens) || typeof tokens.access_token !== 'string') return undefined;
      refuseExpired(expiryOf(tokens.access_token), now, file, 'codex');
      const account = typeof tokens.account_id === 'string' && { 'chatgpt-account-id': tokens.account_id };
      return { headers: { ...bearer(tokens.access_token, file), ...account }, from: String(file) };
    },
  },
  'codex-key': {
    at: (env) => existing(inHome(env, env.CODEX_HOME, '.codex', 'auth.json')),
    how: 'log in with codex --api-key',
    read(env) {
      const file = this.at(env);
      const { OPENAI_API_KEY: key } = readLogin(file) ?? {};
      return typeof key === 'string' && key !== '' ? { headers: bearer(key, file), from: String(file) } : undefined;
    },
  },
  'gemini-cli': {
    at: (env) => existing(inHome(env, undefined, '.gemini', 'oauth_creds.json')),
    how: 'log in with gemini',
    read(env, now) {
      const file = this.at(env);
      const { access_token: token, expiry_date } = readLogin(file) ?? {};
      if (typeof token !== 'string') return undefined;
      refuseExpired(expiry_date, now, file, 'gemini');
      return { headers: bearer(token, file), from: String(file) };
    },
  },
  aws: {
    ofCloud: true,
    how: 'set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE',
    at: (env) =>
      (env.AWS_PROFILE ? 'AWS_PROFILE' : env.AWS_SECRET_ACCESS_KEY && env.AWS_ACCESS_KEY_ID && 'AWS_ACCESS_KEY_ID') ||
      undefined,
    read: (env) => awsKeys(env),
  },
  google: {
    ofCloud: true,
    at: (env) => existing(googleFile(env)),
    how: 'log in with "gcloud auth application-default login", or set GOOGLE_APPLICATION_CREDENTIALS',
    read: (env) => googleLogin(env),
  },
};

const existing = (file: string | undefined): string | undefined =>
  file !== undefined && existsSync(file) ? file : undefined;

function inHome(env: Env, own: string | undefined, dir: string, name: string): string | undefined {
  const base = own || (env.HOME && join(env.HOME, dir));
  return base ? join(base, name) : undefined;
}

const readLogin = (file: string | undefined): JsonObject | undefined =>
  file === undefined ? undefined : readSecretObject(file, 'log-in');

function bearer(token: string, file: string | undefined): Record<string, string> {
  if (/^[\x21-\x7e]+$/.test(token)) return { authorization: `Bearer ${token}` };
  throw new Failure(EXIT.config, 'cannot use the login: its token contains invalid characters', {
    place: file,
  });
}

function refuseExpired(expiry: unknown, now: number, file: string | undefined, program: string): void {
  if (typeof expiry === 'number' && expiry <= now)
    throw new Failure(EXIT.config, 'cannot use the login: it has expired', {
      place: file,
      hint: `run ${program} to renew it`,
    });
}

/** When a JSON Web Token expires, in milliseconds since 1970; undefined for a token that does not say. */
function expiryOf(token: string): number | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
    return isObject(claims) && typeof claims.exp === 'number' ? claims.exp * 1000 : undefined;
  } catch {
    return undefined;
  }
}
