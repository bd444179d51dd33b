// How a budget is shared out: most of it to the end of the conversation as it is, some to trimmed steps before it, some to the digest.

import type { Allowance } from './digest/digest.ts';

export interface Room {
  /** For steps that are trimmed. Tokens. */
  readonly trimmed: number;
  /** For what is remembered of dropped steps. Tokens. */
  readonly digest: number;
  /** For what the user said in them, on top. Tokens. */
  readonly requests: number;
  /** More than this the digest could not fill. Tokens. */
  readonly most: number;
}

/**
 * The shares of `free` tokens: what a budget leaves beside what stays anyway. Measured on long sessions: names in a digest are the cheapest
 * memory there is, up to about an eighth of the room; trimmed steps tell what was done, and cost recall beyond a tenth.
 */
export function shareOut(free: number, most: number): Room {
  const room = Math.max(0, free);
  return {
    trimmed: 0.08 * room,
    digest: Math.min(0.2 * room, 2000 + 0.1 * room),
    requests: Math.min(0.3 * room, 800 + 0.25 * room),
    most,
  };
}

/** Tokens of digest that a token of what was dropped is worth. */
const WORTH = 0.35;

/** Characters to a token, roughly; few enough that a digest is not promised more than it can fill. */
const CHARS = 4;

/** What a digest may take where `lost` characters go, `said` of them the user's words. Tokens. */
export function digestRoom({ digest, requests, most }: Room, lost: number, said: number): Allowance {
  const forRequests = Math.min(requests, (1.4 * said) / CHARS);
  const tokens = Math.min(digest, (WORTH * lost) / CHARS) + forRequests;
  return { tokens: Math.min(tokens, most), requests: Math.min(forRequests, most) };
}
