// The environment of programs that run for a model: a list of what may pass, so that no key reaches them unasked.

type Env = Readonly<Record<string, string | undefined>>;

const PASSED = new Set('PATH HOME USER LOGNAME SHELL LANG TERM TMPDIR TZ'.split(' '));

/** Names of ours that hold no secret; `LC_*` are the locale's. */
const OURS = /^(AI_[A-Z0-9_]+|LC_[A-Z]+)$/;

const SECRET = /KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|AUTH/;

/** The variables that may pass, and those that were asked for by name or by a part of it (`*_API_KEY`). `more` is added as it is. */
export function allowedEnvironment(
  env: Env,
  names: readonly string[] = [],
  more: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const passes = (name: string) =>
    PASSED.has(name) || (OURS.test(name) && !SECRET.test(name)) || names.some((wanted) => standsFor(wanted, name));
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && passes(entry[0]),
  );
  return { ...Object.fromEntries(kept), ...more };
}

/** A name, or one with a star at its beginning or end for any text. */
function standsFor(wanted: string, name: string): boolean {
  if (wanted.length < 3) return wanted === name;
  if (wanted.endsWith('*')) return name.startsWith(wanted.slice(0, -1));
  return wanted.startsWith('*') ? name.endsWith(wanted.slice(1)) : wanted === name;
}
