// Whether a text is written in letters that others are not.

const SCRIPTS: readonly RegExp[] = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Arabic',
  'Hebrew',
  'Devanagari',
  'Thai',
  'Hangul',
  'Han}\\p{scx=Hiragana}\\p{scx=Katakana',
].map((name) => new RegExp(`[\\p{scx=${name}}]`, 'gu'));

/** Letters that are looked at. */
const MOST = 20_000;
/** Of all letters, those that are not there by chance. */
const SOME = 0.02;

/** Whether most letters of a text are of a script that the other text does not use. */
export function isForeign(text: string, other: string): boolean {
  const own = counts(text);
  const most = Math.max(...own);
  const at = own.indexOf(most);
  const there = counts(other);
  const all = there.reduce((sum, count) => sum + count, 0);
  return most > 0 && all > 0 && (there[at] ?? 0) < SOME * all;
}

function counts(text: string): number[] {
  const letters = text.slice(0, MOST).replace(/[^\p{L}]/gu, '');
  return SCRIPTS.map((script) => letters.match(script)?.length ?? 0);
}
