// The records of one or more inputs, in order.
import type { Rec } from '../ir/record.ts';
import { type OnBad, parseLine } from './parse.ts';
import { Splitter } from './split.ts';

/** A named stream of bytes. A chunk is used up before the next is asked for. */
export interface Input {
  readonly name: string;
  chunks(): Iterable<Uint8Array>;
  /** The same bytes, for programs that do something else while they wait. */
  asyncChunks(): AsyncIterable<Uint8Array>;
}

/** Records that can be read once, either way: blocking (`for`) or not (`for await`). */
export interface Records extends Iterable<Rec>, AsyncIterable<Rec> {
  /** The lines as they stand, for programs that take other text than JSON too: records without a value, which `parse` gives them. */
  lines(): Iterable<Rec>;
  /** A line of `lines()` as a record. What is wrong with it is said as for any other. */
  parse(line: Rec): Rec;
}

export function readRecords(inputs: readonly Input[], onBad: OnBad): Records {
  return {
    [Symbol.iterator]: () => blocking(inputs, onBad),
    [Symbol.asyncIterator]: () => waiting(inputs, onBad),
    lines: () => unparsed(inputs),
    parse: ({ source, file = '-', line = 0 }) => parseLine(source, file, line, onBad),
  };
}

function* unparsed(inputs: readonly Input[]): Generator<Rec> {
  for (const { name, chunks } of inputs) {
    const splitter = new Splitter();
    let line = 0;
    for (const chunk of chunks())
      for (const source of splitter.push(chunk)) yield { value: undefined, source, file: name, line: ++line };
    for (const source of splitter.end()) yield { value: undefined, source, file: name, line: ++line };
  }
}

function* blocking(inputs: readonly Input[], onBad: OnBad): Generator<Rec> {
  for (const { name, chunks } of inputs) {
    const splitter = new Splitter();
    let number = 0;
    for (const chunk of chunks()) for (const line of splitter.push(chunk)) yield parseLine(line, name, ++number, onBad);
    for (const line of splitter.end()) yield parseLine(line, name, ++number, onBad);
  }
}

async function* waiting(inputs: readonly Input[], onBad: OnBad): AsyncGenerator<Rec> {
  for (const { name, asyncChunks } of inputs) {
    const splitter = new Splitter();
    let number = 0;
    for await (const chunk of asyncChunks())
      for (const line of splitter.push(chunk)) yield parseLine(line, name, ++number, onBad);
    for (const line of splitter.end()) yield parseLine(line, name, ++number, onBad);
  }
}
