// Files of hooks: Claude Code's settings (`{"hooks": {EVENT: [{matcher, hooks}]}}`), or a plugin's hooks.json. Only files that were named are read.
import { basename, dirname, resolve } from 'node:path';
import { parseSettings, trustedText } from '../config/trusted.ts';
import { EXIT, Failure } from '../failure/failure.ts';
import { isObject, type Json, type JsonObject, kindOf } from '../json/values.ts';
import { parseRule, type Rule } from '../permissions/rule.ts';
import { EVENTS } from './events.ts';
import { compileMatcher, type Matcher } from './matcher.ts';

interface HandlerBase {
  /** Where it stands, for messages. */
  readonly place: string;
  /** What `${CLAUDE_PLUGIN_ROOT}` is. */
  readonly root: string;
  /** Seconds. */
  readonly timeout?: number;
  /** What happens if it cannot be run, or ends in a way that says nothing. */
  readonly onFailure: 'warn' | 'block';
  /** It runs only for calls that the rule speaks of. */
  readonly condition?: Rule;
}

export interface CommandHandler extends HandlerBase {
  readonly type: 'command';
  readonly command: string;
  /** With these, the command is a program and no shell reads it. */
  readonly args?: readonly string[];
  /** Nobody waits for it, and what it says does not count. */
  readonly async: boolean;
}

export interface HttpHandler extends HandlerBase {
  readonly type: 'http';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly allowedEnvVars: readonly string[];
}

/** A kind that is not run here (a model's judgement, a tool of a server). */
interface OtherHandler extends HandlerBase {
  readonly type: 'other';
  readonly kind: string;
}

export type Handler = CommandHandler | HttpHandler | OtherHandler;

interface Group {
  readonly matches: Matcher;
  readonly handlers: readonly Handler[];
}

/** The groups of each event, in the order of the files. */
export type HookSettings = ReadonlyMap<string, readonly Group[]>;

/** Reads and joins files of hooks. Throws a Failure (78) that names the file and the place in it. */
export async function readHookSettings(paths: readonly string[], cwd: string): Promise<HookSettings> {
  const events = new Map<string, Group[]>();
  for (const path of paths) {
    const value = await parseSettings(trustedText(path, cwd), path);
    if (!isObject(value)) throw bad(path, 'must be an object', value as Json);
    if (value.disableAllHooks === true) continue;
    for (const [event, groups] of Object.entries(hooksIn(value, path))) {
      const read = list(groups, `${path}: hooks.${event}`).map((group, i) =>
        readGroup(group, resolve(cwd, path), `${path}: hooks.${event}[${i}]`),
      );
      events.set(event, [...(events.get(event) ?? []), ...read]);
    }
  }
  return events;
}

const bad = (place: string, what: string, found?: Json): Failure =>
  new Failure(EXIT.config, found === undefined ? what : `${what}, not ${kindOf(found)}`, { place });

/** The table of events: under `hooks`, or the whole file if its keys are events. */
function hooksIn(value: JsonObject, path: string): JsonObject {
  if (isObject(value.hooks)) return value.hooks;
  if (value.hooks !== undefined) throw bad(`${path}: hooks`, 'must be an object', value.hooks);
  const keys = Object.keys(value);
  if (keys.length > 0 && keys.every((key) => EVENTS.includes(key))) return value;
  throw new Failure(EXIT.config, 'cannot read the hooks: the file has no "hooks"', {
    place: path,
    hint: 'it must be an object with "hooks": {EVENT: [{"matcher", "hooks": […]}]}',
  });
}

function list(value: Json | undefined, place: string): readonly Json[] {
  if (Array.isArray(value)) return value;
  throw bad(place, 'must be a list', value ?? null);
}

function readGroup(group: Json, file: string, place: string): Group {
  if (!isObject(group)) throw bad(place, 'must be an object', group);
  const { matcher, hooks } = group;
  if (matcher !== undefined && typeof matcher !== 'string') throw bad(`${place}.matcher`, 'must be a text', matcher);
  return {
    matches: compileMatcher(matcher ?? '', `${place}.matcher`),
    handlers: list(hooks, `${place}.hooks`).map((handler, i) => readHandler(handler, file, `${place}.hooks[${i}]`)),
  };
}

function readHandler(handler: Json, file: string, place: string): Handler {
  if (!isObject(handler)) throw bad(place, 'must be an object', handler);
  const { type, timeout, onFailure, if: condition } = handler;
  if (timeout !== undefined && typeof timeout !== 'number') throw bad(`${place}.timeout`, 'must be a number', timeout);
  if (condition !== undefined && typeof condition !== 'string') throw bad(`${place}.if`, 'must be a rule', condition);
  const home = basename(dirname(file)) === 'hooks' || basename(dirname(file)) === '.claude';
  const root = home ? dirname(dirname(file)) : dirname(file);
  const base: HandlerBase = {
    place,
    root,
    ...(timeout !== undefined && timeout > 0 && { timeout }),
    onFailure: onFailure === 'block' ? 'block' : 'warn',
    ...(condition && { condition: parseRule(condition, 'ask', { file: place, base: root, place: `${place}.if` }) }),
  };
  if (type === 'command') return commandHandler(handler, base);
  if (type === 'http') return httpHandler(handler, base);
  if (typeof type !== 'string') throw bad(`${place}.type`, 'must be a text', type ?? null);
  return { ...base, type: 'other', kind: type };
}

function commandHandler({ command, args, async }: JsonObject, base: HandlerBase): CommandHandler {
  if (typeof command !== 'string' || command.trim() === '') throw bad(`${base.place}.command`, 'must be a command');
  if (args !== undefined && !texts(args)) throw bad(`${base.place}.args`, 'must be a list of strings');
  return { ...base, type: 'command', command, ...(args !== undefined && { args }), async: async === true };
}

function httpHandler({ url, headers, allowedEnvVars }: JsonObject, base: HandlerBase): HttpHandler {
  if (typeof url !== 'string' || !/^https?:\/\//.test(url))
    throw bad(`${base.place}.url`, 'must be an http or https URL');
  const fields = isObject(headers) ? Object.entries(headers) : [];
  const named = fields.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return {
    ...base,
    type: 'http',
    url,
    headers: Object.fromEntries(named),
    allowedEnvVars: allowedEnvVars !== undefined && texts(allowedEnvVars) ? allowedEnvVars : [],
  };
}

const texts = (value: Json): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');
