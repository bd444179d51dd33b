// Files of rules: `{permissions: {deny, ask, allow, defaultMode, additionalDirectories}}`, JSON or YAML, as in Claude Code's settings.
import { basename, dirname, resolve } from 'node:path';
import { parseSettings, trustedText } from '../config/trusted.ts';
import { EXIT, Failure } from '../failure/failure.ts';
import { isObject, type JsonObject, kindOf } from '../json/values.ts';
import { type List, parseRule, type Rule } from './rule.ts';

/** What happens to a call that no rule speaks of. */
export type Mode = 'default' | 'acceptEdits' | 'plan' | 'dontAsk' | 'bypassPermissions';

export interface Policy {
  readonly deny: readonly Rule[];
  readonly ask: readonly Rule[];
  readonly allow: readonly Rule[];
  readonly mode: Mode;
  /** Where `acceptEdits` accepts edits, besides the working directory. Absolute. */
  readonly directories: readonly string[];
}

export const EMPTY: Policy = { deny: [], ask: [], allow: [], mode: 'default', directories: [] };

/** Reads and joins files of rules; the last mode counts. Throws a Failure (78) that names the file and the place in it. */
export async function readPolicies(paths: readonly string[], cwd: string): Promise<Policy> {
  let policy = EMPTY;
  for (const path of paths) policy = join(policy, await readPolicy(path, cwd));
  return policy;
}

function join(a: Policy, b: Policy): Policy {
  return {
    deny: [...a.deny, ...b.deny],
    ask: [...a.ask, ...b.ask],
    allow: [...a.allow, ...b.allow],
    mode: b.mode === 'default' ? a.mode : b.mode,
    directories: [...a.directories, ...b.directories],
  };
}

/** The word for the rules that come with the programs. */
const BUILTIN = 'builtin';

/** What reads below the working directory, and what asks, runs; about the rest a person is asked. */
const RULES: JsonObject = {
  ask: ['Read(.env)', 'Read(.env.*)'],
  allow: ['Read', 'Grep', 'Glob', 'LS', 'TodoWrite', 'AskUserQuestion', 'Task'].concat(
    ['read_file', 'search_files', 'list_files', 'ask_followup_question', 'new_task'],
    ['list_modes', 'switch_mode', 'attempt_completion'],
  ),
};

async function readPolicy(path: string, cwd: string): Promise<Policy> {
  if (path === BUILTIN) return readRules(RULES, BUILTIN, resolve(cwd, BUILTIN));
  const file = resolve(cwd, path);
  const value = await parseSettings(trustedText(path, cwd), path);
  if (!isObject(value) || !isObject(value.permissions))
    throw new Failure(EXIT.config, 'cannot read the rules: the file has no "permissions"', {
      place: path,
      hint: 'it must be an object with "permissions": {"allow", "ask", "deny"}',
    });
  return readRules(value.permissions, path, file);
}

const MODES: readonly Mode[] = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'];

function readRules(permissions: JsonObject, path: string, file: string): Policy {
  const { defaultMode, additionalDirectories } = permissions;
  const base = basename(dirname(file)) === '.claude' ? dirname(dirname(file)) : dirname(file);
  const list = (name: List) =>
    strings(permissions[name], `permissions.${name}`, path).map((text, i) =>
      parseRule(text, name, { file: path, base, place: `${path}: permissions.${name}[${i}]` }),
    );
  // Claude Code's "auto" has a model judge what no rule speaks of; here a person does.
  const mode =
    defaultMode === undefined || defaultMode === 'auto' ? 'default' : MODES.find((each) => each === defaultMode);
  if (mode === undefined)
    throw new Failure(EXIT.config, `there is no mode "${String(defaultMode)}"`, {
      place: `${path}: permissions.defaultMode`,
      hint: MODES.join(', '),
    });
  const directories = strings(additionalDirectories, 'permissions.additionalDirectories', path);
  return {
    deny: list('deny'),
    ask: list('ask'),
    allow: list('allow'),
    mode,
    directories: directories.map((directory) => resolve(base, directory)),
  };
}

function strings(value: unknown, field: string, path: string): readonly string[] {
  if (value === undefined || value === null) return [];
  const bad = Array.isArray(value) ? value.find((item) => typeof item !== 'string') : value;
  if (Array.isArray(value) && bad === undefined) return value;
  throw new Failure(EXIT.config, `must be a list of strings, not ${kindOf(bad)}`, { place: `${path}: ${field}` });
}
