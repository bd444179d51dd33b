// What the rules say of a shell command. Rules about text are a convenience, and the box that a command runs in is the boundary; still, nothing is
// allowed here that cannot be read, and what is forbidden is looked for in every part.
import { resolve } from 'node:path';
import type { CallRecord } from '../conversation/loop-records.ts';
import { isObject } from '../json/values.ts';
import { Allowed } from './bash/allow.ts';
import { type ReadScript, type Script, shellReader } from './bash/commands.ts';
import { Denied, type Found } from './bash/deny.ts';
import { pathsIn } from './bash/paths.ts';
import type { Verdict } from './judge.ts';
import { covers, type Place, ruledPath } from './path-rule.ts';
import type { Policy } from './policy.ts';
import { kindOf, type List, type Rule } from './rule.ts';
import { isAbout } from './tool-names.ts';

const specifierOf = ({ specifier = '' }: Rule): string => specifier;

/** The rules of one list: those about every command, and those about some. */
class ShellList {
  readonly whole: Rule | undefined;
  readonly some: readonly Rule[];

  constructor(rules: readonly Rule[], list: List) {
    const own = rules.filter((rule) => isAbout(rule, 'Bash', list));
    this.whole = own.find(({ specifier }) => specifier === undefined || specifier === '*');
    this.some = own.filter((rule) => rule.specifier !== undefined && rule.specifier !== '*');
  }
}

export class ShellJudge {
  readonly #policy: Policy;
  readonly #place: Place;
  readonly #read: ReadScript;
  readonly #lists: { readonly [list in List]: ShellList };

  constructor(policy: Policy, place: Place, read: ReadScript) {
    this.#policy = policy;
    this.#place = place;
    this.#read = read;
    this.#lists = {
      deny: new ShellList(policy.deny, 'deny'),
      ask: new ShellList(policy.ask, 'ask'),
      allow: new ShellList(policy.allow, 'allow'),
    };
  }

  static async load(policy: Policy, place: Place): Promise<ShellJudge> {
    return new ShellJudge(policy, place, await shellReader());
  }

  judge(call: CallRecord, fallback: () => Verdict): Verdict {
    const { deny, ask, allow } = this.#lists;
    if (deny.whole) return { decision: 'deny', rule: deny.whole };
    const command = commandOf(call);
    if (command === undefined) return { decision: 'ask', why: 'there is no command in it' };
    const script = this.#read(command);
    const denied = this.#find(deny, script);
    if (denied.verdict) return { decision: 'deny', ...denied.verdict };
    const forbidden = this.#names(script, 'deny', call);
    if (forbidden) return { decision: 'deny', rule: forbidden };
    if (ask.whole) return { decision: 'ask', rule: ask.whole };
    const asked = this.#find(ask, script);
    const named = asked.verdict ? undefined : this.#names(script, 'ask', call);
    if (asked.verdict || named) return { decision: 'ask', ...(asked.verdict ?? { rule: named }) };
    const hidden = denied.hidden ?? asked.hidden;
    if (hidden !== undefined) return { decision: 'ask', why: `some commands are not allowed, and ${hidden}` };
    if (allow.whole) return { decision: 'allow', rule: allow.whole };
    return this.#allow(allow, script, fallback);
  }

  #find({ some }: ShellList, script: Script): { verdict?: { rule: Rule }; hidden?: string } {
    if (some.length === 0) return {};
    const { rule, hidden }: Found = new Denied(some.map(specifierOf), this.#read).find(script);
    const found = rule === undefined ? undefined : some[rule];
    return { ...(found && { verdict: { rule: found } }), hidden };
  }

  #allow({ some }: ShellList, script: Script, fallback: () => Verdict): Verdict {
    const objection = some.length > 0 ? new Allowed(some.map(specifierOf), this.#read).objection(script) : undefined;
    const [first] = some;
    if (first && objection === undefined)
      return { decision: 'allow', rule: first, why: 'rules allow every command in it' };
    const verdict = fallback();
    return verdict.decision === 'ask' && objection !== undefined ? { decision: 'ask', why: objection } : verdict;
  }

  /** A rule about a path that the script names. */
  #names(script: Script, list: 'deny' | 'ask', { input }: CallRecord): Rule | undefined {
    const rules = this.#policy[list].filter(
      ({ tool, specifier }) => specifier !== undefined && PATHS.has(kindOf(tool)),
    );
    if (rules.length === 0) return undefined;
    const cwd =
      isObject(input) && typeof input.cwd === 'string' ? resolve(this.#place.cwd, input.cwd) : this.#place.cwd;
    for (const { path, cwd: directory, writes } of pathsIn(script, cwd, this.#place.home)) {
      const ruled = ruledPath(path, directory, resolve(directory, path), false);
      const found =
        ruled &&
        rules.find((rule) => (writes || kindOf(rule.tool) === 'read') && covers(rule, ruled, list, this.#place));
      if (found) return found;
    }
    return undefined;
  }
}

const PATHS: ReadonlySet<unknown> = new Set(['read', 'edit']);

function commandOf({ input }: CallRecord): string | undefined {
  return isObject(input) && typeof input.command === 'string' && input.command.trim() !== ''
    ? input.command
    : undefined;
}
