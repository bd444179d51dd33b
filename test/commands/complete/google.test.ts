// Claude and Gemini at Google, with the log-ins that Google's own programs use.
import { generateKeyPairSync, verify } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Asked, faultServer, json } from '../../fault-server.ts';
import { run } from '../../run.ts';
import { ASK, fresh } from './asking.ts';

const CLAUDE = {
  id: 'm',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5',
  content: [{ type: 'text', text: 'Hello.' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
};

const server = (token: object = { access_token: 'ya29.token', expires_in: 3600 }, status = 200) =>
  faultServer((response, asked) =>
    json(asked.path === '/token' ? status : 200, asked.path === '/token' ? token : CLAUDE)(response, asked),
  );

function credentials(value: object): string {
  const file = join(fresh(), 'adc.json');
  writeFileSync(file, JSON.stringify(value));
  return file;
}

const ask = (url: string, file: string, ...argv: string[]) =>
  run('ai-complete', ['-n', '-m', 'google-vertex/claude-sonnet-4-5', ...argv], {
    stdin: ASK,
    env: { GOOGLE_APPLICATION_CREDENTIALS: file, GOOGLE_VERTEX_BASE_URL: url, GOOGLE_CLOUD_LOCATION: 'us-east5' },
  });

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const account = (url: string) => ({
  type: 'service_account',
  project_id: 'proj-1',
  private_key_id: 'kid-1',
  private_key: privateKey,
  client_email: 'a@proj-1.iam.gserviceaccount.com',
  token_uri: `${url}/token`,
});

test('a service account signs for a token, and Claude is asked with it in its own dialect', async () => {
  await using google = await server();
  const { status, stderr } = await ask(google.url, credentials(account(google.url)));
  expect(status, stderr).toBe(0);
  const [login, call] = google.asked as [Asked, Asked];
  const form = new URLSearchParams(login.body);
  expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
  const [header = '', claims = '', signature = ''] = String(form.get('assertion')).split('.');
  expect(verify('RSA-SHA256', Buffer.from(`${header}.${claims}`), publicKey, Buffer.from(signature, 'base64url'))).toBe(
    true,
  );
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
    iss: 'a@proj-1.iam.gserviceaccount.com',
    aud: `${google.url}/token`,
    scope: 'https://www.googleapis.com/auth/cloud-platform',
  });
  expect(call.path).toBe(
    '/v1/projects/proj-1/locations/us-east5/publishers/anthropic/models/claude-sonnet-4-5:rawPredict',
  );
  expect(call.headers.authorization).toBe('Bearer ya29.token');
  expect(call.headers['anthropic-version']).toBeUndefined();
  const body = JSON.parse(call.body);
  expect(body).toMatchObject({
    anthropic_version: 'vertex-2023-10-16',
    messages: [{ role: 'user', content: 'hello' }],
  });
  expect(body).not.toHaveProperty('model');
});

test('a log-in with gcloud is renewed, and the project that pays is named', async () => {
  await using google = await server();
  const user = {
    type: 'authorized_user',
    client_id: 'i',
    client_secret: 's',
    refresh_token: 'r',
    quota_project_id: 'pays',
  };
  const { status, stderr } = await ask(google.url, credentials({ ...user, token_uri: `${google.url}/token` }));
  expect(status, stderr).toBe(0);
  const [login, call] = google.asked as [Asked, Asked];
  expect(Object.fromEntries(new URLSearchParams(login.body))).toEqual({
    grant_type: 'refresh_token',
    client_id: 'i',
    client_secret: 's',
    refresh_token: 'r',
  });
  expect(call.headers).toMatchObject({ authorization: 'Bearer ya29.token', 'x-goog-user-project': 'pays' });
});

test('one token does for all lines', async () => {
  await using google = await server();
  const env = {
    GOOGLE_APPLICATION_CREDENTIALS: credentials(account(google.url)),
    GOOGLE_VERTEX_BASE_URL: google.url,
  };
  const stdin = '{"messages":[{"role":"user","content":"a"}]}\n'.repeat(5);
  await run('ai-complete', ['-m', 'google-vertex/claude-sonnet-4-5', '-j', '4'], { stdin, env });
  expect(google.asked.map(({ path }) => path).filter((path) => path === '/token')).toHaveLength(1);
});

test('what is refused says so, without a secret; a request that is only shown asks for no token', async () => {
  await using google = await server({ error: 'invalid_grant', error_description: `no ${privateKey}` }, 400);
  const file = credentials(account(google.url));
  const { status, stderr } = await ask(google.url, file);
  expect(status).toBe(77);
  expect(stderr).toMatch(/^ai-complete: cannot log in: 127\.0\.0\.1:\d+ answered 400 \(invalid_grant\)\n$/);
  const shown = await ask(google.url, file, '--dry-run');
  expect(google.asked).toHaveLength(1);
  expect(JSON.parse(shown.stdout).headers.authorization).toBe('***');
});

test('a file of another kind is refused', async () => {
  const { status, stderr } = await ask('http://127.0.0.1:9', credentials({ type: 'external_account', token: 'hush' }));
  expect(status).toBe(78);
  expect(stderr).toContain('they are neither a service account nor a gcloud login');
  expect(stderr).not.toContain('hush');
});
