// What nobody may see: in errors, traces, cassettes, --dry-run.
import type { Target } from './target.ts';

/** Keys as their makers shape them, wherever they stand: in a tool's output, say. */
const KEYS =
  /\b(sk-[A-Za-z0-9_-]{16,}|(?:gsk|xai|hf|pplx|r8|nvapi|ghp|gho|github_pat|glpat|xox[abp])[-_][A-Za-z0-9_-]{16,}|AIza[A-Za-z0-9_-]{30,}|AKIA[A-Z0-9]{16}|eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,})/g;

/** The text without what looks like a key. */
export const scrub = (text: string): string => text.replace(KEYS, '***');

/** Replaces what is secret in a text: the credential's values, whole and without their scheme, and what looks like a key. */
export function masker(secrets: readonly string[]): (text: string) => string {
  const all = secrets.flatMap((secret) => [secret, secret.replace(/^Bearer /, '')]).filter((one) => one.length >= 4);
  return (text) => scrub(all.reduce((masked, secret) => masked.replaceAll(secret, '***'), text));
}

/** The values of a credential that nobody may see. `sent` are the headers of a request with it. */
export function secretsOf(target: Target, sent: Readonly<Record<string, string>>): string[] {
  const credential = target.credential();
  if (credential === undefined) return [];
  const { aws, headers } = credential;
  const held = { ...headers, ...(credential.obtain && { authorization: sent.authorization ?? '' }) };
  const secret = Object.entries(held).flatMap(([name, value]) => (PUBLIC.has(name) ? [] : [value]));
  return [...secret, ...(aws ? [aws.secretAccessKey, aws.sessionToken ?? ''] : [])];
}

const PUBLIC = new Set(['anthropic-beta', 'chatgpt-account-id']);
