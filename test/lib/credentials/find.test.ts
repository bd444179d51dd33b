import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { awsRegion } from '../../../src/lib/credentials/aws.ts';
import { credentialFor, isAtHand, isReason, sourceOf } from '../../../src/lib/credentials/find.ts';
import { serverAt } from '../../../src/lib/models/address.ts';
import { catalogue } from '../../../src/lib/models/catalogue.ts';
import { resolveModel } from '../../../src/lib/models/resolve.ts';
import type { Provider } from '../../../src/lib/models/types.ts';

const now = Date.UTC(2026, 10, 20);
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'home-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const named = (name: string) => catalogue().provider(name) as Provider;
const find = (name: string, env = {}, api = named(name).api) =>
  credentialFor(named(name), api, { env: { HOME: home, ...env }, now, logins: true });

function login(path: string, value: unknown): string {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
  return file;
}

describe('variables', () => {
  test.each([
    ['openai', { OPENAI_API_KEY: 'k' }, { authorization: 'Bearer k' }, 'OPENAI_API_KEY'],
    ['anthropic', { ANTHROPIC_API_KEY: 'k' }, { 'x-api-key': 'k' }, 'ANTHROPIC_API_KEY'],
    [
      'anthropic',
      { ANTHROPIC_AUTH_TOKEN: 't', ANTHROPIC_API_KEY: 'k' },
      { authorization: 'Bearer t' },
      'ANTHROPIC_AUTH_TOKEN',
    ],
    [
      'anthropic',
      { CLAUDE_CODE_OAUTH_TOKEN: 't' },
      { authorization: 'Bearer t', 'anthropic-beta': 'oauth-2025-04-20' },
      'CLAUDE_CODE_OAUTH_TOKEN',
    ],
    ['google', { GOOGLE_API_KEY: 'b', GEMINI_API_KEY: 'a' }, { 'x-goog-api-key': 'a' }, 'GEMINI_API_KEY'],
    ['azure', { AZURE_OPENAI_API_KEY: 'k' }, { 'api-key': 'k' }, 'AZURE_OPENAI_API_KEY'],
    ['zai', { ZHIPU_API_KEY: 'z', GLM_API_KEY: 'g' }, { authorization: 'Bearer g' }, 'GLM_API_KEY'],
    ['amazon-bedrock', { AWS_BEARER_TOKEN_BEDROCK: 'k' }, { authorization: 'Bearer k' }, 'AWS_BEARER_TOKEN_BEDROCK'],
  ])('%s with %j', (name, env, headers, from) => expect(find(name, env)).toEqual({ headers, from }));

  test('keys of AWS are handed over for signing', () => {
    const env = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret', AWS_SESSION_TOKEN: 's' };
    expect(find('bedrock', env)?.aws).toEqual({ accessKeyId: 'id', secretAccessKey: 'secret', sessionToken: 's' });
  });

  test('every provider with variables takes the first that is set', () => {
    for (const provider of catalogue().providers.values())
      for (const [at, name] of provider.keys.entries()) {
        const later = Object.fromEntries(provider.keys.slice(at).map((key) => [key, `of-${key}`]));
        expect(find(provider.name, later)?.from, provider.name).toBe(name);
      }
  });

  test('a missing key is told with what to set, or what else to do', () => {
    try {
      find('anthropic');
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ message: 'no key for anthropic', status: 78 });
      expect((error as { hint: string }).hint).toMatch(/^set ANTHROPIC_API_KEY, or log in with claude, or /);
    }
  });

  test('a key that no header can hold is refused without telling it', () => {
    for (const key of ['sk-a\nsk-b', 'sk a', 'sk-\u00e9'])
      try {
        find('openai', { OPENAI_API_KEY: key });
        expect.unreachable();
      } catch (error) {
        expect(String(error)).not.toContain('sk');
      }
  });

  test('a server of this machine needs none', () => expect(find('ollama')).toBeUndefined());
});

