// One line of a dataset: a conversation that is answered on its line. One that fails says so there, and ends nothing.
import type { Context } from '../../lib/cli/filter.ts';
import type { Message } from '../../lib/conversation/types.ts';
import { type Conversation, emit } from '../../lib/conversion/gather.ts';
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import { type Rec, record } from '../../lib/json/record.ts';
import { isObject, type JsonObject } from '../../lib/json/values.ts';
import { ForeignAddress } from '../../lib/models/routed.ts';
import { waitsFor } from './open-calls.ts';
import type { CompleteOptions } from './options.ts';
import { prepared } from './prepare.ts';
import { withAnswer } from './reply.ts';
import type { Ready } from './run.ts';
import { complete } from './single.ts';

export interface LineResult {
  readonly records: readonly Rec[];
  readonly text: string;
  readonly failed: boolean;
  /** What the answer cost, where that is known. */
  readonly usd: number | undefined;
}

/** What is wrong with one line alone. A key that is missing or a quota that is spent would fail them all. */
const ONE_LINE = new Set<number>([EXIT.badInput, EXIT.unavailable, EXIT.later, EXIT.timeout]);

export class Line {
  readonly #ready: Ready;
  readonly #options: CompleteOptions;
  readonly #context: Context;

  constructor(ready: Ready, options: CompleteOptions, context: Context) {
    this.#ready = ready;
    this.#options = options;
    this.#context = context;
  }

  /** Throws a Failure for what would fail every line. */
  async answer(before: Conversation): Promise<LineResult> {
    const waits = waitsFor(before);
    if (waits !== undefined) {
      this.#ready.session.note(waits);
      return { records: [...emit(before)], text: '', failed: false, usd: 0 };
    }
    try {
      const conversation = prepared(before, this.#ready.preparation);
      const reply = await complete(conversation, this.#ready, undefined);
      const shown = this.#options.new ? before : conversation;
      const records = [...emit(withAnswer(shown, reply, this.#ready.session), before)];
      return { records, text: textOf(reply.message), failed: false, usd: usdOf(reply.message) };
    } catch (error) {
      if (!(error instanceof Failure && (ONE_LINE.has(error.status) || error instanceof ForeignAddress))) throw error;
      return this.#failed(before, error);
    }
  }

  #failed(before: Conversation, { status, message, place, hint }: Failure): LineResult {
    this.#context.exit(EXIT.later);
    const value = isObject(before.rolled?.value) ? before.rolled.value : {};
    const meta: JsonObject = isObject(value._meta) ? value._meta : {};
    const error = { status, message, ...(hint !== undefined && { hint }) };
    const at = place ?? `${before.rolled?.file}:${before.rolled?.line}`;
    this.#ready.session.note(`${at}: ${message}`);
    return {
      records: [record({ ...value, _meta: { ...meta, error } }, before.rolled)],
      text: '',
      failed: true,
      usd: undefined,
    };
  }
}

const textOf = ({ parts }: Message): string =>
  parts.map((part) => (part.type === 'text' || part.type === 'refusal' ? part.text : '')).join('');

function usdOf({ meta }: Message): number | undefined {
  const usd = isObject(meta?.cost) ? meta.cost.usd : undefined;
  return typeof usd === 'number' ? usd : undefined;
}
