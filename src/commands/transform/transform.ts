// The way of the records: logs and texts are read, dialects changed, lines rolled up.
import type { Context } from '../../lib/cli/filter.ts';
import { logNamed } from '../../lib/formats/log-table.ts';
import { describe, Losses } from '../../lib/formats/losses.ts';
import { isAboutData } from '../../lib/formats/read.ts';
import { formatNamed } from '../../lib/formats/table.ts';
import { textNamed } from '../../lib/formats/text-table.ts';
import { badInput, EXIT, Failure } from '../../lib/ir/failure.ts';
import type { Rec } from '../../lib/ir/record.ts';
import { type Records, readRecords } from '../../lib/jsonl/read.ts';
import { freshFrom } from './fresh.ts';
import { Roller, Unroller } from './roll.ts';
import { type Arrival, cutOff, isCutOff, Sessions } from './sessions.ts';
import { DialectSink, LogSink, Passage, type Sink, TextSink } from './sinks.ts';
import { textsOf } from './texts.ts';

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
  const sink = sinkFor(options, losses, context);
  const isText = options.to !== undefined && textNamed(options.to) !== undefined;
  const rolling = options.roll && !isText ? new Roller() : options.unroll ? new Unroller(options.from) : undefined;
  for (const rec of converted(records, sink, options, losses, context)) {
    if (rolling) yield* rolling.push(rec);
    else yield rec;
  }
  if (rolling instanceof Roller) yield* rolling.end();
  if (!options.quiet) for (const loss of losses.all) context.note(describe(loss));
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

function* converted(records: Records, sink: Sink, options: TransformOptions, losses: Losses, context: Context) {
  for (const arrivals of arriving(records, options, losses, context))
    for (const arrival of arrivals) yield* checked(guarded(sink, arrival, context), arrival, losses, options.strict);
  yield* checked(sink.end(), undefined, losses, options.strict);
}

/** What arrives, a read of the input at a time. */
function arriving(records: Records, options: TransformOptions, losses: Losses, context: Context): Iterable<Arrival[]> {
  const { from = '', to } = options;
  const text = textNamed(from);
  if (text?.read) return textsOf(records.inputs, text, text.read);
  if (to === undefined) return passing(records);
  return logged(records, { ...options, to }, losses, context);
}

function* passing(records: Records): Generator<Arrival[]> {
  for (const rec of records) yield [{ rec }];
}

/** Session logs are read. A damaged log still gives what stands before the damage; the line that was being written is no damage. */
function* logged(
  { inputs }: Records,
  { from = '', to, all, select, roll }: TransformOptions & { readonly to: string },
  losses: Losses,
  context: Context,
): Generator<Arrival[]> {
  const sessions = new Sessions({
    from: logNamed(from),
    as: logNamed(to),
    unwrapping: !(roll && textNamed(to)?.wrap),
    all,
    select,
    lose: ({ name }) => losses.between(name, to),
    bad: (failure) => context.bad(failure),
  });
  const onBad = (failure: Failure, rec: Rec) => {
    if (sessions.inLog && isCutOff(rec)) context.note(cutOff(rec));
    else context.bad(failure);
  };
  try {
    for (const rec of readRecords(inputs, onBad)) yield sessions.push(rec);
  } catch (error) {
    if (isAboutData(error) && sessions.inLog) yield sessions.end();
    throw error;
  }
  yield sessions.end();
}

/** A record that cannot be read ends the program, or is passed on as it came. */
function guarded(sink: Sink, arrival: Arrival, context: Context): Rec[] {
  try {
    return sink.take(arrival);
  } catch (error) {
    if (!isAboutData(error)) throw error;
    context.bad(error);
    return 'rec' in arrival && sink.passes ? [arrival.rec] : [];
  }
}

function checked(out: Rec[], arrival: Arrival | undefined, losses: Losses, strict: boolean): Rec[] {
  const [loss] = losses.all;
  if (!strict || loss === undefined) return out;
  const place = arrival && ('rec' in arrival ? arrival.rec : arrival.place);
  throw badInput(out.find((o) => o.source === undefined) ?? place, `cannot convert without loss: ${describe(loss)}`);
}
