// What the rules say of a call: deny, then ask, then allow; the first that speaks of it decides.
import type { CallRecord, Decision } from '../conversation/loop-records.ts';
import { isObject } from '../json/values.ts';
import { covers, fromRoot, type Place } from './path-rule.ts';
import { isWithin } from './paths.ts';
import type { Policy } from './policy.ts';
import { kindOf, type List, type Rule } from './rule.ts';
import { hostOf, pathsOf } from './subject.ts';
import { isAbout } from './tool-names.ts';
import { Wildcard } from './wildcard.ts';

export interface Verdict {
  readonly decision: Decision;
  /** The rule that decided; undefined where none speaks of the call. */
  readonly rule?: Rule;
  /** Why, as a clause, where the rule alone does not say it. */
  readonly why?: string;
}

/** Judges calls by one policy. Rules about shell commands load their parser when the first such call comes. */
export class Judge {
  readonly #policy: Policy;
  readonly #place: Place;

  constructor(policy: Policy, place: Place) {
    this.#policy = policy;
    this.#place = place;
  }

  async judge(call: CallRecord): Promise<Verdict> {
    if (call.text !== undefined && !call.custom) return { decision: 'deny', why: 'its arguments are not JSON' };
    if (kindOf(call.name) === 'shell' && this.#speaksOfCommands()) {
      const { ShellJudge } = await import('./shell.ts');
      return (await ShellJudge.load(this.#policy, this.#place)).judge(call, () => this.#fallback(call));
    }
    for (const list of ['deny', 'ask', 'allow'] as const) {
      const rule = this.#policy[list].find((each) => this.matches(each, call, list));
      if (rule) return { decision: list, rule };
    }
    return this.#fallback(call);
  }

  /** Rules about the words of commands, or about paths that commands may name. */
  #speaksOfCommands(): boolean {
    const { deny, ask, allow } = this.#policy;
    return [...deny, ...ask, ...allow].some(
      ({ tool, specifier }) => specifier !== undefined && PATHS_OR_SHELL.has(kindOf(tool)),
    );
  }

  /** Whether one rule covers a call of a tool that is no shell. */
  matches(rule: Rule, call: CallRecord, list: List): boolean {
    if (!isAbout(rule, call.name, list)) return false;
    const { specifier } = rule;
    if (specifier === undefined) return true;
    const kind = kindOf(call.name);
    if (kind === 'read' || kind === 'search' || kind === 'edit') return this.#coversPaths(rule, call, list);
    if (specifier === '*') return true;
    if (kind === 'fetch') return matchesHost(specifier, hostOf(call), list);
    return matchesArgument(specifier, call);
  }

  #coversPaths(rule: Rule, call: CallRecord, list: List): boolean {
    if (rule.specifier === '*' && list !== 'allow') return true;
    const paths = pathsOf(call, this.#place.cwd);
    if (paths === undefined || paths.length === 0) return false;
    const one = (path: (typeof paths)[number]) => covers(rule, path, list, this.#place);
    return list === 'allow' ? paths.every(one) : paths.some(one);
  }

  /** What the mode says of a call that no rule speaks of. */
  #fallback(call: CallRecord): Verdict {
    const { mode, directories } = this.#policy;
    const kind = kindOf(call.name);
    if (mode === 'bypassPermissions') return { decision: 'allow', why: 'the mode is bypassPermissions' };
    if (mode === 'dontAsk') return { decision: 'deny', why: 'no rule allows it, and the mode is dontAsk' };
    if (mode === 'plan' && (kind === 'edit' || kind === 'shell'))
      return { decision: 'deny', why: 'the mode is plan: nothing is changed' };
    if (mode === 'acceptEdits' && kind === 'edit') {
      const inside = [this.#place.cwd, ...directories];
      const paths = pathsOf(call, this.#place.cwd);
      if (paths?.every(({ real }) => inside.some((directory) => isWithin(real, directory))))
        return { decision: 'allow', why: 'the mode is acceptEdits' };
    }
    return { decision: 'ask', why: 'no rule matches it' };
  }

  /** What searches must not show, though they may begin above it: gitignore patterns from the root. */
  hidden(): readonly string[] {
    const rules = this.#policy.deny.filter(({ tool, specifier }) => tool === 'Read' && specifier !== undefined);
    return rules.flatMap((rule) => fromRoot(rule, this.#place));
  }
}

const PATHS_OR_SHELL: ReadonlySet<unknown> = new Set(['shell', 'read', 'edit']);

/** `domain:example.com`, or `domain:*.example.com`. What is denied is denied below it as well. */
function matchesHost(specifier: string, host: string | undefined, list: List): boolean {
  if (host === undefined) return list !== 'allow' && specifier === 'domain:*';
  const domain = specifier.slice('domain:'.length).trim().toLowerCase().replace(/\.$/, '');
  return new Wildcard(domain).matches(host) || (list !== 'allow' && host.endsWith(`.${domain}`));
}

/** `Agent(name)` by the agent's name, and `Tool(argument:value)` for any tool. */
function matchesArgument(specifier: string, { name, input }: CallRecord): boolean {
  if (!isObject(input)) return false;
  const [, key = '', value = ''] = /^([\w-]+):(.*)$/s.exec(specifier) ?? [];
  const given = Object.hasOwn(input, key) ? input[key] : undefined;
  if (key !== '' && (typeof given !== 'object' || given === null) && given !== undefined)
    return new Wildcard(value).matches(String(given));
  if (kindOf(name) !== 'agent') return false;
  const agent = input.subagent_type ?? input.mode ?? 'general-purpose';
  return typeof agent === 'string' && new Wildcard(specifier).matches(agent);
}
