// What a sub-agent spent, as the result of its call says it under `_meta.runs[].agents`.
import { isObject, type JsonObject } from '../json/values.ts';

export interface Spent {
  /** The file of its conversation, within the folder beside that of its parent. */
  readonly conversation: string;
  /** USD, as far as it is known; its own sub-agents included. */
  readonly usd: number;
  /** Answers of which nobody knows what they cost. */
  readonly unpriced: number;
}

/** Undefined for what is none. */
export function readSpent(value: unknown): Spent | undefined {
  if (!isObject(value) || typeof value.conversation !== 'string') return undefined;
  const { conversation, usd, unpriced_answers: unpriced } = value;
  return {
    conversation,
    usd: typeof usd === 'number' && usd > 0 ? usd : 0,
    unpriced: typeof unpriced === 'number' && unpriced > 0 ? unpriced : usd === null ? 1 : 0,
  };
}

/** `usd` is null where nothing of it is known. */
export const writeSpent = ({ conversation, usd, unpriced }: Spent): JsonObject => ({
  conversation,
  usd: usd === 0 && unpriced > 0 ? null : usd,
  ...(unpriced > 0 && { unpriced_answers: unpriced }),
});

/** Several as one. */
export const spentTogether = (conversation: string, all: Iterable<Pick<Spent, 'usd' | 'unpriced'>>): Spent => {
  let [usd, unpriced] = [0, 0];
  for (const one of all) {
    usd += one.usd;
    unpriced += one.unpriced;
  }
  return { conversation, usd: Number(usd.toPrecision(12)), unpriced };
};
