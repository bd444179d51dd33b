// How many tokens a conversation is: bounded first, counted where somebody needs the count, each text once for all families of models.
import type { Message } from '../../lib/conversation/types.ts';
import { BOUND } from '../../lib/tokens/bound.ts';
import { Counter, countExactly, type TextCount } from '../../lib/tokens/count.ts';
import type { Encoding } from '../../lib/tokens/encoder.ts';
import type { Family } from '../../lib/tokens/families.ts';

/** Adds up what a counter says of the head and of each message. */
type Sum = (counter: Counter) => number;

/** Bytes of text, code and JSON that make a token, on average over texts and models. */
const BYTES_PER_TOKEN = 3.6;

const roughly: TextCount = (text) => Buffer.byteLength(text) / BYTES_PER_TOKEN;

/** What an answer takes, by the number of its bytes. */
export function roughTokens({ parts }: Message, family: Family): number {
  const counter = new Counter(family, 1, roughly);
  return Math.ceil(parts.reduce((sum, part) => sum + counter.part(part), 0));
}

/** Remembers texts: each family asks for the same ones. */
function remembering(): TextCount {
  const kept: { readonly [encoding in Encoding]: Map<string, number> } = {
    o200k_base: new Map(),
    cl100k_base: new Map(),
  };
  return (text, encoding) => remember(kept[encoding], text, () => countExactly(text, encoding));
}

export class Prompt {
  readonly #sum: Sum;
  readonly #counts = new Map<Family, number>();
  readonly #estimates = new Map<Family, number>();
  #most: number | undefined;
  #exactly: TextCount | undefined;

  constructor(sum: Sum) {
    this.#sum = sum;
  }

  /** Tokens with a model of the family, as lib/tokens counts them. */
  count(family: Family): number {
    this.#exactly ??= remembering();
    return this.#tokens(this.#counts, family, this.#exactly);
  }

  /** The same, but of the number of bytes, unless there was need to count this prompt before. */
  estimate(family: Family): number {
    if (this.#counts.size > 0) return this.count(family);
    return this.#tokens(this.#estimates, family, roughly);
  }

  #tokens(known: Map<Family, number>, family: Family, count: TextCount): number {
    return remember(known, family, () => Math.ceil(this.#sum(new Counter(family, 1, count))));
  }

  /** What an estimate for the family was made with: an encoding (times a factor where it is not the model's own), or bytes. */
  basis({ encoding, factor }: Family): string {
    if (this.#counts.size === 0) return 'bytes';
    return factor === 1 ? encoding : `${encoding} × ${factor}`;
  }

  /** What no model of any family exceeds. */
  get most(): number {
    this.#most ??= Math.ceil(this.#sum(BOUND));
    return this.#most;
  }

  /** Whether it is at most so many tokens. Counts only where the number of bytes leaves a doubt. */
  fits(family: Family, limit: number): boolean {
    return this.most <= limit || this.count(family) <= limit;
  }
}

function remember<K>(known: Map<K, number>, key: K, count: () => number): number {
  const tokens = known.get(key) ?? count();
  known.set(key, tokens);
  return tokens;
}
