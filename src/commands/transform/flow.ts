// The way of the records: logs and texts are read, dialects changed.
import type { Context } from '../../lib/cli/filter.ts';
import type { Adapt } from '../../lib/formats/adapt.ts';
import { logNamed } from '../../lib/formats/log-table.ts';
import type { Losses } from '../../lib/formats/losses.ts';
import { isAboutData, misshapen } from '../../lib/formats/read.ts';
import { type Arrival, cutOff, isCutOff, Sessions } from '../../lib/formats/sessions.ts';
import { formatNamed } from '../../lib/formats/table.ts';
import { textNamed } from '../../lib/formats/text-table.ts';
import type { Failure } from '../../lib/ir/failure.ts';
import type { Rec } from '../../lib/ir/record.ts';
import type { FormatName } from '../../lib/ir/types.ts';
import { type Records, readRecords } from '../../lib/jsonl/read.ts';
import { freshFrom } from './fresh.ts';
import { Incoming, isField, whole } from './incoming.ts';
import { DialectSink, LogSink, Passage, type Sink, TextSink } from './sinks.ts';
import { hinted, textsOf } from './texts.ts';

export interface FlowOptions {
  readonly from?: string;
  readonly to?: string;
  readonly all: boolean;
  readonly select?: string;
  readonly roll: boolean;
  readonly carry: boolean;
  readonly adapt: Adapt;
  /** Something is changed whatever the dialect. */
  readonly adaptOwn: boolean;
}

function sinkFor(options: FlowOptions, losses: Losses, context: Context): Sink {
  const { to, from, roll, carry, adapt, adaptOwn } = options;
  if (to === undefined && !adaptOwn) return new Passage();
  const spoken = from === undefined ? undefined : formatNamed(from)?.name;
  const format = to === undefined ? undefined : formatNamed(to);
  if (to === undefined || format)
    return new DialectSink({ to: format, from: spoken, losses, carry, adapt, adaptOwn, now: context.now });
  const view = { from: spoken, losses, to, ...(adaptOwn && { adapt }) };
  const log = logNamed(to);
  if (log) return new LogSink(log, freshFrom(context), view);
  const text = textNamed(to);
  const writer = text?.write?.(losses.between('input', to));
  if (writer === undefined) throw new TypeError(`nothing writes ${to}`);
  return new TextSink(writer, view, roll ? text : undefined);
}

/** Records in, records out. */
export class Flow {
  readonly #options: FlowOptions;
  readonly #losses: Losses;
  readonly #context: Context;
  readonly #sink: Sink;

  constructor(options: FlowOptions, losses: Losses, context: Context) {
    this.#options = options;
    this.#losses = losses;
    this.#context = context;
    this.#sink = sinkFor(options, losses, context);
  }

  /** What was read before a bad record is written all the same. */
  *through(records: Records): Generator<Rec> {
    try {
      yield* this.#all(records);
    } catch (error) {
      if (isAboutData(error)) yield* this.#waiting();
      throw error;
    }
    try {
      yield* this.#sink.end();
    } catch (error) {
      yield* this.#sink.drain();
      if (!isAboutData(error)) throw error;
      this.#context.bad(error);
    }
  }

  /** What can still be written after an error, which is told alone. */
  *#waiting(): Generator<Rec> {
    yield* this.#sink.drain();
    try {
      yield* this.#sink.end();
    } catch (error) {
      yield* this.#sink.drain();
      if (!isAboutData(error)) throw error;
    }
  }

  *#all(records: Records): Generator<Rec> {
    const { from = '', to } = this.#options;
    const text = textNamed(from);
    if (text?.read) for (const arrival of textsOf(records.inputs, text, text.read)) yield* this.#arrived(arrival);
    else yield* this.#read(records, to === undefined ? undefined : this.#sessions(to));
  }

  /** Session logs are read. A damaged log still gives what stands before the damage; the line that was being written is no damage. */
  *#read({ inputs }: Records, sessions: Sessions | undefined): Generator<Rec> {
    const speaks = (dialect: FormatName) => this.#sink.speaks(dialect);
    const incoming = new Incoming(formatNamed(this.#options.from ?? '')?.name, this.#context);
    try {
      for (const rec of readRecords(inputs, (failure, bad) => this.#bad(failure, bad, sessions), isField)) {
        if (incoming.isPlain(rec) && sessions?.isPlain(rec) !== false) for (const out of this.#record(rec)) yield out;
        else for (const one of whole(incoming.push(rec), speaks)) yield* this.#came(one, sessions);
      }
      for (const one of whole(incoming.end(), speaks)) yield* this.#came(one, sessions);
    } catch (error) {
      if (isAboutData(error) && sessions?.inLog) for (const arrival of sessions.end()) yield* this.#arrived(arrival);
      throw error;
    }
    for (const arrival of sessions?.end() ?? []) yield* this.#arrived(arrival);
  }

  *#came(rec: Rec, sessions: Sessions | undefined): Generator<Rec> {
    if (sessions === undefined) yield* this.#record(rec);
    else for (const arrival of sessions.push(rec)) yield* this.#arrived(arrival);
  }

  #sessions(to: string): Sessions {
    const { from = '', all, select, roll } = this.#options;
    return new Sessions({
      from: logNamed(from),
      as: logNamed(to),
      unwrapping: !(roll && textNamed(to)?.wrap),
      all,
      select,
      lose: ({ name }) => this.#losses.between(name, to),
      bad: (failure) => this.#context.bad(failure),
    });
  }

  #bad(failure: Failure, rec: Rec, sessions: Sessions | undefined): void {
    if (sessions?.inLog && isCutOff(rec)) this.#context.note(cutOff(rec));
    else this.#context.bad(sessions && this.#options.from === undefined ? hinted(failure, rec) : failure);
  }

  #arrived(arrival: Arrival): Rec[] {
    if ('kept' in arrival) return [arrival.kept];
    if ('rec' in arrival) return this.#record(arrival.rec);
    this.#losses.at(arrival.place);
    try {
      return this.#sink.conversation(arrival);
    } catch (error) {
      return this.#failed(misshapen(error, arrival.place), []);
    }
  }

  /** A record that cannot be converted ends the program, or is passed on as it came. */
  #record(rec: Rec): Rec[] {
    try {
      return this.#sink.record(rec);
    } catch (error) {
      return this.#failed(misshapen(error, rec), this.#sink.passes ? [rec] : []);
    }
  }

  #failed(error: unknown, instead: Rec[]): Rec[] {
    if (!isAboutData(error)) throw error;
    this.#context.bad(error);
    return [...this.#sink.drain(), ...instead];
  }
}
