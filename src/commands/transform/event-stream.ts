// `--sse`: replies leave as the event streams of an API, each as soon and as far as it is known.
import type { Context } from '../../lib/cli/filter.ts';
import { type Delta, isDelta } from '../../lib/conversation/delta.ts';
import { isHidden } from '../../lib/conversation/hidden.ts';
import type { Message } from '../../lib/conversation/types.ts';
import { type Losses, sayResiduals, sayStop } from '../../lib/conversion/losses.ts';
import { DONE, type Step, type Stream, toldTo } from '../../lib/conversion/reply-streams.ts';
import { LiveWriter } from '../../lib/conversion/stream-writer.ts';
import type { StreamEvent } from '../../lib/dialects/codec/stream.ts';
import { Detector } from '../../lib/dialects/detect.ts';
import { misshapen } from '../../lib/dialects/read-record.ts';
import { formatNamed } from '../../lib/dialects/table.ts';
import type { Format } from '../../lib/dialects/types.ts';
import { badInput, EXIT, Failure } from '../../lib/failure/failure.ts';
import type { Rec } from '../../lib/json/record.ts';
import type { JsonObject } from '../../lib/json/values.ts';
import { type Records, readRecords } from '../../lib/jsonl/read.ts';
import type { SseEvent } from '../../lib/streams/sse-parser.ts';
import { framed, unframed } from './framing.ts';
import { Incoming, type Item, isField } from './incoming.ts';
import { type Turn, Turns } from './turns.ts';

interface EventOptions {
  /** Their own dialect without it. */
  readonly to: Format | undefined;
  readonly from: string | undefined;
  readonly losses: Losses;
}

/** Writes every reply as events. Throws a Failure (64) if the dialect has none, (65) for records that are no replies. */
export function* asEvents(records: Records, options: EventOptions, context: Context): Generator<Rec> {
  const { to } = options;
  if (to !== undefined && to.writeStream === undefined)
    throw new Failure(EXIT.usage, `option --sse: ${to.name} has no event stream`);
  const speaker = new Speaker(options, context);
  const incoming = new Incoming(options.from, context, (failure) => speaker.broken(failure));
  try {
    for (const rec of readRecords(records.inputs.map(unframed), context.bad, { isText: isField }))
      yield* speaker.speak(incoming.push(rec));
    yield* speaker.speak(incoming.end());
    yield* speaker.end();
  } catch (error) {
    if (error instanceof Failure) yield* speaker.broken(error);
    throw error;
  }
}

const text = (events: readonly StreamEvent[], format: Format): Rec[] =>
  events.map((event) => ({ value: undefined, source: framed(event, format) }));

/** The data of an event as it came; frames are made of the object in it. */
const asSent = ({ event, data }: SseEvent, { framing }: Format): StreamEvent => ({
  ...(event !== undefined && { event }),
  data: framing === undefined || data === DONE ? data : (JSON.parse(data) as JsonObject),
});

class Speaker {
  readonly #options: EventOptions;
  readonly #context: Context;
  readonly #detector: Detector;
  readonly #turns = new Turns();
  #stream: Stream | undefined;
  #writer: LiveWriter | undefined;
  #told: Failure | undefined;
  /** The first piece of a reply whose records are still to come. */
  #piece: Rec | undefined;

  constructor(options: EventOptions, context: Context) {
    this.#options = options;
    this.#context = context;
    this.#detector = new Detector(formatNamed(options.from ?? '')?.name);
    this.#detector.current ??= options.to?.name;
  }

  *speak(items: Iterable<Item>): Generator<Rec> {
    for (const { rec, step, out } of items) {
      if (out) yield rec;
      else if (step) yield* this.step(step);
      else if (isDelta(rec.value)) yield* this.#pieceOf(rec);
      else if (rec.value !== undefined && !isHidden(rec.value)) yield* this.record(rec);
    }
  }

  /** The input is over. */
  *end(): Generator<Rec> {
    yield* this.#all(this.#turns.end());
    const piece = this.#piece;
    this.#piece = undefined;
    if (piece === undefined) return;
    const failure = badInput(piece, 'cannot read the reply: its deltas came, but not the complete message');
    yield* this.broken(failure);
    this.#context.bad(failure);
  }

  /** A piece of a reply that follows as a whole. Without a dialect to write, that is known then. */
  *#pieceOf(rec: Rec): Generator<Rec> {
    yield* this.#all(this.#turns.end());
    const { to, losses } = this.#options;
    this.#piece ??= rec;
    if (to === undefined) return;
    const format = formatNamed(this.#options.from ?? '') ?? to;
    this.#writer ??= new LiveWriter(
      to,
      { format, reader: format.openStream(), rec },
      losses.between(format.name, to.name),
      this.#context.now(),
    );
    yield* text(this.#writer.push({ deltas: [rec.value as unknown as Delta] }), to);
  }

