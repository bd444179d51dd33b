// The marks around a turn, and how a text that holds one is kept from making a turn of its own.

export const START = '<|im_start|>';
export const END = '<|im_end|>';

/** A zero-width space in a mark makes it text; one that is there already gets another. */
const SPACE = '\u200b';

export function guarded(text: string): string {
  return text.includes('|im_') ? text.replace(/<(\u200b*)\|im_(start|end)\|>/g, `<$1${SPACE}|im_$2|>`) : text;
}

export function unguarded(text: string): string {
  return text.includes(`${SPACE}|im_`) ? text.replace(/<(\u200b*)\u200b\|im_(start|end)\|>/g, '<$1|im_$2|>') : text;
}
