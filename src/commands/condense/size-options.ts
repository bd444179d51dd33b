// Sizes as they are written on the command line.
import { EXIT, Failure } from '../../lib/ir/failure.ts';
import type { Extent } from './policy.ts';

/** Tokens, a share of the model's window, or what we think best. */
export type Size = { readonly tokens: number } | { readonly percent: number } | 'auto';

/** Reads `N`, `N%` or `auto`. Throws a Failure (64). */
export function readSize(option: string, text: string): Size {
  if (text === 'auto') return 'auto';
  const match = /^(\d+(?:\.\d+)?)(%|k|m)?$/i.exec(text);
  const number = Number(match?.[1]);
  if (match === null || !(number > 0))
    throw new Failure(EXIT.usage, `option --${option} needs a number of tokens, a percentage or "auto", not "${text}"`);
  const unit = match[2]?.toLowerCase();
  if (unit === '%') return { percent: number };
  return { tokens: number * (unit === 'k' ? 1000 : unit === 'm' ? 1_000_000 : 1) };
}

/** Reads `N` (messages) or `Nt` (tokens). Throws a Failure (64). */
export function readExtent(option: string, text: string | undefined): Extent | undefined {
  if (text === undefined) return undefined;
  const match = /^(\d+)(t|tokens)?$/i.exec(text);
  if (match === null)
    throw new Failure(
      EXIT.usage,
      `option --${option} needs a number of messages, or of tokens as in 8000t, not "${text}"`,
    );
  const number = Number(match[1]);
  return match[2] ? { tokens: number } : { messages: number };
}

export interface SizeOptions {
  readonly budget: Size;
  readonly trigger: Size | undefined;
  readonly window: number | undefined;
  readonly reserve: number | undefined;
  /** Whenever something goes, so much goes. Tokens. */
  readonly clearAtLeast: number;
}
