// What --explain says of each candidate.
import type { Report } from './message.ts';

/** One line for each candidate, in the order of the text. Offsets count UTF-16 units of the part's text. */
export function explanations({ taken, left }: Report): string[] {
  const lines = [
    ...taken.map(({ format, start, end, calls, confidence }) => {
      const names = calls.map(({ name, repairs }) => (repairs.length > 0 ? `${name} (${repairs.join(', ')})` : name));
      return { start, text: `${format} at ${start}-${end}: taken: ${names.join('; ')}; confidence ${confidence}` };
    }),
    ...left.map(({ format, start, end, why }) => ({ start, text: `${format} at ${start}-${end}: left: ${why}` })),
  ];
  return lines.sort((a, b) => a.start - b.start).map(({ text }) => text);
}
