// The records of one or more inputs, in order.

import type { Rec } from '../json/record.ts';
import { Documents } from './documents.ts';
import { type OnBad, parseLine } from './parse.ts';
import { type Line, Splitter } from './split.ts';

/** A named stream of bytes. A chunk is used up before the next is asked for. */
export interface Input {
  readonly name: string;
  chunks(): Iterable<Uint8Array>;
  /** The same bytes, for programs that do something else while they wait. */
  asyncChunks(): AsyncIterable<Uint8Array>;
}

/** Records that can be read once, either way: blocking (`for`) or not (`for await`). */
export interface Records extends Iterable<Rec>, AsyncIterable<Rec> {
  /** Where they come from, for programs that read text or forgive bad lines. */
  readonly inputs: readonly Input[];
  /** The same, blocking, in batches: the records of one batch are there without waiting. Each is read to its end before the next. */
  batches(): Iterable<Iterable<Rec>>;
}

interface ReadOptions {
  /** Tells lines that are no JSON and are not meant to be: records without a value. */
  readonly isText?: (line: string) => boolean;
}

export function readRecords(inputs: readonly Input[], onBad: OnBad, options: ReadOptions = {}): Records {
  return {
    inputs,
    batches: () => batches(inputs, onBad, options),
    [Symbol.iterator]: () => new Blocking(batches(inputs, onBad, options)),
    [Symbol.asyncIterator]: () => waiting(inputs, onBad, options),
  };
}

function* batches(inputs: readonly Input[], onBad: OnBad, options: ReadOptions): Generator<Iterable<Rec>> {
  for (const { name, chunks } of inputs) {
    const lines = new Lines(name, onBad, options);
    for (const chunk of chunks()) yield new Batch(lines.cut(chunk), lines);
    yield lines.end();
  }
}

const DONE: IteratorReturnResult<undefined> = { value: undefined, done: true };

/** The records of some lines, each read when it is asked for. By hand: a generator costs as much as the parsing of a short line. */
class Batch implements IterableIterator<Rec> {
  readonly #lines: Lines;
  readonly #cut: readonly Line[];
  #next = 0;
  #more: Rec[] = [];

  constructor(cut: readonly Line[], lines: Lines) {
    this.#cut = cut;
    this.#lines = lines;
  }

  [Symbol.iterator](): this {
    return this;
  }

  next(): IteratorResult<Rec, undefined> {
    for (;;) {
      const waiting = this.#more.length > 0 ? this.#more.shift() : undefined;
      if (waiting) return { value: waiting, done: false };
      if (this.#next >= this.#cut.length) return DONE;
      const rec = this.#lines.read(this.#cut[this.#next++]);
      if (this.#lines.more) this.#more = this.#lines.take();
      if (rec) return { value: rec, done: false };
    }
  }
}

/** The records of all batches. */
class Blocking implements IterableIterator<Rec> {
  readonly #batches: Iterator<Iterable<Rec>>;
  #batch: Iterator<Rec> | undefined;

  constructor(batches: Iterator<Iterable<Rec>>) {
    this.#batches = batches;
  }

  [Symbol.iterator](): this {
    return this;
  }

  next(): IteratorResult<Rec, undefined> {
    for (;;) {
      const result = this.#batch?.next();
      if (result?.done === false) return result;
      const next = this.#batches.next();
      if (next.done) return DONE;
      this.#batch = next.value[Symbol.iterator]();
    }
  }
}

async function* waiting(inputs: readonly Input[], onBad: OnBad, options: ReadOptions): AsyncGenerator<Rec> {
  for (const { name, asyncChunks } of inputs) {
    const lines = new Lines(name, onBad, options);
    for await (const chunk of asyncChunks())
      for (const line of lines.cut(chunk)) {
        const rec = lines.read(line);
        if (rec) yield rec;
        if (lines.more) yield* lines.take();
      }
    yield* lines.end();
  }
}

/** The records of one input: a line each, or a document each. */
class Lines {
  readonly #splitter = new Splitter();
  readonly #documents: Documents;
  readonly #name: string;
  readonly #onBad: OnBad;
  readonly #isText: ReadOptions['isText'];
  #number = 0;
  /** Records that came from a document: one line may end one and hold others. */
  #more: Rec[] = [];

  constructor(name: string, onBad: OnBad, { isText }: ReadOptions) {
    this.#isText = isText;
    this.#name = name;
    this.#onBad = onBad;
    this.#documents = new Documents(name, onBad);
  }

  cut(chunk: Uint8Array): Line[] {
    return this.#splitter.push(chunk);
  }

  /** The record of a line, unless the line is part of a document: then the record waits in `take`. */
  read(line: Line): Rec | undefined {
    this.#number += 1;
    if (typeof line === 'string' && this.#isText?.(line))
      return { value: undefined, source: line, file: this.#name, line: this.#number };
    if (!this.#documents.open) return parseLine(line, this.#name, this.#number, this.#onBad, this.#documents);
    this.#more = this.#documents.push(line, this.#number);
    return undefined;
  }

  get more(): boolean {
    return this.#more.length > 0;
  }

  take(): Rec[] {
    const more = this.#more;
    this.#more = [];
    return more;
  }

  /** The records of the last line, and of the document that it ends or leaves unfinished. */
  end(): Rec[] {
    const last = this.#splitter.end().flatMap((line) => [this.read(line) ?? [], this.take()].flat());
    return [...last, ...this.#documents.end()];
  }
}