  *step(step: Step): Generator<Rec> {
    yield* this.#all(this.#turns.end());
    const writer = this.#writerFor(step.stream);
    // What is in that dialect already goes on as it came.
    if (writer === undefined)
      yield* step.type === 'event' ? text([asSent(step.event, step.stream.format)], step.stream.format) : [];
    else if (step.type === 'event') yield* text(writer.push(step), writer.to);
    else yield* this.#end(writer, step);
  }

  *#end(writer: LiveWriter, { message }: Extract<Step, { type: 'whole' }>): Generator<Rec> {
    try {
      yield* text(writer.end(message), writer.to);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      yield* this.broken(error);
      this.#context.bad(error);
    }
  }

  #writerFor(stream: Stream): LiveWriter | undefined {
    if (this.#stream === stream) return this.#writer;
    const { to, losses } = this.#options;
    this.#stream = stream;
    const same = to === undefined || to === stream.format;
    const lose = losses.between(stream.format.name, to?.name ?? stream.format.name);
    this.#writer = same ? undefined : new LiveWriter(to, stream, lose, this.#context.now());
    return this.#writer;
  }

  /** A reply that came whole, or a record of an assistant's answer. */
  *record(rec: Rec): Generator<Rec> {
    const identity = this.#detector.identify(rec.value);
    if (identity?.kind === 'message' && this.#isAnswer(rec, identity.format)) {
      yield* this.#all(this.#turns.push(rec, identity));
      return;
    }
    yield* this.#all(this.#turns.end());
    yield* this.#guarded(rec, () => {
      if (identity?.kind !== 'reply') throw this.#noReply(rec);
      return this.#whole(rec, identity.format, identity.format.readReply(rec.value as JsonObject));
    });
  }

  #isAnswer({ value }: Rec, format: Format): boolean {
    try {
      return format.readMessage(value as JsonObject).role === 'assistant';
    } catch {
      return false;
    }
  }

  *#all(turns: readonly Turn[]): Generator<Rec> {
    for (const { format, recs } of turns)
      yield* this.#guarded(recs[0] as Rec, () => {
        const natives = recs.map(({ value }) => value as JsonObject);
        const message = format.gather?.(natives) ?? format.readMessage(natives[0] as JsonObject);
        return this.#whole(recs[0] as Rec, format, message);
      });
  }

  *#guarded(rec: Rec, write: () => Rec[]): Generator<Rec> {
    try {
      yield* write();
    } catch (error) {
      const failure = misshapen(error, rec);
      if (!(failure instanceof Failure) || failure.status !== EXIT.badInput) throw failure;
      this.#context.bad(failure);
    }
  }

  #whole(rec: Rec, from: Format, read: Message): Rec[] {
    const to = this.#options.to ?? from;
    if (to.writeStream === undefined) throw this.#noReply(rec);
    const calls = read.parts.some((part) => part.type === 'tool_call' && part.by === undefined);
    const message: Message = { at: this.#context.now(), stop: { reason: calls ? 'tool_calls' : 'stop' }, ...read };
    const writer = this.#piece && this.#writer;
    this.#piece = undefined;
    if (writer) {
      this.#writer = undefined;
      return text(writer.end(message), to);
    }
    const lose = this.#options.losses.between(from.name, to.name);
    if (to !== from) {
      sayResiduals([message], from.name, lose, from.echoes);
      sayStop(
        message,
        to.writeReply(message, () => {}),
        to,
        lose,
      );
    }
    return text(to.writeStream(message, lose), to);
  }

  #noReply(rec: Rec): Failure {
    return badInput(rec, 'cannot write the record as an event stream: it is not a reply');
  }

  /** Tells the one who reads the stream that it broke off: an end without a word would pass for the end of the reply. */
  broken(failure: Failure): Rec[] {
    // It is told where it is met, and once more where it ends the program.
    if (this.#told === failure) return [];
    this.#told = failure;
    const writer = this.#writer;
    const stream = this.#stream;
    const to = this.#options.to ?? stream?.format;
    this.#writer = undefined;
    this.#stream = undefined;
    const why = toldTo(failure);
    return to === undefined ? [] : text(writer?.fail(why) ?? to.openWriter?.({}, () => {}).fail(why) ?? [], to);
  }
}
