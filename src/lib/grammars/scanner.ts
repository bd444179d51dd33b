// One pass over a text: finds what may be a call, and what stands around it.
import { type CodeSpan, codeSpan, fenceAtLine, type Fence } from './markdown.ts';
import { type Opener, openersAt } from './openers.ts';
import { reasoningAt, RESULTS } from './reasoning.ts';
import type { Source } from './source.ts';
import { debrisBefore, skipStray } from './stray.ts';
import { type Tag, tagAt } from './tag.ts';
import type { Grammar, Opening, Reading } from './types.ts';

/** Why a call is not the model's own. */
export type Quoted = 'in inline code' | 'in a block quote' | 'in quotation marks' | 'in a code fence';

export interface Candidate {
  readonly grammar: Grammar;
  readonly reading: Reading;
  readonly start: number;
  readonly end: number;
  readonly quoted?: Quoted;
  /** It is all that a code fence holds. */
  readonly fenced?: true;
  readonly reasoning: boolean;
}

/** Reasoning: the text from `from` to `to`; `start` and `end` include its marks. */
export interface Thought {
  readonly start: number;
  readonly from: number;
  readonly to: number;
  readonly end: number;
}

/** `take`: it is a call. `leave`: it is not, and nothing within it is. `pass`: look on behind its first character. */
export type Verdict = 'take' | 'leave' | 'pass';

export interface Scanned {
  readonly taken: readonly Candidate[];
  readonly thoughts: readonly Thought[];
}

/** The characters that anything of interest begins with. */
const HOT = new Uint8Array(128);
for (const c of '\n`<{[(:=>*|]') HOT[c.charCodeAt(0)] = 1;
/** ✿ and ◁, of the few marks beyond ASCII. */
const WIDE = new Set([0x273f, 0x25c1]);

const [NEWLINE, BACKTICK, LESS] = [10, 96, 60];

export class Scanner {
  readonly #source: Source;
  readonly #inReasoning: boolean;
  readonly #judge: (candidate: Candidate) => Verdict;
  readonly #taken: Candidate[] = [];
  readonly #thoughts: Thought[] = [];
  #fence: Fence | undefined;
  #span: CodeSpan | undefined;
  /** The end of a line that is a quotation. */
  #quoteEnd = -1;
  /** Where the last thing that was taken ends: openers do not reach back behind it. */
  #done = 0;
  /** The end of the reasoning that is being read. */
  #reasoningEnd = -1;

  constructor(source: Source, inReasoning: boolean, judge: (candidate: Candidate) => Verdict) {
    this.#source = source;
    this.#inReasoning = inReasoning;
    this.#judge = judge;
  }

