// The conversations of one run: those of lines one at a time and live, those of a dataset in parallel.
import type { Context } from '../../lib/cli/filter.ts';
import { type Conversation, emit } from '../../lib/conversion/gather.ts';
import type { Rec } from '../../lib/json/record.ts';
import { inParallel } from './dataset.ts';
import { canBeAsked, gathered } from './gathered.ts';
import { nothing } from './input.ts';
import { Line, type LineResult } from './line.ts';
import type { CompleteOptions } from './options.ts';
import { type Preparation, preparation } from './prepare.ts';
import type { Progress } from './progress.ts';
import type { Answered } from './resume.ts';
import { openSession, type Session } from './session.ts';
import { live } from './single.ts';
import type { Checker } from './structured.ts';

/** What is opened when the first conversation has come: a run without any costs nothing. */
export interface Ready {
  readonly session: Session;
  readonly preparation: Preparation | undefined;
  readonly checker: Checker | undefined;
}

export async function open(options: CompleteOptions, context: Context): Promise<Ready> {
  const prepared = await preparation(options, context.cwd);
  const session = await openSession(options, context, prepared?.head ?? {});
  const schema = prepared?.head.responseFormat?.schema;
  if (options.schema === undefined || schema === undefined)
    return { session, preparation: prepared, checker: undefined };
  const { loadValidator } = await import('../../lib/config/json-schema.ts');
  return {
    session,
    preparation: prepared,
    checker: { schema: schema as Checker['schema'], validate: await loadValidator() },
  };
}

/** Answers all of them. */
export async function* answered(
  records: AsyncIterable<Rec>,
  options: CompleteOptions,
  context: Context,
): AsyncGenerator<Rec> {
  const source = gathered(records);
  let ready: Ready | undefined;
  let dataset: Dataset | undefined;
  for (let next = await source.next(); !next.done; ) {
    if (!canBeAsked(next.value)) {
      if (!options.text) yield* emit(next.value);
      next = await source.next();
      continue;
    }
    ready ??= await open(options, context);
    if (!next.value.rolled) {
      yield* live(next.value, ready, options, context);
      next = await source.next();
      continue;
    }
    dataset ??= await Dataset.open(ready, options, context);
    const lines = new Lines(next.value, source);
    yield* dataset.answered(lines);
    next = lines.rest;
  }
  dataset?.end();
  if (ready === undefined && !options['allow-empty']) throw nothing();
}

type Next = IteratorResult<Conversation>;

/** Rolled-up lines one after another, up to a conversation of another kind. */
class Lines implements AsyncIterable<Conversation> {
  readonly #source: AsyncIterator<Conversation>;
  /** What follows them. */
  rest: Next;

  constructor(first: Conversation, source: AsyncIterator<Conversation>) {
    this.#source = source;
    this.rest = { done: false, value: first };
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Conversation> {
    while (!this.rest.done && this.rest.value.rolled) {
      const { value } = this.rest;
      yield value;
      this.rest = await this.#source.next();
    }
  }
}

class Dataset {
  readonly #ready: Ready;
  readonly #options: CompleteOptions;
  readonly #context: Context;
  readonly #before: Answered | undefined;
  readonly #progress: Progress | undefined;

  private constructor(
    ready: Ready,
    options: CompleteOptions,
    context: Context,
    before: Answered | undefined,
    progress: Progress | undefined,
  ) {
    this.#ready = ready;
    this.#options = options;
    this.#context = context;
    this.#before = before;
    this.#progress = progress;
  }

  static async open(ready: Ready, options: CompleteOptions, context: Context): Promise<Dataset> {
    const before =
      options.resume === undefined ? undefined : await (await import('./resume.ts')).answeredIn(options.resume);
    if (before?.cut) context.print('\n');
    const shows = context.stderrIsTerminal && !options.quiet;
    const progress = shows ? new (await import('./progress.ts')).Progress(context) : undefined;
    return new Dataset(ready, options, context, before, progress);
  }

  async *answered(lines: AsyncIterable<Conversation>): AsyncGenerator<Rec> {
    const { jobs, unordered, text } = this.#options;
    const { pressure } = this.#ready.session;
    const line = new Line(this.#ready, this.#options, this.#context);
    const results = inParallel(this.#wanted(lines), (one) => line.answer(one), { jobs, ordered: !unordered, pressure });
    for await (const result of results) {
      this.#count(result);
      if (text) this.#context.print(`${result.text}\n`);
      else yield* result.records;
    }
  }

  async *#wanted(lines: AsyncIterable<Conversation>): AsyncGenerator<Conversation> {
    for await (const line of lines) {
      if (this.#before?.has(line)) continue;
      this.#progress?.read();
      yield line;
    }
    this.#progress?.allRead();
  }

  #count({ failed, usd }: LineResult): void {
    if (failed) this.#progress?.failed();
    else this.#progress?.done(usd);
  }

  end(): void {
    this.#progress?.end();
  }
}
