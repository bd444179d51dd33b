// One transcript under one policy: what each entry takes whole and trimmed, and which may not go.

import { answersFirst } from '../../lib/constraints/rules/turns.ts';
import type { FormatName, Message, ToolCallPart } from '../../lib/conversation/types.ts';
import type { Policy } from './policy.ts';
import type { Sizes } from './sizes.ts';
import type { Place } from './strategies/types.ts';
import type { Step, Transcript } from './transcript.ts';

/** A message after the trims of a policy, and those that changed it; undefined if nothing is left. */
export interface Trimmed {
  readonly message: Message | undefined;
  readonly tokens: number;
  readonly by: readonly string[];
}

/** Which API takes the conversation, and for which model. */
interface Speaking {
  readonly format: FormatName;
  readonly model: string | undefined;
}

export class Layout {
  readonly transcript: Transcript;
  readonly sizes: Sizes;
  readonly policy: Policy;
  readonly format: FormatName;
  readonly model: string | undefined;
  /** Tokens of tools, system prompt in the head, and of the request itself. */
  readonly head: number;
  readonly #stepAt: Int32Array;
  /** For each step, the last one before it in which the user speaks; -1 for none. */
  readonly #askBefore: Int32Array;
  /** Characters that the user said before each step, without what is pinned. */
  readonly #said: Float64Array;
  readonly #pinned: Uint8Array;
  #pinnedSums: Float64Array | undefined;
  readonly #trimmed = new Map<number, Trimmed>();
  /** The first thing that the user says; -1 if nothing. */
  readonly firstAsk: number;

  constructor(transcript: Transcript, sizes: Sizes, policy: Policy, { format, model }: Speaking, head: number) {
    this.transcript = transcript;
    this.sizes = sizes;
    this.policy = policy;
    this.format = format;
    this.model = model;
    this.head = head;
    this.#stepAt = new Int32Array(transcript.entries.length).fill(-1);
    this.#pinned = new Uint8Array(transcript.entries.length);
    const { steps } = transcript;
    this.#askBefore = new Int32Array(steps.length + 1).fill(-1);
    this.#said = new Float64Array(steps.length + 1);
    this.firstAsk = steps.findIndex(({ asks }) => asks);
    const first = steps[this.#lastPinned()]?.to ?? 0;
    steps.forEach((step, i) => {
      this.#stepAt.fill(i, step.from, step.to);
      const begins = step.kind === 'ask' && i <= this.firstAsk;
      const pinned =
        step.kind === 'system' || step.kind === 'kept' || begins || i === this.firstAsk || step.from < first;
      if (pinned) this.#pinned.fill(1, step.from, step.to);
      this.#askBefore[i + 1] = step.asks ? i : (this.#askBefore[i] as number);
      const said = step.asks && !pinned ? sizes.charsBefore(step.to) - sizes.charsBefore(step.from) : 0;
      this.#said[i + 1] = (this.#said[i] as number) + said;
    });
  }

  /** Where what --keep-last names begins, of the entries before `end`. */
  keptFrom(end: number): number {
    const { keepLast } = this.policy;
    if (keepLast === undefined) return end;
    let left = 'messages' in keepLast ? keepLast.messages : keepLast.tokens;
    let from = end;
    while (from > 0 && left > 0) {
      from -= 1;
      if (this.message(from) === undefined) continue;
      left -= 'messages' in keepLast ? 1 : this.sizes.tokens(from);
      if (left < 0) return this.stepStart(from + 1);
    }
    return this.stepStart(from);
  }

  /** The last step that --keep-first names, and what the assistant must say to its results; -1 for none. */
  #lastPinned(): number {
    const { steps } = this.transcript;
    let last = this.#stepWith(this.policy.keepFirst);
    const endsWithResults = (): boolean =>
      this.message((steps[last]?.to ?? 0) - 1)?.parts.some(({ type }) => type === 'tool_result') ?? false;
    if (answersFirst(this.format, this.model)) while (steps[last + 1]?.kind === 'work' && endsWithResults()) last += 1;
    return last;
  }