describe('log-ins', () => {
  const jwt = (exp: number) => `h.${Buffer.from(JSON.stringify({ exp })).toString('base64url')}.s`;

  test('of Claude Code', () => {
    const file = login('.claude/.credentials.json', { claudeAiOauth: { accessToken: 'tok', expiresAt: now + 1 } });
    expect(find('anthropic')).toEqual({
      headers: { authorization: 'Bearer tok', 'anthropic-beta': 'oauth-2025-04-20' },
      from: file,
    });
  });

  test('of Codex: its key for openai, its tokens for openai-codex', () => {
    const tokens = { access_token: jwt(now / 1000 + 60), account_id: 'acc' };
    const file = login('.codex/auth.json', { OPENAI_API_KEY: 'key', tokens });
    expect(find('openai')).toEqual({ headers: { authorization: 'Bearer key' }, from: file });
    expect(find('openai-codex')).toEqual({
      headers: { authorization: `Bearer ${tokens.access_token}`, 'chatgpt-account-id': 'acc' },
      from: file,
    });
  });

  test('of the Gemini CLI', () => {
    login('.gemini/oauth_creds.json', { access_token: 'tok', expiry_date: now + 1 });
    expect(find('google')?.headers).toEqual({ authorization: 'Bearer tok' });
  });

  test('that have expired are said, with who renews them', () => {
    login('.claude/.credentials.json', { claudeAiOauth: { accessToken: 'tok', expiresAt: now } });
    login('.codex/auth.json', { tokens: { access_token: jwt(now / 1000) } });
    login('.gemini/oauth_creds.json', { access_token: 'tok', expiry_date: now - 1 });
    for (const name of ['anthropic', 'openai-codex', 'google'])
      expect(() => find(name), name).toThrow('cannot use the login: it has expired');
  });

  test('that are broken are said, and nothing of them', () => {
    login('.claude/.credentials.json', 'sk-ant-secret {');
    try {
      find('anthropic');
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ message: 'cannot read the log-in: it is not a JSON object', status: 78 });
    }
  });

  test('are not looked at unless the user says so', () => {
    for (const path of ['.claude/.credentials.json', '.codex/auth.json', '.gemini/oauth_creds.json'])
      login(path, 'broken');
    const env = { HOME: home };
    for (const name of ['anthropic', 'openai', 'openai-codex', 'google']) {
      expect(() => credentialFor(named(name), named(name).api, { env, now }), name).toThrow(`no key for ${name}`);
      expect([isAtHand(named(name), { env }), isReason(named(name), { env }), sourceOf(named(name), { env })]).toEqual([
        false,
        false,
        undefined,
      ]);
      expect(isReason(named(name), { env, logins: true })).toBe(true);
    }
  });

  test("a cloud's own credentials are at hand for it, and no reason to choose it", () => {
    login('.config/gcloud/application_default_credentials.json', '{}');
    const env = { HOME: home, AWS_PROFILE: 'work' };
    for (const name of ['amazon-bedrock', 'google-vertex'])
      expect([name, isAtHand(named(name), { env }), isReason(named(name), { env })]).toEqual([name, true, false]);
  });

  test('are not looked at while a variable says the key', () => {
    login('.claude/.credentials.json', 'broken');
    expect(find('anthropic', { ANTHROPIC_API_KEY: 'k' })?.from).toBe('ANTHROPIC_API_KEY');
  });
});

describe('a key goes only to its own provider', () => {
  const all = Object.fromEntries(
    [...catalogue().providers.values()]
      .flatMap(({ keys, tokens = [] }) => [...keys, ...tokens])
      .map((name) => [name, 'k']),
  );

  test.each([
    'http://evil.example:11434/llama3',
    'http://evil.example/v1/gpt-4o',
    'https://api.openai.com.evil.example/v1/m',
  ])('an address gets none: %s', (name) => {
    const { provider, url } = resolveModel(name);
    const configured = new Map([['ollama', { from: 'x', value: () => 'secret' }]]);
    const env = { HOME: home, ...all };
    expect(credentialFor(provider, provider.api, { env, now, configured })).toBeUndefined();
    const again = serverAt(String(url), catalogue());
    expect(credentialFor(again, again.api, { env, now, configured })).toBeUndefined();
    expect(isAtHand(provider, { env, configured })).toBe(false);
  });

  test('one that many have for other ends is no reason to choose a provider', () => {
    expect(isAtHand(named('github-models'), { env: { GITHUB_TOKEN: 'x' } })).toBe(false);
    expect(find('github-models', { GITHUB_TOKEN: 'x' })?.from).toBe('GITHUB_TOKEN');
    expect(isAtHand(named('openai'), { env: { OPENAI_API_KEY: 'x' } })).toBe(true);
  });
});

describe('a profile of AWS', () => {
  const bedrock = (env = {}) => find('amazon-bedrock', env, 'bedrock');

  test('gives its keys and its session', () => {
    login(
      '.aws/credentials',
      '[default]\naws_access_key_id = A\naws_secret_access_key=S/+=\n\n[work]\naws_access_key_id=B\naws_secret_access_key=T\naws_session_token=U\n',
    );
    expect(bedrock()?.aws).toEqual({ accessKeyId: 'A', secretAccessKey: 'S/+=' });
    expect(bedrock({ AWS_PROFILE: 'work' })?.aws).toEqual({
      accessKeyId: 'B',
      secretAccessKey: 'T',
      sessionToken: 'U',
    });
  });

  test('may stand in the configuration, with its region', () => {
    login(
      '.aws/config',
      '# mine\n[profile  work]\r\nregion = eu-west-1\r\naws_access_key_id=C\r\naws_secret_access_key=V\r\ns3 =\r\n  region = x\r\n',
    );
    expect(bedrock({ AWS_PROFILE: 'work' })?.aws).toEqual({ accessKeyId: 'C', secretAccessKey: 'V' });
    const env = { HOME: home, AWS_PROFILE: 'work' };
    expect(awsRegion(env)).toBe('eu-west-1');
    expect(awsRegion({ ...env, AWS_REGION: 'us-east-2' })).toBeUndefined();
  });

  test('that is named goes before the keys of the environment, and must have some', () => {
    const env = { AWS_ACCESS_KEY_ID: 'E', AWS_SECRET_ACCESS_KEY: 'F' };
    expect(bedrock(env)?.aws?.accessKeyId).toBe('E');
    expect(() => bedrock({ ...env, AWS_PROFILE: 'none' })).toThrow(/the profile "none" has no access keys/);
  });

  test('may be elsewhere', () => {
    const AWS_SHARED_CREDENTIALS_FILE = login('keys', '[default]\naws_access_key_id=D\naws_secret_access_key=W\n');
    expect(bedrock({ AWS_SHARED_CREDENTIALS_FILE })?.aws?.accessKeyId).toBe('D');
  });
});
