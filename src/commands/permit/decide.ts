// From a call to a decided call.
import type { Context } from '../../lib/cli/filter.ts';
import type { Terminal } from '../../lib/cli/terminal.ts';
import { type CallRecord, digestOf } from '../../lib/conversation/loop-records.ts';
import { Judge, type Verdict } from '../../lib/permissions/judge.ts';
import type { Policy } from '../../lib/permissions/policy.ts';
import { kindOf, type Rule } from '../../lib/permissions/rule.ts';
import { quoted } from '../../lib/text/control-characters.ts';
import { ask } from './ask.ts';

export interface DecideOptions {
  readonly onAsk: 'deny' | 'stop';
  /** Denies every call, for this reason. */
  readonly deny?: string;
  /** An earlier stage's permission stands where no rule speaks. */
  readonly hooks: boolean;
  /** Calls that had started may run again. */
  readonly rerun: boolean;
  /** What the rules allow is asked for once text from the network is in the conversation. */
  readonly askTainted: boolean;
}

type Decided = Pick<CallRecord, 'decision' | 'reason' | 'by'>;

const INTERRUPTED =
  'an earlier run was interrupted while it was running, and it is unknown what it did: check before you try again';

/** Decides calls by rules, and asks a person where they say so or say nothing. */
export class Decider {
  readonly #judge: Judge;
  readonly #options: DecideOptions;
  readonly #context: Context;
  /** Opened for the first question; null where nobody can be asked. */
  #terminal: Terminal | null | undefined;

  constructor(policy: Policy, options: DecideOptions, context: Context) {
    this.#judge = new Judge(policy, { cwd: context.cwd, home: context.env.HOME || '/' });
    this.#options = options;
    this.#context = context;
  }

  /** The call with its decision; undefined to leave it open. A call that has its result already goes on as it is. */
  async decide(given: CallRecord): Promise<CallRecord | undefined> {
    if (given.result !== undefined) return given;
    // What an earlier stage said is no decision: it is heard below, and never copied.
    const {
      decision: _decision,
      reason: _reason,
      by: _by,
      digest: _digest,
      rerun: _rerun,
      hide: _hide,
      ...call
    } = given;
    const decided = await this.#decide(given);
    if (decided === undefined) return undefined;
    const allowed = decided.decision === 'allow';
    const hide = allowed && kindOf(call.name) === 'search' ? this.#judge.hidden() : [];
    return {
      ...call,
      ...decided,
      digest: digestOf(call),
      ...(allowed && call.started && { rerun: true }),
      ...(hide.length > 0 && { hide }),
    };
  }

  close(): void {
    this.#terminal?.close();
  }

  async #decide(call: CallRecord): Promise<Decided | undefined> {
    const { deny, rerun } = this.#options;
    if (deny !== undefined) return { decision: 'deny', reason: deny, by: '--deny' };
    if (call.started && !rerun) return { decision: 'deny', reason: INTERRUPTED, by: 'started' };
    if (call.decision === 'deny') return { decision: 'deny', reason: call.reason, by: call.by ?? 'an earlier stage' };
    const verdict = await this.#judge.judge(call);
    const why = reasonOf(verdict);
    if (verdict.decision === 'deny') return { decision: 'deny', reason: why, by: byOf(verdict) };
    if (this.#isAllowed(call, verdict)) return { decision: 'allow', by: byOf(verdict, call) };
    return this.#ask(call, askedBecause(call, verdict, why));
  }

  #isAllowed(call: CallRecord, { decision, rule }: Verdict): boolean {
    if (call.decision === 'ask') return false;
    if (decision === 'allow') return !(call.tainted && this.#options.askTainted);
    return this.#options.hooks && rule === undefined && call.decision === 'allow' && call.digest === digestOf(call);
  }

  async #ask(call: CallRecord, why: string): Promise<Decided | undefined> {
    if (this.#terminal === undefined) this.#terminal = this.#context.openTerminal() ?? null;
    if (this.#terminal === null) return this.#unasked(why);
    const answer = await ask(this.#terminal, call, why, this.#context.cwd);
    if (answer === 'later') return undefined;
    if (answer === 'gone') {
      this.close();
      this.#terminal = null;
      return this.#unasked(why);
    }
    if (answer.allow) return { decision: 'allow', by: 'user' };
    return { decision: 'deny', reason: `the user said no${answer.why ? `: ${answer.why}` : ''}`, by: 'user' };
  }

  #unasked(why: string): Decided | undefined {
    if (this.#options.onAsk === 'stop') return undefined;
    return {
      decision: 'deny',
      reason: `it needs a person's permission, but there is nobody to ask (${why})`,
      by: 'nobody',
    };
  }
}

const named = ({ text, file }: Rule): string => `the rule ${quoted(text, 200)} of ${file}`;

function reasonOf({ decision, rule, why }: Verdict): string {
  if (rule === undefined) return why ?? 'no rule matches it';
  const verb = { deny: 'forbids it', ask: 'wants a person to decide', allow: 'allows it' }[decision];
  return `${named(rule)} ${verb}`;
}

function byOf({ rule, why, decision }: Verdict, call?: CallRecord): string {
  if (rule) return `${rule.text} (${rule.file})`;
  return call && decision === 'ask' ? (call.by ?? 'an earlier stage') : (why ?? 'rules');
}

function askedBecause(call: CallRecord, { decision }: Verdict, why: string): string {
  if (call.decision === 'ask') return call.reason ?? 'an earlier stage wants a person to decide';
  return decision === 'allow' ? 'text from the network is in the conversation' : why;
}
