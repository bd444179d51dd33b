// What the entries of a transcript take, counted when somebody asks: of a long conversation only its end has to be.
import type { Message, Part, Source } from '../../lib/conversation/types.ts';
import type { Counter } from '../../lib/tokens/count.ts';
import type { Transcript } from './transcript.ts';

export class Sizes {
  readonly counter: Counter;
  readonly #transcript: Transcript;
  readonly #tokens: Float64Array;
  readonly #known: Map<Message, number>;
  #chars: Float64Array | undefined;

  /** `known`: what was counted of the same conversation. */
  constructor(transcript: Transcript, counter: Counter, known = new Map<Message, number>()) {
    this.counter = counter;
    this.#known = known;
    this.#transcript = transcript;
    this.#tokens = new Float64Array(transcript.entries.length).fill(-1);
  }

  /** Tokens of an entry as it is sent; 0 for one that is not. */
  tokens(at: number): number {
    const known = this.#tokens[at] as number;
    if (known >= 0) return known;
    const message = this.#transcript.entries[at]?.message;
    const counted = message === undefined ? 0 : (this.#known.get(message) ?? this.counter.message(message));
    this.#tokens[at] = counted;
    if (message) this.#known.set(message, counted);
    return counted;
  }

  /** Tokens of `[from, to)`. */
  sum(from: number, to: number): number {
    let sum = 0;
    for (let at = from; at < to; at++) sum += this.tokens(at);
    return sum;
  }

  /** Characters of all entries before one: a cheap measure of how much there is. */
  charsBefore(at: number): number {
    this.#chars ??= prefixSums(this.#transcript.entries.map(({ message }) => (message ? charsOf(message) : 0)));
    return this.#chars[at] as number;
  }
}

function prefixSums(values: readonly number[]): Float64Array {
  const sums = new Float64Array(values.length + 1);
  values.forEach((value, i) => {
    sums[i + 1] = (sums[i] as number) + value;
  });
  return sums;
}

/** The characters of a message's texts and arguments. */
const charsOf = ({ parts }: Message): number => parts.reduce((sum, part) => sum + charsOfPart(part), 0);

function charsOfPart(part: Part): number {
  if (part.type === 'tool_call')
    return part.name.length + (part.input === undefined ? (part.text?.length ?? 0) : charsOfJson(part.input));
  if (part.type === 'tool_result') return part.parts.reduce((sum, inner) => sum + charsOfPart(inner), 0);
  if (part.type === 'media') return charsOfSource(part.source);
  return part.type === 'native' ? charsOfJson(part.value) : (part.text?.length ?? 0);
}

function charsOfSource(source: Source): number {
  if (source.type === 'text') return source.text.length;
  return source.type === 'parts' ? source.parts.reduce((sum, inner) => sum + charsOfPart(inner), 0) : 0;
}

function charsOfJson(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 4;
  let sum = 2;
  for (const key in value) sum += key.length + 4 + charsOfJson(value[key as keyof typeof value]);
  return sum;
}
