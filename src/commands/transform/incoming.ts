// What comes in: JSON lines, and the text of event streams between them, whose replies are put together.
import type { Context } from '../../lib/cli/filter.ts';
import { ReplyStreams, type Step } from '../../lib/formats/reply-streams.ts';
import { EXIT, Failure } from '../../lib/ir/failure.ts';
import { type Rec, record } from '../../lib/ir/record.ts';
import type { Records } from '../../lib/jsonl/read.ts';
import { SseParser } from '../../lib/sse/parser.ts';

/** A record, or a step of a streamed reply; `out` marks a record that is to be written as it is. */
export interface Incoming {
  readonly rec: Rec;
  readonly step?: Step;
  readonly out?: true;
}

/** Reads lines one by one, so that an event is told as soon as it is there. After a failure it goes on where it was. */
export class Reader {
  readonly #records: Records;
  readonly #lines: Iterator<Rec>;
  readonly #streams: ReplyStreams;
  #queue: Incoming[] = [];
  #parser = new SseParser();
  #inText = false;
  #last: Rec | undefined;
  #ended = false;

  constructor(records: Records, from: string | undefined) {
    this.#records = records;
    this.#lines = records.lines()[Symbol.iterator]();
    this.#streams = new ReplyStreams(from);
  }

  /** undefined: there is no more. */
  next(): Incoming | undefined {
    while (this.#queue.length === 0 && !this.#ended) {
      const next = this.#lines.next();
      if (next.done) this.#finish();
      else if (this.#isJson(next.value)) return { rec: this.#records.parse(next.value) };
      else this.#line(next.value);
    }
    return this.#queue.shift();
  }

  /** After a failure: the reply that it broke is over. */
  drop(): void {
    this.#streams.drop();
    this.#parser = new SseParser();
  }

  /** The usual case: an object, with nothing of a stream before it that would have to end, and no event itself. */
  #isJson(line: Rec): boolean {
    const { source } = line;
    if (this.#inText || this.#streams.open || typeof source !== 'string' || !source.startsWith('{"role"')) return false;
    this.#last = line;
    return true;
  }

  #line(line: Rec): void {
    if (this.#last && line.file !== this.#last.file) this.#close(this.#last);
    this.#last = line;
    const { source } = line;
    if (typeof source === 'string' && (isField(source) || (this.#inText && source.trim() === ''))) {
      this.#inText = true;
      this.#text(source, line);
    } else this.#record(line);
  }

  #record(line: Rec): void {
    if (this.#inText) this.#text('\n', line);
    this.#inText = false;
    const rec = this.#records.parse(line);
    if (this.#streams.isEvent(rec.value)) {
      this.#add(this.#streams.push({ data: JSON.stringify(rec.value) }, rec), rec);
      return;
    }
    if (rec.value !== undefined) this.#add(this.#streams.end(), line);
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

  #finish(): void {
    this.#ended = true;
    if (this.#last) this.#close(this.#last);
  }
}

/** A line of an event stream: one of its fields, or a comment. No JSON begins so. */
function isField(line: string): boolean {
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

/** What to do about a stream that breaks off: what this returns is written before the failure is thrown. */
export type OnBroken = (failure: Failure) => Rec[];

/** What comes in. With `--keep-going` a stream that breaks off is reported and left out. */
export function* guarded(reader: Reader, context: Context, onBroken: OnBroken): Generator<Incoming> {
  for (;;) {
    let incoming: Incoming | undefined;
    try {
      incoming = reader.next();
    } catch (error) {
      if (!(error instanceof Failure) || !BROKEN.has(error.status)) throw error;
      for (const rec of onBroken(error)) yield { rec, out: true };
      context.bad(error);
      reader.drop();
      continue;
    }
    if (incoming === undefined) return;
    yield incoming;
  }
}

const BROKEN: ReadonlySet<number> = new Set([EXIT.badInput, EXIT.unavailable]);

/** Every record; a streamed reply is one record when it is whole, in its own dialect. */
export function* whole(records: Records, from: string | undefined, context: Context): Generator<Rec> {
  for (const { rec, step } of guarded(new Reader(records, from), context, () => [])) {
    if (step === undefined) yield rec;
    else if (step.type === 'whole')
      yield record(
        step.stream.format.writeReply(step.message, () => {}),
        step.stream.rec,
      );
  }
}
