// The way of the records: logs and texts are read, dialects changed.
import type { Context } from '../../lib/cli/filter.ts';
import type { FormatName } from '../../lib/conversation/types.ts';
import type { Adapt } from '../../lib/conversion/adaptation.ts';
import type { Losses } from '../../lib/conversion/losses.ts';
import { isAboutData, misshapen } from '../../lib/dialects/read-record.ts';
import { formatNamed } from '../../lib/dialects/table.ts';
import type { Failure } from '../../lib/failure/failure.ts';
import type { Rec } from '../../lib/json/record.ts';
import { type Records, readRecords } from '../../lib/jsonl/read.ts';
import { type Arrival, cutOff, isCutOff, type ReadConversation, Sessions } from '../../lib/transcripts/find-logs.ts';
import { logNamed } from '../../lib/transcripts/log-table.ts';
import { Recognition } from '../../lib/transcripts/recognition.ts';
import { textNamed } from '../../lib/transcripts/text-table.ts';
import { unframed } from './framing.ts';
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
  if (text === undefined || writer === undefined) throw new TypeError(`nothing writes ${to}`);
  return new TextSink(writer, view, text, roll);
}

const SOME = 32;

/** What waits to be written is of several records. */
const NOWHERE: Rec = { value: undefined };

/** Records in, records out: a list of them for each batch that was read. */
export class Flow {
  readonly #options: FlowOptions;
  readonly #losses: Losses;
  readonly #context: Context;
  readonly #sink: Sink;
  readonly #recognition: Recognition;
  readonly #speaks = (dialect: FormatName) => this.#sink.speaks(dialect);
  #out: Rec[] = [];

  constructor(options: FlowOptions, losses: Losses, context: Context) {
    this.#options = options;
    this.#losses = losses;
    this.#context = context;
    this.#sink = sinkFor(options, losses, context);
    const { from, to } = options;
    this.#recognition = new Recognition({ program: 'ai-transform', from, reads: to !== undefined });
  }

  /** Whether an input is known to be a conversation. */
  knows(file: string | undefined): boolean {
    return this.#recognition.knows(file);
  }

  /** Says that an input was not recognised. Throws a Failure (65), or with --keep-going returns. */
  complain(): void {
    for (const failure of this.#recognition.failures()) this.#context.bad(failure);
  }

  /** What was read before a bad record is written all the same. */
  *through(records: Records): Generator<readonly Rec[]> {
    try {
      yield* this.#all(records);
    } catch (raised) {
      const error = misshapen(raised, NOWHERE);
      yield this.#taken();
      if (isAboutData(error)) yield* this.#waiting();
      throw error;
    }
    try {
      yield this.#sink.end();
    } catch (raised) {
      const error = misshapen(raised, NOWHERE);
      yield this.#sink.drain();
      if (!isAboutData(error)) throw error;
      this.#context.bad(error);
    }
  }

  /** What can still be written after an error, which is told alone. */
  *#waiting(): Generator<readonly Rec[]> {
    yield this.#sink.drain();
    try {
      yield this.#sink.end();
    } catch (raised) {
      const error = misshapen(raised, NOWHERE);
      yield this.#sink.drain();
      if (!isAboutData(error)) throw error;
    }
  }

  /** What is written, in order, and not yet handed on. */
  #taken(): readonly Rec[] {
    const out = this.#out;
    this.#out = [];
    return out;
  }

  *#all(records: Records): Generator<readonly Rec[]> {
    const { from = '', to } = this.#options;
    const text = textNamed(from);
    if (text?.read === undefined) yield* this.#read(records, to === undefined ? undefined : this.#sessions(to));
    else
      for (const arrival of textsOf(records.inputs, text, text.read)) {
        this.#arrived(arrival);
        yield this.#taken();
      }
  }

  /** Session logs are read. A damaged log still gives what stands before the damage; the line that was being written is no damage. */
  *#read({ inputs }: Records, sessions: Sessions | undefined): Generator<readonly Rec[]> {
    const incoming = new Incoming(formatNamed(this.#options.from ?? '')?.name, this.#context);
    try {
      const records = readRecords(inputs.map(unframed), (failure, bad) => this.#bad(failure, bad, sessions), {
        isText: isField,
      });
      for (const batch of records.batches()) {
        const rest = batch[Symbol.iterator]();
        while (this.#readSome(rest, incoming, sessions)) yield this.#taken();
        this.#add(this.#sink.drain());
        yield this.#taken();
      }
      for (const one of whole(incoming.end(), this.#speaks)) this.#came(one, sessions);
    } catch (error) {
      if (isAboutData(error) && sessions?.inLog) for (const arrival of sessions.end()) this.#arrived(arrival);
      throw error;
    }
    for (const arrival of sessions?.end() ?? []) this.#arrived(arrival);
    yield this.#taken();
  }

  /** Some records of a batch: what is written soon needs no place for long. False: there are no more. */
  #readSome(batch: Iterator<Rec>, incoming: Incoming, sessions: Sessions | undefined): boolean {
    for (let count = 0; count < SOME; count += 1) {
      const { value: rec, done } = batch.next();
      if (done) return false;
      this.#recognition.see(rec);
      if (incoming.isPlain(rec) && sessions?.isPlain(rec) !== false) this.#record(rec);
      else for (const one of whole(incoming.push(rec), this.#speaks)) this.#came(one, sessions);
    }
    return true;
  }

  #came(rec: Rec, sessions: Sessions | undefined): void {
    // The reply that a stream has told.
    this.#recognition.see(rec);
    if (sessions === undefined) this.#record(rec);
    else for (const arrival of sessions.push(rec)) this.#arrived(arrival);
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

  #arrived(arrival: Arrival): void {
    if ('kept' in arrival) {
      this.#recognition.found(arrival.kept);
      this.#out.push(arrival.kept);
    } else if ('rec' in arrival) {
      this.#recognition.met(arrival.rec);
      this.#record(arrival.rec);
    } else this.#conversation(arrival);
  }

  #conversation(read: ReadConversation): void {
    this.#recognition.found(read.place);
    this.#losses.at(read.place);
    try {
      this.#add(this.#sink.conversation(read));
    } catch (error) {
      this.#failed(misshapen(error, read.place), []);
    }
  }

  #add(recs: readonly Rec[]): void {
    for (const rec of recs) this.#out.push(rec);
  }

  /** A record that cannot be converted ends the program, or is passed on as it came. */
  #record(rec: Rec): void {
    try {
      this.#sink.record(rec, this.#out);
    } catch (error) {
      this.#failed(misshapen(error, rec), this.#sink.passes ? [rec] : []);
    }
  }

  #failed(error: unknown, instead: readonly Rec[]): void {
    if (!isAboutData(error)) throw error;
    this.#context.bad(error);
    this.#add(this.#sink.drain());
    this.#add(instead);
  }
}
