// The kinds of characters that the encodings tell apart. https://github.com/openai/tiktoken/blob/main/tiktoken_ext/openai_public.py

/** A character's kind is one byte of a table over all of Unicode. */
export const OTHER = 0;
export const UPPER = 1;
export const LOWER = 2;
/** A letter without case. */
export const LETTER = 3;
export const MARK = 4;
export const NUMBER = 5;
/** White space that ends no line. */
export const SPACE = 6;
export const NEWLINE = 7;

const LIMIT = 0x110000;

const KINDS: readonly (readonly [RegExp, number])[] = [
  [/^[\p{Lu}\p{Lt}]$/u, UPPER],
  [/^\p{Ll}$/u, LOWER],
  [/^[\p{Lm}\p{Lo}]$/u, LETTER],
  [/^\p{M}$/u, MARK],
  [/^\p{N}$/u, NUMBER],
  [/^[\r\n]$/, NEWLINE],
  // Not \s: JavaScript's lacks U+0085 and has U+FEFF.
  [/^\p{White_Space}$/u, SPACE],
];

/** The table as runs: a run's first character times 8, plus its kind. Computed when the programs are built. */
export function findRuns(): Uint32Array {
  const runs: number[] = [];
  let last = -1;
  for (let point = 0; point < LIMIT; point++) {
    const kind = kindOf(point);
    if (kind !== last) runs.push(point * 8 + kind);
    last = kind;
  }
  return Uint32Array.from(runs);
}

function kindOf(point: number): number {
  if (point >= 0xd800 && point < 0xe000) return OTHER;
  const char = String.fromCodePoint(point);
  return KINDS.find(([pattern]) => pattern.test(char))?.[1] ?? OTHER;
}

/** The table: a kind for each code point. */
export function expandRuns(runs: Uint32Array): Uint8Array {
  const kinds = new Uint8Array(LIMIT);
  runs.forEach((run, i) => {
    const next = runs[i + 1];
    if (run & 7) kinds.fill(run & 7, run >>> 3, next === undefined ? LIMIT : next >>> 3);
  });
  return kinds;
}
