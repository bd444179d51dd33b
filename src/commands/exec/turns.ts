// Results on their way into the conversation: one by one, or, where the dialect keeps those of a turn together, when the last is there.

import type { CallRecord, ResultRecord } from '../../lib/conversation/loop-records.ts';
import { joinsResults, type Result, writeResults } from '../../lib/dialects/codec/tool-results.ts';
import type { Format } from '../../lib/dialects/types.ts';
import { type Rec, record } from '../../lib/json/record.ts';
import type { Json } from '../../lib/json/values.ts';

interface Open {
  readonly turn: number | undefined;
  readonly of: number;
  readonly format: Format;
  seen: number;
  /** Results that are not in the conversation yet, with the place of their call. */
  held: { readonly index: number; readonly result: Result }[];
  /** Records that may not stand between calls and results. */
  readonly later: Rec[];
}

export class Turns {
  readonly #formatOf: (call: CallRecord) => Format;
  #open: Open | undefined;

  constructor(formatOf: (call: CallRecord) => Format) {
    this.#formatOf = formatOf;
  }

  /** A record that is no call: it goes on at once, or after the results of the turn that it stands in. */
  pass(rec: Rec): Rec[] {
    if (this.#open === undefined) return [rec];
    this.#open.later.push(rec);
    return [];
  }

  /** The records to write for one more result. */
  add(call: CallRecord, result: Result): Rec[] {
    const out: Rec[] = [];
    let open = this.#open;
    if (open === undefined || open.turn !== call.turn || call.of === undefined) {
      out.push(...this.end());
      open = { turn: call.turn, of: call.of ?? 1, format: this.#formatOf(call), seen: 0, held: [], later: [] };
      this.#open = open;
    }
    open.seen += 1;
    const whole = open.seen >= open.of;
    const natives = open.of > 1 && joinsResults(open.format) ? undefined : writeResults(open.format, [result]);
    // What must follow a result (an image that its message cannot hold) may not come before the other results.
    if (natives !== undefined && (natives.length === 1 || open.of === 1))
      out.push(...natives.map((native) => record(native)));
    else {
      open.held.push({ index: call.index ?? open.seen, result });
      if (!whole && call.result === undefined) out.push(record(ahead(call, result)));
    }
    return whole ? [...out, ...this.#close(open)] : out;
  }

  /** What waited for calls that never came. Their turn stays open: its results are written down, and nothing else. */
  end(): Rec[] {
    const open = this.#open;
    this.#open = undefined;
    return open?.later ?? [];
  }

  #close({ held, format, later }: Open): Rec[] {
    this.#open = undefined;
    if (held.length === 0) return later;
    const results = held.sort((a, b) => a.index - b.index).map(({ result }) => result);
    return [...writeResults(format, results).map((native) => record(native)), ...later];
  }
}

/** A result before its message, so that it is not lost if the others never come. */
function ahead({ id, name, index }: CallRecord, { content, error, facts }: Result): Json {
  const made: ResultRecord = {
    type: 'result',
    id,
    name,
    ...(index !== undefined && { index }),
    content,
    ...(error && { is_error: true as const }),
    run: facts,
  };
  return made as unknown as Json;
}