  run(): Scanned {
    const { flat } = this.#source;
    for (let at = this.#line(0); at < flat.length && !this.#source.spent; ) {
      const c = flat.charCodeAt(at);
      if (c < 128 ? HOT[c] === 1 : WIDE.has(c)) at = this.#at(at, c);
      else at += 1;
    }
    return { taken: this.#taken, thoughts: this.#thoughts };
  }

  /** Looks at one place; gives the next to look at. */
  #at(at: number, c: number): number {
    if (c === NEWLINE) return this.#line(at + 1);
    if (c === BACKTICK) return this.#backtick(at);
    const tag = c === LESS ? tagAt(this.#source, at) : undefined;
    return this.#results(tag, at) ?? this.#reasoning(tag, at) ?? this.#opener(at, tag) ?? at + 1;
  }

  /** The beginning of a line: a fence, a block quote, or neither. */
  #line(at: number): number {
    const { text } = this.#source;
    let i = at;
    while (i < at + 4 && text[i] === ' ') i += 1;
    if (text[i] === '>' && openersAt(this.#source, i, undefined).next().done) {
      const end = text.indexOf('\n', i);
      this.#quoteEnd = end < 0 ? text.length : end;
      return i + 1;
    }
    const fence = fenceAtLine(this.#source, i, this.#fence);
    if (fence === 'closes') this.#fence = undefined;
    else if (fence && this.#fence === undefined) return this.#openFence(fence);
    return fence === 'closes' ? i + 3 : at;
  }

  /** A fence that holds nothing but calls is one candidate; of another, what stands in it is quoted. */
  #openFence(fence: Fence): number {
    const candidate = this.#fencedCalls(fence);
    if (candidate && this.#decide(candidate) !== 'pass') return candidate.end;
    this.#fence = fence;
    return fence.body;
  }

  #fencedCalls(fence: Fence): Candidate | undefined {
    const start = this.#source.space(fence.body);
    const first = this.#readAt(start) ?? this.#readLine(start);
    if (first === undefined) return undefined;
    let { end } = first.reading;
    const calls = [...first.reading.calls];
    for (;;) {
      const next = this.#readAt(this.#source.space(end));
      if (next === undefined || next.reading.end <= end) break;
      calls.push(...next.reading.calls);
      ({ end } = next.reading);
    }
    const close = this.#source.space(end);
    const closes = this.#source.has(fence.mark, close) || close >= this.#source.text.length;
    if (!closes || first.reading.cut !== undefined) return undefined;
    const behind = close >= this.#source.text.length ? close : close + fence.mark.length;
    const reading = { ...first.reading, calls, end: skipStray(this.#source, behind) };
    return { ...this.#candidate(first.grammar, reading, fence.start), fenced: true, quoted: undefined };
  }

  /** What begins at `start` with an opener that is known by a later character of its line. */
  #readLine(start: number) {
    const { flat } = this.#source;
    for (let at = start + 1; at < start + 120 && at < flat.length && flat[at] !== '\n'; at += 1) {
      const found = HOT[flat.charCodeAt(at)] === 1 ? this.#readAt(at) : undefined;
      if (found) return found.start === start ? found : undefined;
    }
    return undefined;
  }

  #backtick(at: number): number {
    if (this.#span && at === this.#span.close) return this.#span.end;
    if (this.#span && at < this.#span.end) return at + 1;
    this.#span = this.#fence ? undefined : codeSpan(this.#source, at);
    let i = at;
    while (this.#source.text[i] === '`') i += 1;
    return i;
  }

  /** Results that the model made up: gives the place behind them. */
  #results(tag: Tag | undefined, at: number): number | undefined {
    const closer = tag && !tag.closes ? RESULTS.get(tag.name) : undefined;
    if (tag === undefined || closer === undefined || this.#inCode(at)) return undefined;
    const end = this.#source.find(closer, tag.end);
    return end < 0 ? undefined : end + closer.length;
  }

  #reasoning(tag: Tag | undefined, at: number): number | undefined {
    const mark = reasoningAt(this.#source, at, tag);
    if (mark === undefined || this.#inCode(at)) return undefined;
    return mark.type === 'opens' ? this.#think(at, mark.from, mark.closers) : this.#orphan(at, mark.end);
  }

  #think(at: number, from: number, closers: readonly string[]): number {
    const close = nearest(this.#source, closers, from);
    if (close === undefined) {
      this.#thoughts.push({ start: at, from, to: this.#source.text.length, end: this.#source.text.length });
      return from;
    }
    const end = close.at + close.needle.length;
    this.#thoughts.push({ start: at, from, to: close.at, end });
    if (!this.#inReasoning) return end;
    this.#reasoningEnd = end;
    return from;
  }

  /** The end of reasoning that began in the prompt: all before it is reasoning, and its calls with it. */
  #orphan(at: number, end: number): number | undefined {
    if (this.#thoughts.length > 0) return undefined;
    this.#thoughts.push({ start: 0, from: 0, to: at, end });
    if (!this.#inReasoning) this.#taken.length = 0;
    return end;
  }

  #inCode(at: number): boolean {
    return this.#fence !== undefined || (this.#span !== undefined && at < this.#span.end) || at < this.#quoteEnd;
  }

  /** What is read where an opener stands; gives the place to go on, or undefined if no grammar has a call here. */
  #opener(at: number, tag: Tag | undefined): number | undefined {
    const found = this.#readAt(at, tag);
    if (found === undefined) return undefined;
    const candidate = this.#candidate(found.grammar, found.reading, found.start);
    const verdict = this.#decide(candidate);
    return verdict === 'pass' ? undefined : candidate.end;
  }

  #readAt(at: number, tag = this.#source.text[at] === '<' ? tagAt(this.#source, at) : undefined) {
    for (const opener of openersAt(this.#source, at, tag)) {
      const found = this.#read(opener, at, tag);
      if (found) return found;
    }
    return undefined;
  }

  #read({ grammar, opener, anchor }: Opener, at: number, tag: Tag | undefined) {
    const start = at - anchor;
    if (start < this.#done) return undefined;
    const opening: Opening = { opener, at: start, end: tag?.end ?? start + opener.length, tag };
    const reading = grammar.read(this.#source, opening);
    if (reading === undefined || reading.end <= at) return undefined;
    return { grammar, reading, start: Math.max(this.#done, reading.start ?? start) };
  }

  #candidate(grammar: Grammar, reading: Reading, start: number): Candidate {
    const end = reading.cut === undefined ? skipStray(this.#source, reading.end) : reading.end;
    const from = Math.max(this.#done, debrisBefore(this.#source, start));
    return { grammar, reading, start: from, end, quoted: this.#quoted(start, end), reasoning: start < this.#reasoningEnd };
  }

  #quoted(start: number, end: number): Quoted | undefined {
    if (this.#span && start < this.#span.end && end <= this.#span.end) return 'in inline code';
    if (start < this.#quoteEnd) return 'in a block quote';
    if (this.#fence && !this.#fence.open) return 'in a code fence';
    return inQuotation(this.#source.text, start, end, this.#done) ? 'in quotation marks' : undefined;
  }

  #decide(candidate: Candidate): Verdict {
    const verdict = this.#judge(candidate);
    if (verdict === 'take') this.#take(candidate);
    if (verdict !== 'pass') this.#done = candidate.end;
    return verdict;
  }

  /** A call ends reasoning that nothing else ended. */
  #take(candidate: Candidate): void {
    this.#taken.push(candidate);
    const { thought } = candidate.reading;
    if (thought) this.#thoughts.push({ start: candidate.start, ...thought, end: candidate.start });
    const last = this.#thoughts.at(-1);
    if (last && last.end === this.#source.text.length && last.to === last.end && candidate.start >= last.from)
      this.#thoughts[this.#thoughts.length - 1] = { ...last, to: candidate.start, end: candidate.start };
  }
}

/** Whether quotation marks stand around a place: directly, or on its lines. `from`: what is before it has been taken out. */
function inQuotation(text: string, start: number, end: number, from: number): boolean {
  const closing = QUOTATION.get(text[start - 1] ?? '');
  if (closing !== undefined && closing === text[end]) return true;
  const line = text.slice(Math.max(from, text.lastIndexOf('\n', start - 1) + 1, start - 400), start);
  const rest = text.slice(end, end + 400).split('\n', 1)[0] ?? '';
  return opens(line, '"', '"') ? rest.includes('"') : opens(line, '“', '”') && rest.includes('”');
}

/** Whether a quotation that begins in a text is open at its end. */
function opens(text: string, open: string, close: string): boolean {
  const last = text.lastIndexOf(open);
  if (last < 0) return false;
  if (open !== close) return text.indexOf(close, last) < 0;
  return text.split(open).length % 2 === 0 && !/[\p{L}\p{N}]/u.test(text[last - 1] ?? '');
}

const QUOTATION = new Map([
  ['"', '"'],
  ["'", "'"],
  ['“', '”'],
  ['‘', '’'],
  ['«', '»'],
  ['„', '“'],
]);

function nearest(source: Source, needles: readonly string[], from: number): { at: number; needle: string } | undefined {
  let best: { at: number; needle: string } | undefined;
  for (const needle of needles) {
    const at = source.find(needle, from);
    if (at >= 0 && (best === undefined || at < best.at)) best = { at, needle };
  }
  return best;
}
