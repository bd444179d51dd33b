// Which sentences say most. SumBasic (Nenkova and Vanderwende 2005) with weights for what a reader of technical work looks for: the words that
// the text uses most make a sentence worth having, and each word counts less once it has been said.
import type { Sentence } from './split-sentences.ts';

interface Candidate {
  readonly sentence: Sentence;
  readonly at: number;
  readonly terms: readonly string[];
  readonly weight: number;
}

/** Of a long text only the most promising sentences are compared with each other. */
const COMPARED = 2000;

/** What says less than this share of what the best sentence says is not worth its place. */
const WORTH = 0.2;

/** The best ones that fit into so many characters, in the order of the text. */
export function choose(sentences: readonly Sentence[], characters: number): Sentence[] {
  const all = sentences.map((sentence, at) => candidate(sentence, at, sentences.length));
  const chances = frequencies(all);
  const ranked = all
    .map((one) => ({ one, score: score(one, chances) }))
    .sort((a, b) => b.score - a.score || a.one.at - b.one.at);
  const first = ranked[0]?.score ?? 0;
  let open = ranked.slice(0, COMPARED).map(({ one }) => one);
  const chosen: Candidate[] = [];
  for (let left = characters; open.length > 0; ) {
    open = open.filter(({ sentence }) => sentence.words.length < left);
    const best = bestOf(open, chances);
    if (best === undefined || score(best, chances) < WORTH * first) break;
    chosen.push(best);
    left -= best.sentence.words.length + 1;
    open = open.filter(({ sentence }) => sentence.words !== best.sentence.words);
    for (const term of best.terms) chances.set(term, (chances.get(term) ?? 0) ** 2);
  }
  // Text without a word that counts still has a beginning.
  if (chosen.length === 0 && all[0]) chosen.push(all[0]);
  return chosen.sort((a, b) => a.at - b.at).map(({ sentence }) => sentence);
}

function bestOf(open: readonly Candidate[], chances: ReadonlyMap<string, number>): Candidate | undefined {
  let best: Candidate | undefined;
  let most = 0;
  for (const one of open) {
    const points = score(one, chances);
    if (points <= most) continue;
    most = points;
    best = one;
  }
  return best;
}

/** The mean of its words' chances: a long sentence is no better for its length, and one of a word or two says little. */
function score({ terms, weight }: Candidate, chances: ReadonlyMap<string, number>): number {
  if (terms.length === 0) return 0;
  let sum = 0;
  for (const term of terms) sum += chances.get(term) ?? 0;
  return (weight * sum) / Math.max(terms.length, FULL);
}

const FULL = 6;

/** How likely each term is. One that stands in most sentences tells none of them apart. */
function frequencies(all: readonly Candidate[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { terms } of all) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  const total = all.reduce((sum, { terms }) => sum + terms.length, 0) || 1;
  const many = Math.max(4, all.length / 3);
  return new Map([...counts].map(([term, n]) => [term, Math.min(n, many) / total]));
}

function candidate(sentence: Sentence, at: number, all: number): Candidate {
  return { sentence, at, terms: termsOf(sentence.words), weight: weightOf(sentence, at, all) };
}

/** Decisions, faults, and what is left to do. */
const TELLING =
  /\b(decid|conclu|result|found|because|therefore|must|should|need|error|fail|fix|bug|caus|summar|import|todo|next|final|solution|plan|agreed|chose|instead|broken|works?|wrong)/i;
/** Names of files, functions and things, numbers with units, addresses. */
const EXACT = /[\w./-]+\.\w{1,5}\b|\b\w+\(\)|[a-z][A-Z]|\w_\w|`[^`]+`|\d/;
const PLEASANTRY = /^(ok(ay)?|sure|thanks?|thank you|great|hello|hi|yes|no|let me|i('|’)ll|now i)\b/i;

function weightOf({ words, first }: Sentence, at: number, all: number): number {
  const place = at < all * 0.1 || at > all * 0.9 ? 1.2 : 1;
  return (
    place *
    (first ? 1.1 : 1) *
    (TELLING.test(words) ? 1.4 : 1) *
    (EXACT.test(words) ? 1.15 : 1) *
    (PLEASANTRY.test(words) ? 0.5 : 1) *
    (words.endsWith('?') ? 0.8 : 1)
  );
}

const STOP = new Set(
  `a about after all also an and any are as at be been before being both but by can could did do does doing done for from get had has have he her here
  his how i if in into is it its just like me more most my no not now of on only or other our out over own same she so some such than that the their
  them then there these they this those through to too under up us use used using very was we were what when where which while who why will with would
  you your yes der die das und ist nicht ein eine den dem mit für auf zu von im in es sich le la les des et est un une pour que qui dans sur pas el los
  las y en de del se por con para una`.split(/\s+/),
);

/** Words without endings that do not matter; each once. Scripts without blanks give pairs of characters. */
function termsOf(words: string): string[] {
  const found = new Set<string>();
  for (const [word] of words.toLowerCase().matchAll(/[\p{L}\p{N}_]+/gu)) {
    if (/\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u.test(word)) {
      for (let i = 0; i + 1 < word.length; i++) found.add(word.slice(i, i + 2));
    } else if (word.length > 1 && !STOP.has(word)) found.add(stem(word));
  }
  return [...found];
}

const stem = (word: string): string => (word.length > 4 ? word.replace(/(ing|ed|es|s|ly)$/, '') : word);
