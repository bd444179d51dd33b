// The full copies of files in what stays: what is older than one of them need not be there twice.
import type { Message, Part, ToolCallPart } from '../../lib/conversation/types.ts';
import { type Access, accessOf } from './accesses.ts';
import type { Layout } from './layout.ts';

/** The full copies of files in what stays, taken from the latest to the oldest. */
class Copies {
  readonly #copies = new Map<string, Access[]>();
  /** Results whose calls are still to come. */
  readonly #good = new Set<string>();

  /** Takes a message that stays; `whole` tells the parts that nobody shortened. What failed copies nothing, and what has no result has not happened. */
  take({ parts }: Message, whole: (part: Part) => boolean): void {
    for (const part of parts.toReversed()) {
      if (part.type === 'tool_result' && !part.error && part.parts.length > 0 && whole(part))
        this.#good.add(part.callId);
      if (part.type === 'tool_call' && this.#good.delete(part.id) && whole(part)) this.#add(part);
    }
  }

  /** Whether a full copy of what an older call read or wrote stays. */
  supersede(call: ToolCallPart): boolean {
    const access = accessOf(call);
    return access !== undefined && this.#covers(access);
  }

  #add(call: ToolCallPart): void {
    const access = accessOf(call);
    if (access === undefined || this.#covers(access)) return;
    this.#copies.set(access.path, [...(this.#copies.get(access.path) ?? []), access]);
  }

  #covers({ path, from, to }: Access): boolean {
    return this.#copies.get(path)?.some((copy) => copy.from <= from && copy.to >= to) ?? false;
  }
}

/** What stays of a transcript, taken from the latest to the oldest. */
export class Kept {
  readonly #layout: Layout;
  readonly #all = new Copies();
  /** Those that stay wherever the frontier is. */
  readonly #lasting = new Copies();
  readonly #shortens: { readonly [type in Part['type']]?: boolean };

  constructor(layout: Layout) {
    const has = (...names: string[]) => layout.policy.trims.some(({ name }) => names.includes(name));
    this.#layout = layout;
    this.#shortens = { tool_call: has('arguments'), tool_result: has('results', 'clip') };
  }

  /** Takes what stays of an entry. */
  take(at: number, message: Message | undefined): void {
    const before = this.#layout.message(at);
    if (before === undefined || message === undefined) return;
    const whole = new Set(before.parts);
    this.#all.take(message, (part) => whole.has(part));
    if (this.#shortens.tool_call && this.#shortens.tool_result) return;
    const lasting = new Set(this.#layout.trimmed(at, true).message?.parts);
    this.#lasting.take(message, (part) => whole.has(part) && lasting.has(part));
  }

  /**
   * Whether a copy of what an older call read or wrote stays. What nothing else would shorten goes only for a copy that lasts: else a smaller
   * budget, which keeps no copy, would have more of it.
   */
  supersede(call: ToolCallPart, part: Part): boolean {
    return (this.#shortens[part.type] ? this.#all : this.#lasting).supersede(call);
  }
}
