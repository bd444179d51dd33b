// AWS keys: of the environment, or of a profile in ~/.aws. https://docs.aws.amazon.com/sdkref/latest/guide/file-format.html
import { join } from 'node:path';
import type { Env } from '../config/places.ts';
import { EXIT, Failure } from '../failure/failure.ts';
import { readSecretText } from './file.ts';
import type { Credential } from './types.ts';

type Profile = ReadonlyMap<string, string>;

const NOTHING: Profile = new Map();

/** The environment's keys, else those of the profile that AWS_PROFILE names, else of `default`. Throws a Failure (78) for a named one without keys. */
export function awsKeys(env: Env): Credential | undefined {
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: token } = env;
  if (id && secret && !env.AWS_PROFILE) return keysOf(id, secret, token, 'AWS_ACCESS_KEY_ID');
  const file = credentialsFile(env);
  const found = file === undefined ? NOTHING : profileIn(file, profileOf(env));
  const config = configFile(env);
  const settings = config === undefined ? NOTHING : configured(config, env);
  for (const [from, profile] of [
    [file, found],
    [config, settings],
  ] as const) {
    const [key, own] = [profile.get('aws_access_key_id'), profile.get('aws_secret_access_key')];
    if (key && own) return keysOf(key, own, profile.get('aws_session_token'), String(from));
  }
  if (!env.AWS_PROFILE) return undefined;
  throw new Failure(EXIT.config, `the profile ${JSON.stringify(env.AWS_PROFILE)} has no access keys`, {
    place: file,
    hint: 'only keys in the credentials file are read; for other profiles run eval "$(aws configure export-credentials --format env)"',
  });
}

function keysOf(id: string, secret: string, token: string | undefined, from: string): Credential {
  const aws = { accessKeyId: id, secretAccessKey: secret, ...(token && { sessionToken: token }) };
  return { headers: {}, from, aws };
}

/** The region that the profile names; undefined where the environment names one, or nobody does. */
export function awsRegion(env: Env): string | undefined {
  if (env.AWS_REGION || env.AWS_DEFAULT_REGION) return undefined;
  const config = configFile(env);
  return config === undefined ? undefined : configured(config, env).get('region');
}

const profileOf = (env: Env): string => env.AWS_PROFILE || 'default';

const configured = (file: string, env: Env): Profile =>
  profileIn(file, profileOf(env) === 'default' ? 'default' : `profile ${profileOf(env)}`);

const credentialsFile = (env: Env) =>
  env.AWS_SHARED_CREDENTIALS_FILE || (env.HOME && join(env.HOME, '.aws', 'credentials'));
const configFile = (env: Env) => env.AWS_CONFIG_FILE || (env.HOME && join(env.HOME, '.aws', 'config'));

/** The settings of one section; none where there is no file. */
function profileIn(file: string, name: string): Profile {
  let section: string | undefined;
  const found = new Map<string, string>();
  for (const line of linesOf(file)) {
    const header = /^\[([^\]]*)\]/.exec(line)?.[1];
    if (header !== undefined) section = header.trim().replace(/\s+/g, ' ');
    const at = line.indexOf('=');
    // A line that is set in belongs to the setting above it.
    if (section === name && at > 0 && !/^[\s#;]/.test(line))
      found.set(line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim());
  }
  return found;
}

const linesOf = (file: string): string[] => readSecretText(file, 'profile')?.split(/\r?\n/) ?? [];
