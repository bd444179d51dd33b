// Text cut into sentences. Lines of lists, code and logs are sentences too.

export interface Sentence {
  /** As it stands, on one line. */
  readonly words: string;
  /** The paragraph that it is from. */
  readonly paragraph: string;
  readonly first: boolean;
}

/** Longer ones are cut: nobody reads them, and data that has no sentences would fill the whole summary. */
const LONGEST = 320;

/** The sentences of one text; `at` is its number among the texts. */
export function sentencesOf(text: string, at: number): Sentence[] {
  const found: Sentence[] = [];
  let fenced = false;
  for (const [number, line] of text.split('\n').entries()) {
    if (/^\s*(```|~~~)/.test(line)) {
      fenced = !fenced;
      continue;
    }
    const pieces = fenced ? [line] : cut(line);
    for (const [i, piece] of pieces.entries()) {
      const words = tidy(piece);
      if (!/[\p{L}\p{N}]/u.test(words)) continue;
      found.push({ words, paragraph: `${at}:${number}`, first: i === 0 });
    }
  }
  return found;
}

const tidy = (piece: string): string => {
  const words = piece.replace(/\s+/g, ' ').trim();
  if (words.length <= LONGEST) return words;
  const end = words.lastIndexOf(' ', LONGEST);
  return `${words.slice(0, end > LONGEST / 2 ? end : LONGEST)} …`;
};

/** Words that end with a full stop and end no sentence. */
const SHORT = new Set([
  'e.g',
  'i.e',
  'etc',
  'mr',
  'mrs',
  'ms',
  'dr',
  'prof',
  'st',
  'vs',
  'cf',
  'no',
  'fig',
  'approx',
  'inc',
  'ltd',
]);

/** After `.`, `!`, `?` or `…` and a blank, before what can begin a sentence; and after the full stops of Chinese and Japanese. */
function cut(line: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  for (const match of line.matchAll(/[.!?…]["')\]]*\s+(?=["'([]*[\p{Lu}\p{Lo}\p{N}`])|[。！？]/gu)) {
    const end = match.index + match[0].length;
    const word = /([\p{L}.]{1,12})$/u.exec(line.slice(Math.max(start, match.index - 12), match.index))?.[1] ?? '';
    if (match[0].startsWith('.') && (SHORT.has(word.toLowerCase()) || /^\p{Lu}$/u.test(word))) continue;
    pieces.push(line.slice(start, end));
    start = end;
  }
  pieces.push(line.slice(start));
  return pieces;
}
