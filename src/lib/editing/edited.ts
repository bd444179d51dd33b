// What comes out of an edit.

/** An edit that cannot be made. The message tells the model why, and what to do. */
export class EditError extends Error {}

export interface Edited {
  readonly text: string;
  /** What was done, in a sentence for the model. */
  readonly done: string;
}

/** `1 line`, `2 lines`. */
export const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`;
