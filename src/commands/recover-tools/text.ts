// One text taken apart: what is said, what is thought, and the calls.
import type { Candidate, Scanned, Thought } from '../../lib/grammars/scanned.ts';
import { Scanner } from '../../lib/grammars/scanner.ts';
import { Source, skipSpace } from '../../lib/grammars/source.ts';
import { cleaned } from '../../lib/grammars/stray.ts';
import { equal, type Json } from '../../lib/json/values.ts';
import { Judge, type Judged, type Left, type Rules } from './judge.ts';

export interface TextRules extends Rules {
  readonly inReasoning: boolean;
  readonly salvage: boolean;
  /** Nothing of the message follows the text: a fence at its end ends the message. */
  readonly last: boolean;
}

export type Piece =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'calls'; readonly judged: Judged };

export interface Recovered {
  /** undefined: there is nothing to recover, and the text stays as it is. */
  readonly pieces?: readonly Piece[];
  readonly taken: readonly Judged[];
  readonly left: readonly Left[];
}

/** Takes a text apart; `from`: what is said and thought before it is not told. */
export function recoverText(text: string, rules: TextRules, from = 0): Recovered {
  const source = new Source(text, rules.tools, rules.salvage);
  const judge = new Judge(rules);
  const scanned = new Scanner(source, rules, (candidate) => judge.decide(candidate)).run();
  const kept = unfenced(text, scanned, judge, rules);
  const taken = restarted(
    text,
    kept.map((candidate) => judge.judged.get(candidate) as Judged),
  );
  const thoughts = thoughtsOf(text, scanned.thoughts, taken);
  const left = withOneCut(judge.left, taken.at(-1)?.end ?? 0);
  if (taken.length === 0 && thoughts.length === 0) return { taken, left };
  return { pieces: piecesOf(text, taken, thoughts, from), taken, left };
}

/** What was left; of the places where arguments are cut off only the first behind the last call. */
function withOneCut(left: readonly Left[], from: number): Left[] {
  const cut = left.find((one) => one.cut && one.start >= from);
  return left.filter((one) => !one.cut || one === cut);
}

/** A call without its closing tag that is said again at once is one call: the model began anew. */
function restarted(text: string, taken: readonly Judged[]): Judged[] {
  return taken.map((one, i) => {
    const before = taken[i - 1];
    const again =
      before?.reading.open && text.slice(before.end, one.start).trim() === '' && equal(plain(before), plain(one));
    return again ? { ...one, calls: [] } : one;
  });
}

const plain = ({ calls }: Judged): Json => calls.map(({ name, input }) => [name, input]);

/**
 * A fence is a call only where no prose follows it and nothing announces an example. Where it is not known which tools there are, no prose may
 * come before it either.
 */
function unfenced(text: string, { taken, thoughts }: Scanned, judge: Judge, { tools, last }: TextRules): Candidate[] {
  const kept: Candidate[] = [];
  let next = last ? text.length : -1;
  const prose = tools.known ? Number.POSITIVE_INFINITY : firstProse(text, taken, thoughts);
  for (const candidate of taken.toReversed()) {
    const { fenced, start, end, grammar } = candidate;
    const follows = next < 0 || text.slice(end, next).trim() !== '';
    const said = text.slice(0, start);
    const shown = fenced && (isExample(said) || prose < start);
    const indented = follows && isIndented(said) && isExample(said);
    const quoted = indented || (fenced && (follows || shown));
    if (quoted) {
      const place = indented ? 'an indented example' : 'a code fence';
      const why = fenced && follows ? 'text follows the code fence' : `it is in ${place}`;
      judge.left.push({ format: judge.judged.get(candidate)?.format ?? grammar.name, start, end, why });
    } else {
      kept.push(candidate);
      next = start;
    }
  }
  return kept.reverse();
}

/** Whether the text ends in the four blanks that make a line code. */
const isIndented = (before: string): boolean => /\n {4}[ \t]*$/.test(before.slice(-80));

/** Whether the last words before a place announce an example. */
function isExample(before: string): boolean {
  const line = before.slice(-200).trimEnd().split('\n').at(-1) ?? '';
  return /\b(?:examples?|e\.g\.|for instance|formats?|syntax|schema|looks? like|like this|samples?|templates?)\b/i.test(
    line,
  );
}

/** Where the first text stands that is neither reasoning nor calls. */
function firstProse(text: string, taken: readonly Candidate[], thoughts: readonly Thought[]): number {
  let at = 0;
  for (const { start, end } of [...taken, ...thoughts].sort((a, b) => a.start - b.start)) {
    if (text.slice(at, start).trim() !== '') break;
    at = Math.max(at, end);
  }
  return skipSpace(text, at);
}

/** The reasoning that is taken out: where calls were found all that has an end, else only what the text begins with. */
function thoughtsOf(text: string, thoughts: readonly Thought[], taken: readonly Judged[]): Thought[] {
  if (taken.length > 0)
    return thoughts.filter(
      ({ to, end }) => end > to || taken.some(({ start }) => start === end) || end === text.length,
    );
  const leading: Thought[] = [];
  let at = 0;
  for (const thought of thoughts) {
    if (thought.orphan || text.slice(at, thought.start).trim() !== '') break;
    leading.push(thought);
    at = thought.end;
  }
  return leading;
}

/** Reasoning without the calls that it holds, then those. */
function thoughtPieces(text: string, thought: Thought, taken: readonly Judged[], from: number): Piece[] {
  const { to } = thought;
  const within: Judged[] = [];
  let said = '';
  let at = from;
  for (let i = firstAt(taken, from); (taken[i]?.end ?? to + 1) <= to; i += 1) {
    const judged = taken[i] as Judged;
    within.push(judged);
    said += text.slice(at, judged.start);
    at = judged.end;
  }
  const reasoning = `${said}${text.slice(at, to)}`.trim();
  const calls = within.map((judged): Piece => ({ type: 'calls', judged }));
  return reasoning === '' ? calls : [{ type: 'reasoning', text: reasoning }, ...calls];
}

/** The first of some calls that begins at or behind a place. */
function firstAt(taken: readonly Judged[], from: number): number {
  let [low, high] = [0, taken.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((taken[middle]?.start ?? from) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

function piecesOf(text: string, taken: readonly Judged[], thoughts: readonly Thought[], from: number): Piece[] {
  const pieces: Piece[] = [];
  const say = (piece: string) => {
    const kept = taken.length > 0 || /^\s*<\|(?:start|channel)\|>/.test(piece) ? cleaned(piece) : piece;
    if (kept.trim() !== '') pieces.push({ type: 'text', text: kept });
  };
  let at = from;
  const spans = [
    ...taken.map((judged) => ({ start: judged.start, end: judged.end, judged, thought: undefined })),
    ...thoughts.map((thought) => ({ start: thought.start, end: thought.end, judged: undefined, thought })),
  ].sort((a, b) => a.start - b.start || a.end - b.end);
  for (const { start, end, judged, thought } of spans) {
    if (start < at && thought === undefined) continue;
    if (start > at) say(text.slice(at, start));
    if (judged) pieces.push({ type: 'calls', judged });
    if (thought) for (const one of thoughtPieces(text, thought, taken, Math.max(at, thought.from))) pieces.push(one);
    at = Math.max(at, end);
  }
  say(text.slice(at));
  return pieces;
}
