// Sizes as they are written on the command line.
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import type { Extent } from './policy.ts';

/** Tokens, a share of the model's window, or what we think best. */
export type Size = { readonly tokens: number } | { readonly percent: number } | 'auto';

/** Reads `N`, `Nk`, `Nt`, `N%` or `auto`. Throws a Failure (64). */
export function readSize(option: string, text: string): Size {
  if (text === 'auto') return 'auto';
  const match = /^(\d+(?:\.\d+)?)(?:(%)|([km]?)(?:t|tokens)?)$/i.exec(text);
  const number = Number(match?.[1]);
  if (match === null || !(number > 0))
    throw new Failure(EXIT.usage, `option --${option} needs a number of tokens, a percentage or "auto", not "${text}"`);
  if (match[2]) return { percent: number };
  const unit = match[3]?.toLowerCase();
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

/** Where nobody names a size, of the window. */
export const STANDARD: Size = { percent: 75 };

/** Whether a window must be known, or assumed. */
export const needsWindow = ({ window, budget, trigger }: SizeOptions): boolean =>
  window === undefined && [budget, trigger].some((size) => size === 'auto' || (size && 'percent' in size));

export interface SizeOptions {
  readonly budget: Size;
  readonly trigger: Size | undefined;
  /** There is one size: condensing begins there, and leaves a part of it. */
  readonly single: boolean;
  /** Nobody named a size: then the window may be a usual one. */
  readonly assumes: boolean;
  readonly window: number | undefined;
  readonly reserve: number | undefined;
  /** Whenever something goes, so much goes. Tokens. */
  readonly clearAtLeast: number;
}
