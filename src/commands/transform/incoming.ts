// What comes in: records, and the text of event streams between them, whose replies are put together.
import type { Context } from '../../lib/cli/filter.ts';
import type { FormatName } from '../../lib/conversation/types.ts';
import { ReplyStreams, type Step } from '../../lib/conversion/reply-streams.ts';
import { misshapen } from '../../lib/dialects/read-record.ts';
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import { type Rec, record } from '../../lib/json/record.ts';
import { isObject } from '../../lib/json/values.ts';
import { SseParser } from '../../lib/streams/sse-parser.ts';

/** A record, or a step of a streamed reply; `out` marks a record that is to be written as it is. */
export interface Item {
  readonly rec: Rec;
  readonly step?: Step;
  readonly out?: true;
}

/** What to do about a stream that breaks off: what this returns is written before the failure is thrown. */
type OnBroken = (failure: Failure) => Rec[];

/** Takes records one by one; an event is told as soon as it is there. With `--keep-going` a stream that breaks off is reported and left out. */
export class Incoming {
  readonly #streams: ReplyStreams;
  readonly #context: Context;
  readonly #onBroken: OnBroken;
  #queue: Item[] = [];
  #parser = new SseParser();
  #inText = false;
  #last: Rec | undefined;

  constructor(from: string | undefined, context: Context, onBroken: OnBroken = () => []) {
    this.#streams = new ReplyStreams(from);
    this.#context = context;
    this.#onBroken = onBroken;
  }

  /** The usual case: a message, with nothing of a stream before it that would have to end. */
  isPlain({ value }: Rec): boolean {
    return !this.#inText && this.#streams.open === undefined && isObject(value) && value.role !== undefined;
  }

  *push(rec: Rec): Generator<Item> {
    yield* this.#guarded(() => this.#line(rec));
  }

  *end(): Generator<Item> {
    const last = this.#last;
    if (last) yield* this.#guarded(() => this.#close(last));
  }

  *#guarded(act: () => void): Generator<Item> {
    try {
      act();
    } catch (raised) {
      const error = misshapen(raised, this.#last ?? { value: undefined });
      if (!(error instanceof Failure) || !BROKEN.has(error.status)) throw error;
      yield* this.#take();
      for (const rec of this.#onBroken(error)) yield { rec, out: true };
      this.#context.bad(error);
      this.#streams.drop();
      this.#parser = new SseParser();
    }
    yield* this.#take();
  }

  #take(): Item[] {
    const items = this.#queue;
    this.#queue = [];
    return items;
  }

  #line(rec: Rec): void {
    if (this.#last && rec.file !== this.#last.file) this.#close(this.#last);
    this.#last = rec;
    const { source, value } = rec;
    const isText = value === undefined && typeof source === 'string';
    if (isText && (isField(source) || (this.#inText && source.trim() === ''))) {
      this.#inText = true;
      this.#text(source, rec);
    } else this.#record(rec);
  }

  #record(rec: Rec): void {
    if (this.#inText) this.#text('\n', rec);
    this.#inText = false;
    if (this.#streams.isEvent(rec.value)) {
      this.#add(this.#streams.push({ data: JSON.stringify(rec.value) }, rec), rec);
      return;
    }
    if (rec.value !== undefined) this.#add(this.#streams.end(), rec);
    this.#queue.push({ rec });
  }

  #text(text: string, rec: Rec): void {
    for (const event of this.#parser.push(text)) this.#add(this.#streams.push(event, rec), rec);
  }

  #add(steps: readonly Step[], rec: Rec): void {
    for (const step of steps) this.#queue.push({ step, rec });
  }

  /** The end of a file ends its last event, with or without a blank line, and its last reply. */
  #close(rec: Rec): void {
    if (this.#inText) this.#text('\n\n', rec);
    this.#inText = false;
    this.#add(this.#streams.end(), rec);
  }
}

const BROKEN: ReadonlySet<number> = new Set([EXIT.badInput, EXIT.unavailable]);

/** A line of an event stream: one of its fields, or a comment. No JSON begins so. */
export function isField(line: string): boolean {
  switch (line.charCodeAt(0)) {
    case 58: // :
      return true;
    case 100: // d
      return line.startsWith('data');
    case 101: // e
      return line.startsWith('event');
    case 105: // i
      return line.startsWith('id:');
    case 114: // r
      return line.startsWith('retry');
    default:
      return false;
  }
}

/** The records of what came in: a streamed reply is one when it is whole, in its own dialect, which is told first. */
export function* whole(items: Iterable<Item>, speaks: (dialect: FormatName) => void): Generator<Rec> {
  for (const { rec, step } of items) {
    if (step === undefined) yield rec;
    else if (step.type === 'whole') {
      const { format, rec: first } = step.stream;
      speaks(format.name);
      yield record(
        format.writeReply(step.message, () => {}),
        first,
      );
    }
  }
}
