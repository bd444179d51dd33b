// The way of the records: logs and texts are read, dialects changed, lines rolled up.
import type { Context } from '../../lib/cli/filter.ts';
import { logNamed } from '../../lib/formats/log-table.ts';
import { describe, Losses } from '../../lib/formats/losses.ts';
import { isAboutData, misshapen } from '../../lib/formats/read.ts';
import { type Arrival, cutOff, isCutOff, Sessions } from '../../lib/formats/sessions.ts';
import { formatNamed } from '../../lib/formats/table.ts';
import { textNamed } from '../../lib/formats/text-table.ts';
import { badInput, EXIT, Failure } from '../../lib/ir/failure.ts';
import type { Rec } from '../../lib/ir/record.ts';
import { type Records, readRecords } from '../../lib/jsonl/read.ts';
import { freshFrom } from './fresh.ts';
import { Roller, Unroller } from './roll.ts';
import { DialectSink, LogSink, Passage, type Sink, TextSink } from './sinks.ts';
import { hinted, textsOf } from './texts.ts';

export interface TransformOptions {
  readonly from?: string;
  readonly to?: string;
  readonly all: boolean;
  readonly select?: string;
  readonly roll: boolean;
  readonly unroll: boolean;
  readonly strict: boolean;
  readonly quiet: boolean;
}

/** The records of the output. Throws a Failure (64) for options that do not go together. */
export function* transform(records: Records, options: TransformOptions, context: Context): Generator<Rec> {
  check(options);
  const losses = new Losses();
  const flow = new Flow(options, losses, context);
  const { roll, unroll, to, from } = options;
  const isText = to !== undefined && textNamed(to) !== undefined;
  const rolling = roll && !isText ? new Roller() : unroll ? new Unroller(from) : undefined;
  if (rolling === undefined) yield* flow.through(records);
  else yield* rolled(flow.through(records), rolling);
  if (!options.quiet) for (const loss of losses.all) context.note(describe(loss));
}

/** What was gathered is written even if the input turns out to be bad. */
function* rolled(records: Iterable<Rec>, rolling: Roller | Unroller): Generator<Rec> {
  try {
    for (const rec of records) yield* rolling.push(rec);
  } catch (error) {
    if (isAboutData(error)) yield* rolling.end();
    throw error;
  }
  yield* rolling.end();
}

function check({ to, all, select, roll, unroll }: TransformOptions): void {
  const usage = (message: string) => new Failure(EXIT.usage, message);
  if (roll && unroll) throw usage('options --roll and --unroll exclude each other');
  if (to === undefined && (all || select !== undefined))
    throw usage(`option --${all ? 'all' : 'select'} needs --to: it says what to read of a session log`);
  if (all && select !== undefined) throw usage('options --all and --select exclude each other');
  const lined = to === undefined || formatNamed(to) !== undefined || (roll && textNamed(to)?.wrap !== undefined);
  if ((roll || unroll) && !lined)
    throw usage(`option --${roll ? 'roll' : 'unroll'} is for lines of messages: "${to}" has none`);
}

function sinkFor({ to, from, roll }: TransformOptions, losses: Losses, context: Context): Sink {
  if (to === undefined) return new Passage();
  const spoken = from === undefined ? undefined : formatNamed(from)?.name;
  const format = formatNamed(to);
  if (format) return new DialectSink(format, spoken, losses);
  const log = logNamed(to);
  if (log) return new LogSink(log, spoken, freshFrom(context), losses);
  const text = textNamed(to);
  const writer = text?.write?.(losses.between('input', to));
  if (writer === undefined) throw new TypeError(`nothing writes ${to}`);
  return new TextSink(writer, spoken, roll ? text : undefined);
}

/** Records in, records out. */
class Flow {
  readonly #options: TransformOptions;
  readonly #losses: Losses;
  readonly #context: Context;
  readonly #sink: Sink;
  /** `--strict` has ended the conversion: what waits in it must not be written. */
  #refused = false;

  constructor(options: TransformOptions, losses: Losses, context: Context) {
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
      if (isAboutData(error) && !this.#refused) yield* this.#sink.end();
      throw error;
    }
    yield* this.#checked(this.#sink.end(), undefined);
  }

  *#all(records: Records): Generator<Rec> {
    const { from = '', to } = this.#options;
    const text = textNamed(from);
    if (text?.read) for (const arrival of textsOf(records.inputs, text, text.read)) yield* this.#arrived(arrival);
    else if (to === undefined) yield* records;
    else yield* this.#read(records, to);
  }

  /** Session logs are read. A damaged log still gives what stands before the damage; the line that was being written is no damage. */
  *#read({ inputs }: Records, to: string): Generator<Rec> {
    const sessions = this.#sessions(to);
    try {
      for (const rec of readRecords(inputs, (failure, bad) => this.#bad(failure, bad, sessions))) {
        if (sessions.isPlain(rec)) yield* this.#record(rec);
        else for (const arrival of sessions.push(rec)) yield* this.#arrived(arrival);
      }
    } catch (error) {
      if (isAboutData(error) && sessions.inLog) for (const arrival of sessions.end()) yield* this.#arrived(arrival);
      throw error;
    }
    for (const arrival of sessions.end()) yield* this.#arrived(arrival);
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

  #bad(failure: Failure, rec: Rec, sessions: Sessions): void {
    if (sessions.inLog && isCutOff(rec)) this.#context.note(cutOff(rec));
    else this.#context.bad(this.#options.from === undefined ? hinted(failure, rec) : failure);
  }

  #arrived(arrival: Arrival): Rec[] {
    if ('kept' in arrival) return [arrival.kept];
    if ('rec' in arrival) return this.#record(arrival.rec);
    let out: Rec[];
    try {
      out = this.#sink.conversation(arrival);
    } catch (error) {
      return this.#failed(misshapen(error, arrival.place), []);
    }
    return this.#checked(out, arrival.place);
  }

  /** A record that cannot be read ends the program, or is passed on as it came. */
  #record(rec: Rec): Rec[] {
    let out: Rec[];
    try {
      out = this.#sink.record(rec);
    } catch (error) {
      return this.#failed(misshapen(error, rec), this.#sink.passes ? [rec] : []);
    }
    return this.#options.strict ? this.#checked(out, rec) : out;
  }

  #failed(error: unknown, instead: Rec[]): Rec[] {
    if (!isAboutData(error)) throw error;
    this.#context.bad(error);
    return instead;
  }

  #checked(out: Rec[], place: Rec | undefined): Rec[] {
    const [loss] = this.#options.strict ? this.#losses.all : [];
    if (loss === undefined) return out;
    const first = out.find((rec) => rec.source === undefined) ?? place;
    this.#refused = true;
    throw badInput(first, `cannot convert without loss: ${describe(loss)}`);
  }
}
