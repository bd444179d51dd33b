// Masks secrets in errors, traces, cassettes and the output of --dry-run.
import type { Target } from '../select/target.ts';

/** API keys by their vendors' prefixes, wherever they are, for instance in a tool's output. */
const KEYS =
  /\b(sk-[A-Za-z0-9_-]{16,}|(?:gsk|xai|hf|pplx|r8|nvapi|ghp|gho|github_pat|glpat|xox[abp])[-_][A-Za-z0-9_-]{16,}|AIza[A-Za-z0-9_-]{30,}|AKIA[A-Z0-9]{16}|eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,})/g;

/** Masks everything that looks like a key. */
export const maskKeys = (text: string): string => text.replace(KEYS, '***');

/** A function that masks these secrets, with and without `Bearer `, and everything that looks like a key. */
export function createMask(secrets: readonly string[]): (text: string) => string {
  const all = secrets.flatMap((secret) => [secret, secret.replace(/^Bearer /, '')]).filter((one) => one.length >= 4);
  return (text) => maskKeys(all.reduce((masked, secret) => masked.replaceAll(secret, '***'), text));
}

/** The secret values of the target's credential. `sent` are the headers of a request that carries it. */
export function secretsOf(target: Target, sent: Readonly<Record<string, string>>): string[] {
  const credential = target.credential();
  if (credential === undefined) return [];
  const { aws, headers } = credential;
  const held = { ...headers, ...(credential.obtain && { authorization: sent.authorization ?? '' }) };
  const secret = Object.entries(held).flatMap(([name, value]) => (PUBLIC.has(name) ? [] : [value]));
  return [...secret, ...(aws ? [aws.secretAccessKey, aws.sessionToken ?? ''] : [])];
}

const PUBLIC = new Set(['anthropic-beta', 'chatgpt-account-id']);
