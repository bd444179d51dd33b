// The text of a call's arguments.

import type { Json } from '../json/values.ts';

/** Arguments as models write them: no text at all means no arguments; text that is no JSON stays text. */
export function parseArguments(text: string): { input: Json } | { text: string } {
  if (text === '') return { input: {} };
  try {
    return { input: JSON.parse(text) };
  } catch {
    return { text };
  }
}
