// The records of one or more inputs, in order.
import type { Rec } from '../ir/record.ts';
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
}

export interface Leniency {
  /** Tells lines that are no JSON and are not meant to be: records without a value. */
  readonly isText?: (line: string) => boolean;
  /** Called in place of `onBad` for a bad last line without a terminator: what a writer leaves that was killed. */
  readonly onTorn?: OnBad;
}

export function readRecords(inputs: readonly Input[], onBad: OnBad, leniency: Leniency = {}): Records {
  return {
    inputs,
    [Symbol.iterator]: () => blocking(inputs, onBad, leniency),
    [Symbol.asyncIterator]: () => waiting(inputs, onBad, leniency),
  };
}

function* blocking(inputs: readonly Input[], onBad: OnBad, leniency: Leniency): Generator<Rec> {
  for (const { name, chunks } of inputs) {
    const lines = new Lines(name, onBad, leniency);
    for (const chunk of chunks())
      for (const line of lines.cut(chunk)) {
        const rec = lines.read(line);
        if (rec) yield rec;
        if (lines.more) yield* lines.take();
      }
    yield* lines.end();
  }
}

async function* waiting(inputs: readonly Input[], onBad: OnBad, leniency: Leniency): AsyncGenerator<Rec> {
  for (const { name, asyncChunks } of inputs) {
    const lines = new Lines(name, onBad, leniency);
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
  readonly #leniency: Leniency;
  #onBad: OnBad;
  #number = 0;
  /** Records that came from a document: one line may end one and hold others. */
  #more: Rec[] = [];

  constructor(name: string, onBad: OnBad, leniency: Leniency) {
    this.#leniency = leniency;
    this.#name = name;
    this.#onBad = onBad;
    this.#documents = new Documents(name, (failure, rec) => this.#onBad(failure, rec));
  }

  cut(chunk: Uint8Array): Line[] {
    return this.#splitter.push(chunk);
  }

  /** The record of a line, unless the line is part of a document: then the record waits in `take`. */
  read(line: Line): Rec | undefined {
    this.#number += 1;
    if (typeof line === 'string' && this.#leniency.isText?.(line))
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
    this.#onBad = this.#leniency.onTorn ?? this.#onBad;
    const last = this.#splitter.end().flatMap((line) => [this.read(line) ?? [], this.take()].flat());
    return [...last, ...this.#documents.end()];
  }
}
