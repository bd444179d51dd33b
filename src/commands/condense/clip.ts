// Long texts cut in their middle: the beginning says what it is, the end how it came out.
import type { Message, Part } from '../../lib/conversation/types.ts';
import type { Counter } from '../../lib/tokens/count.ts';
import { withParts } from './transcript.ts';

const HEAD = 0.6;

/** A text of at most `tokens`, with the number of characters left out in place of its middle. */
export function clipText(text: string, tokens: number, counter: Counter): string {
  const whole = counter.text(text);
  if (whole <= tokens) return text;
  for (let share = Math.max(0, (tokens - 12) / whole); ; share *= 0.8) {
    const clipped = cut(text, Math.floor(text.length * share));
    if (share < 0.001 || counter.text(clipped) <= tokens) return clipped;
  }
}

/** At most `length` characters of a text, its ends on whole lines where that loses little, and never half a character. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = lineBefore(text, boundary(text, Math.floor(length * HEAD)));
  const tail = lineAfter(text, boundary(text, text.length - Math.floor(length * (1 - HEAD))));
  return `${text.slice(0, head)}\n[… ${tail - head} characters cleared …]\n${text.slice(tail)}`;
}

function boundary(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
}

/** How far an end is moved for a whole line. */
const NEAR = 200;

function lineBefore(text: string, at: number): number {
  const newline = text.lastIndexOf('\n', at);
  return newline > 0 && at - newline < Math.min(NEAR, at / 2) ? newline : at;
}

function lineAfter(text: string, at: number): number {
  const newline = text.indexOf('\n', at);
  return newline > 0 && newline - at < Math.min(NEAR, (text.length - at) / 2) ? newline + 1 : at;
}

/** A message whose results keep about `share` of their text, none less than `least` tokens; the same message if nothing is that long. */
export function clipResults(message: Message, share: number, least: number, counter: Counter): Message {
  const parts = message.parts.map((part) => clipResult(part, share, least, counter));
  return parts.every((part, i) => part === message.parts[i]) ? message : withParts(message, parts);
}

function clipResult(part: Part, share: number, least: number, counter: Counter): Part {
  if (part.type !== 'tool_result' || part.by === 'provider') return part;
  const parts = part.parts.map((inner) => {
    const tokens = inner.type === 'text' ? counter.text(inner.text) : 0;
    if (inner.type !== 'text' || tokens <= least) return inner;
    return { ...inner, text: clipText(inner.text, Math.max(least, tokens * share), counter) };
  });
  return parts.every((inner, i) => inner === part.parts[i]) ? part : { ...part, parts };
}

/** The texts of a result as one. */
export const textOf = (parts: readonly Part[]): string =>
  parts
    .map((part) => (part.type === 'text' ? part.text : ''))
    .filter(Boolean)
    .join('\n');