  /** The step that the `count`th message is in, the last one where there are not so many; -1 for none. */
  #stepWith(count: number): number {
    const { steps } = this.transcript;
    if (count === 0) return -1;
    let seen = 0;
    const found = steps.findIndex(({ from, to }) => {
      for (let at = from; at < to; at++) if (this.message(at)) seen++;
      return seen >= count;
    });
    return found < 0 ? steps.length - 1 : found;
  }

  /** Where calls that are still to be answered begin, of the entries before `end`. */
  openFrom(end: number): number {
    const last = this.lastStep(end);
    return last?.open ? last.from : end;
  }

  message(at: number): Message | undefined {
    return this.transcript.entries[at]?.message;
  }

  /** The step of an entry; undefined for a record between steps. */
  step(at: number): Step | undefined {
    return this.transcript.steps[this.#stepAt[at] ?? -1];
  }

  /** The first entry of the step that an entry is in the middle of; the entry itself where a step begins. */
  stepStart(at: number): number {
    const step = this.step(at);
    return step === undefined ? at : step.from;
  }

  /** Stays whatever happens: system messages, the first thing that the user says, what --keep-first names, the API's own summaries. */
  isPinned(at: number): boolean {
    return this.#pinned[at] === 1;
  }

  /** Tokens of an entry that may go; 0 for one that stays anyway. */
  tokens(at: number): number {
    return this.isPinned(at) ? 0 : this.sizes.tokens(at);
  }

  /** Tokens of what stays whatever happens, among the entries before `end`. */
  pinnedTokens(end: number): number {
    const { steps } = this.transcript;
    if (this.#pinnedSums === undefined) {
      this.#pinnedSums = new Float64Array(steps.length + 1);
      for (const [i, { from, to }] of steps.entries())
        this.#pinnedSums[i + 1] =
          (this.#pinnedSums[i] as number) + (this.isPinned(from) ? this.sizes.sum(from, to) : 0);
    }
    return this.#pinnedSums[this.#stepsBefore(end)] as number;
  }

  /** The last step before an entry in which the user speaks; undefined if there is none. */
  lastAsk(before: number): Step | undefined {
    return this.transcript.steps[this.#askBefore[this.#stepsBefore(before)] as number];
  }

  /** The characters that the user said before an entry, without what stays anyway. */
  saidBefore(before: number): number {
    return this.#said[this.#stepsBefore(before)] as number;
  }

  /** How many steps have begun before an entry. */
  #stepsBefore(before: number): number {
    for (let at = before - 1; at >= 0; at--)
      if ((this.#stepAt[at] as number) >= 0) return (this.#stepAt[at] as number) + 1;
    return 0;
  }

  /** Whether an entry's turn is over at `end`. */
  isPast(at: number, end: number): boolean {
    const last = this.lastStep(end);
    const step = this.step(at);
    return last !== undefined && step !== undefined && step.turn < last.turn;
  }

  lastStep(end: number): Step | undefined {
    for (let at = end - 1; at >= 0; at--) {
      const step = this.step(at);
      if (step) return step;
    }
    return undefined;
  }

  /** An entry with all trims that this policy has. What the user said is not trimmed. */
  trimmed(at: number, past: boolean): Trimmed {
    const key = at * 2 + (past ? 1 : 0);
    const known = this.#trimmed.get(key);
    if (known) return known;
    const message = this.message(at);
    const by: string[] = [];
    const made = message && this.apply(message, at, past, this.policy.trims, by);
    const trimmed: Trimmed = {
      by,
      message: made,
      tokens: made === message ? this.sizes.tokens(at) : made ? this.sizes.counter.message(made) : 0,
    };
    this.#trimmed.set(key, trimmed);
    return trimmed;
  }

  /** A message after some trims; undefined if nothing is left of it. The names of those that changed it go into `by`. */
  apply(
    message: Message,
    at: number,
    past: boolean,
    trims: Policy['trims'],
    by: string[],
    superseded?: Place['superseded'],
  ): Message | undefined {
    const place = this.#place(at, past, superseded);
    let trimmed: Message | undefined = message;
    for (const trim of trims) {
      const before: Message | undefined = trimmed;
      trimmed = before && trim.apply(before, place);
      if (trimmed !== before) by.push(trim.name);
    }
    return trimmed;
  }

  #place(at: number, past: boolean, superseded: Place['superseded'] | undefined): Place {
    return {
      format: this.format,
      past,
      counter: this.sizes.counter,
      rule: this.policy.rule,
      call: (id) => this.call(at, id),
      superseded: superseded ?? (() => false),
    };
  }

  /** The call with an id in the step of an entry. */
  call(at: number, id: string): ToolCallPart | undefined {
    const step = this.step(at);
    for (let i = step?.from ?? at; i <= at; i++)
      for (const part of this.message(i)?.parts ?? []) if (part.type === 'tool_call' && part.id === id) return part;
    return undefined;
  }
}
