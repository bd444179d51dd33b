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
  /** Where they come from, for programs that read text or forgive bad lines. */
  readonly inputs: readonly Input[];
}

/** `onTorn` is called in place of `onBad` for a bad last line without a terminator: what a writer leaves that was killed. */
export function readRecords(inputs: readonly Input[], onBad: OnBad, onTorn: OnBad = onBad): Records {
  return {
    inputs,
    [Symbol.iterator]: () => blocking(inputs, onBad, onTorn),
    [Symbol.asyncIterator]: () => waiting(inputs, onBad, onTorn),
  };
}

function* blocking(inputs: readonly Input[], onBad: OnBad, onTorn: OnBad): Generator<Rec> {
  for (const { name, chunks } of inputs) {
    const splitter = new Splitter();
    let number = 0;
    for (const chunk of chunks()) for (const line of splitter.push(chunk)) yield parseLine(line, name, ++number, onBad);
    for (const line of splitter.end()) yield parseLine(line, name, ++number, onTorn);
  }
}

async function* waiting(inputs: readonly Input[], onBad: OnBad, onTorn: OnBad): AsyncGenerator<Rec> {
  for (const { name, asyncChunks } of inputs) {
    const splitter = new Splitter();
    let number = 0;
    for await (const chunk of asyncChunks())
      for (const line of splitter.push(chunk)) yield parseLine(line, name, ++number, onBad);
    for (const line of splitter.end()) yield parseLine(line, name, ++number, onTorn);
  }
}
