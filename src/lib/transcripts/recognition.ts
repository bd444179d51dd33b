// Whether a stream is a conversation at all: what is not recognised is no success.
import { badInput, type Failure } from '../failure/failure.ts';
import type { Rec } from '../json/record.ts';
import { judge, lookOf, type Verdict } from './classify-input.late.ts';

interface RecognitionOptions {
  /** The program, for the command that its errors propose. */
  readonly program: string;
  /** The dialect that the records are said to be in. */
  readonly from?: string;
  /** It reads logs itself, and arrays, texts and event streams. */
  readonly reads?: boolean;
}

/** What is known of one input. `read`: what it holds is being read, and it is not yet known whether there is a conversation in it. */
interface Seen {
  readonly first: Rec;
  verdict: Verdict | 'read';
}

/** Watches the records go by, an input at a time: those of one input are a conversation as soon as one of them is a part of some. */
export class Recognition {
  readonly #options: RecognitionOptions;
  readonly #inputs = new Map<string | undefined, Seen>();
  #file: string | undefined;
  /** The present input needs no further look. */
  #settled = false;

  constructor(options: RecognitionOptions) {
    this.#options = options;
  }

  /** Takes note of a record. */
  see(rec: Rec): void {
    if (this.#settled && rec.file === this.#file) return;
    const { value, file } = rec;
    if (value === undefined) return;
    this.#file = file;
    const seen = this.#inputs.get(file) ?? { first: rec, verdict: 'unknown' };
    this.#inputs.set(file, seen);
    if (seen.verdict === 'unknown') seen.verdict = this.#judge(rec);
    this.#settled = seen.verdict !== 'unknown';
  }

  #judge({ value }: Rec): Seen['verdict'] {
    if (value === undefined) return 'unknown';
    const { from, reads } = this.#options;
    const verdict = judge(value, from);
    return reads && verdict !== 'known' && lookOf(value).readable ? 'read' : verdict;
  }

  /** A record that was read from an input: an element of an array, say. */
  met({ value, file }: Rec): void {
    const seen = this.#inputs.get(file);
    if (seen?.verdict === 'read' && value !== undefined && judge(value) === 'known') seen.verdict = 'known';
  }

  /** A conversation was read from an input. */
  found({ file }: Rec): void {
    const seen = this.#inputs.get(file);
    if (seen) seen.verdict = 'known';
  }

  /** The records as they come, seen. */
  *all(records: Iterable<Rec>): Generator<Rec> {
    for (const rec of records) {
      this.see(rec);
      yield rec;
    }
  }

  async *#waiting(records: AsyncIterable<Rec>): AsyncGenerator<Rec> {
    for await (const rec of records) {
      this.see(rec);
      yield rec;
    }
  }

  /** The same for what may be read either way. */
  watching<T extends Iterable<Rec> & AsyncIterable<Rec>>(records: T): T {
    return {
      ...records,
      [Symbol.iterator]: () => this.all(records),
      [Symbol.asyncIterator]: () => this.#waiting(records),
    };
  }

  /** Whether a record has come. */
  get any(): boolean {
    return this.#inputs.size > 0;
  }

  /** Whether the records of an input are a conversation, as far as they have come; one without records is an empty one. */
  knows(file: string | undefined): boolean {
    const seen = this.#inputs.get(file);
    return seen === undefined || seen.verdict === 'known';
  }

  /** A failure (65) for each input of which nothing was recognised. A log without a message is none, unless it is all that there is. */
  failures(): Failure[] {
    const inputs = [...this.#inputs.values()];
    const known = inputs.some(({ verdict }) => verdict === 'known');
    return inputs.flatMap(({ first, verdict }) => {
      if (verdict === 'known' || (verdict === 'read' && known)) return [];
      return [verdict === 'read' ? nothingIn(first) : this.#failure(first)];
    });
  }

  #failure(first: Rec): Failure {
    const { what, readable } = lookOf(first.value ?? null);
    const { program } = this.#options;
    const file = first.file === undefined || first.file === '-' ? '' : ` ${first.file}`;
    const convert = `ai-transform --to anthropic${file}`;
    const how =
      program === 'ai-transform' ? `read it with --to: ${convert}` : `convert it first: ${convert} | ${program}`;
    const hint = readable ? how : 'ai-transform --help lists the formats that can be read';
    return badInput(first, `cannot recognise a conversation: it looks like ${what}`, hint);
  }
}

const nothingIn = (first: Rec): Failure =>
  badInput(first, `cannot find a conversation: ${lookOf(first.value ?? null).what} contains no known message`);
