// A dataset: rolled-up conversations that are answered in parallel, each on its line. A line that fails says why, and the others go on.
import type { Message } from '../../../lib/conversation/types.ts';
import { type Conversation, emit } from '../../../lib/conversion/gather.ts';
import { EXIT, Failure } from '../../../lib/failure/failure.ts';
import { type Rec, record } from '../../../lib/json/record.ts';
import { isObject, type JsonObject } from '../../../lib/json/values.ts';
import { ForeignAddress } from '../../../lib/models/routed.ts';
import { describePendingCalls } from '../prepare/conversations.ts';
import { applyFlags } from '../prepare/flags.ts';
import type { Reply } from '../receive/reply.ts';
import type { Run } from '../run.ts';
import { appendReply } from '../write/records.ts';
import type { Progress } from './progress.ts';
import type { EarlierOutput } from './resume.ts';
import { inParallel } from './workers.ts';

type Complete = (conversation: Conversation, run: Run) => Promise<Reply>;
type Next = IteratorResult<Conversation>;

/** One line of the output. */
interface LineResult {
  readonly records: readonly Rec[];
  readonly text: string;
  readonly failed: boolean;
  /** Undefined where the cost is not known. */
  readonly usd: number | undefined;
}

/** Failures of one line alone. A missing key or a spent quota would fail every line, and ends the run. */
const LINE_FAILURES = new Set<number>([EXIT.badInput, EXIT.unavailable, EXIT.later, EXIT.timeout]);

export class Dataset {
  readonly #run: Run;
  readonly #complete: Complete;
  readonly #earlier: EarlierOutput | undefined;
  readonly #progress: Progress | undefined;

  private constructor(
    run: Run,
    complete: Complete,
    earlier: EarlierOutput | undefined,
    progress: Progress | undefined,
  ) {
    this.#run = run;
    this.#complete = complete;
    this.#earlier = earlier;
    this.#progress = progress;
  }

  /** Reads the output of an earlier run for --resume, and opens the progress line. */
  static async open(run: Run, complete: Complete): Promise<Dataset> {
    const { options, context } = run;
    const earlier =
      options.resume === undefined ? undefined : await (await import('./resume.ts')).readEarlierOutput(options.resume);
    if (earlier?.cut) context.print('\n');
    const shows = context.stderrIsTerminal && !options.quiet;
    const progress = shows ? new (await import('./progress.ts')).Progress(context) : undefined;
    return new Dataset(run, complete, earlier, progress);
  }

  /** Answers `first` and the rolled-up lines that follow it in `source`. Returns what comes after them. */
  async *complete(first: Conversation, source: AsyncIterator<Conversation>): AsyncGenerator<Rec, Next> {
    const { options, context, pressure } = this.#run;
    let next: Next = { done: false, value: first };
    async function* lines(): AsyncGenerator<Conversation> {
      for (; !next.done && next.value.rolled; next = await source.next()) yield next.value;
    }
    const pool = { jobs: options.jobs, ordered: !options.unordered, pressure };
    for await (const result of inParallel(this.#unanswered(lines()), (line) => this.#answer(line), pool)) {
      if (result.failed) this.#progress?.failed();
      else this.#progress?.done(result.usd);
      if (options.text) context.print(`${result.text}\n`);
      else yield* result.records;
    }
    return next;
  }

  /** The lines that the earlier run has not answered. */
  async *#unanswered(lines: AsyncIterable<Conversation>): AsyncGenerator<Conversation> {
    for await (const line of lines) {
      if (this.#earlier?.has(line)) continue;
      this.#progress?.read();
      yield line;
    }
    this.#progress?.allRead();
  }

  /** Throws a Failure for what would fail every line. */
  async #answer(input: Conversation): Promise<LineResult> {
    const pending = describePendingCalls(input);
    if (pending !== undefined) {
      this.#run.note(pending);
      return { records: [...emit(input)], text: '', failed: false, usd: 0 };
    }
    try {
      const conversation = applyFlags(input, this.#run.flags);
      const reply = await this.#complete(conversation, this.#run);
      const shown = this.#run.options.new ? input : conversation;
      const records = [...emit(appendReply(shown, reply, this.#run), input)];
      return { records, text: textOf(reply.message), failed: false, usd: usdOf(reply.message) };
    } catch (error) {
      if (!(error instanceof Failure && (LINE_FAILURES.has(error.status) || error instanceof ForeignAddress)))
        throw error;
      return this.#fail(input, error);
    }
  }

  #fail({ rolled }: Conversation, { status, message, place, hint }: Failure): LineResult {
    this.#run.context.exit(EXIT.later);
    this.#run.note(`${place ?? `${rolled?.file}:${rolled?.line}`}: ${message}`);
    const error = { status, message, ...(hint !== undefined && { hint }) };
    return { records: [addLineError(rolled, error)], text: '', failed: true, usd: undefined };
  }

  end(): void {
    this.#progress?.end();
  }
}

/** The line with this error in its `_meta`. */
export function addLineError(rolled: Rec | undefined, error: JsonObject): Rec {
  const value = isObject(rolled?.value) ? rolled.value : {};
  const meta = isObject(value._meta) ? value._meta : {};
  return record({ ...value, _meta: { ...meta, error } }, rolled);
}

const textOf = ({ parts }: Message): string =>
  parts.map((part) => (part.type === 'text' || part.type === 'refusal' ? part.text : '')).join('');

function usdOf({ meta }: Message): number | undefined {
  const usd = isObject(meta?.cost) ? meta.cost.usd : undefined;
  return typeof usd === 'number' ? usd : undefined;
}
