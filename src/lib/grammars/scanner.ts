// One pass over a text: finds what may be a call, and what stands around it.
import type { Fence } from './markdown.ts';
import { isHotCode, type Opener, openersAt } from './openers.ts';
import { openingAt, readAt } from './read.ts';
import { RESULTS, reasoningAt } from './reasoning.ts';
import type { Candidate, Scanned, ScanOptions, Thought, Verdict } from './scanned.ts';
import type { Source, Tag } from './source.ts';
import { debrisBefore, skipStray } from './stray.ts';
import { Surroundings } from './surroundings.ts';
import { tagAt } from './tag.ts';
import { type Grammar, MOST_CALLS, type Reading } from './types.ts';

const [NEWLINE, BACKTICK, LESS] = [10, 96, 60];

export class Scanner {
  readonly #source: Source;
  readonly #inReasoning: boolean;
  readonly #judge: (candidate: Candidate) => Verdict;
  readonly #taken: Candidate[] = [];
  readonly #thoughts: Thought[] = [];
  readonly #around: Surroundings;
  /** Where the last thing that was taken ends: openers do not reach back behind it. */
  #done = 0;
  #calls = 0;
  /** The end of the reasoning that is being read. */
  #reasoningEnd = -1;

  constructor(source: Source, { inReasoning }: ScanOptions, judge: (candidate: Candidate) => Verdict) {
    this.#source = source;
    this.#inReasoning = inReasoning;
    this.#judge = judge;
    this.#around = new Surroundings(source);
  }

  run(): Scanned {
    const { flat } = this.#source;
    for (let at = this.#line(0); at < flat.length && !this.#source.spent && this.#calls < MOST_CALLS; ) {
      const c = flat.charCodeAt(at);
      if (isHotCode(c)) at = this.#at(at, c);
      else at += 1;
    }
    return { taken: this.#taken, thoughts: this.#thoughts };
  }

  /** Looks at one place; gives the next to look at. */
  #at(at: number, c: number): number {
    if (c === NEWLINE) return this.#line(at + 1);
    if (c === BACKTICK) return this.#around.backtick(at);
    const tag = c === LESS ? tagAt(this.#source, at) : undefined;
    return this.#results(tag, at) ?? this.#reasoning(tag, at) ?? this.#opener(at, tag) ?? at + 1;
  }

  /** The beginning of a line: a fence, a block quote, or neither. */
  #line(at: number): number {
    const { next, fence } = this.#around.line(at, (i) => openersAt(this.#source, i, undefined).length > 0);
    return fence ? this.#openFence(fence) : next;
  }

  /** A fence that holds nothing but calls is one candidate; of another, what stands in it is quoted. */
  #openFence(fence: Fence): number {
    const candidate = this.#fencedCalls(fence);
    if (candidate && this.#decide(candidate) !== 'pass') return candidate.end;
    this.#around.fence = fence;
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
      for (const call of next.reading.calls) calls.push(call);
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
      const found = isHotCode(flat.charCodeAt(at)) ? this.#readAt(at) : undefined;
      if (found) return found.start === start ? found : undefined;
    }
    return undefined;
  }

  /** Results that the model made up: gives the place behind them. */
  #results(tag: Tag | undefined, at: number): number | undefined {
    const closer = tag && !tag.closes ? RESULTS.get(tag.key) : undefined;
    if (tag === undefined || closer === undefined || this.#around.inCode(at)) return undefined;
    const end = this.#source.find(closer, tag.end);
    return end < 0 ? undefined : end + closer.length;
  }

  #reasoning(tag: Tag | undefined, at: number): number | undefined {
    const mark = reasoningAt(this.#source, at, tag);
    if (mark === undefined || this.#around.inCode(at)) return undefined;
    return mark.type === 'opens' ? this.#think(mark.start ?? at, mark.from, mark.closers) : this.#orphan(at, mark.end);
  }

  #think(at: number, from: number, closers: readonly string[]): number {
    const close = this.#source.first(closers, from);
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
    this.#thoughts.push({ start: 0, from: 0, to: at, end, orphan: true });
    if (!this.#inReasoning) this.#taken.length = 0;
    return end;
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

  #read(opener: Opener, at: number, tag: Tag | undefined) {
    const start = at - opener.anchor;
    const reading = start < this.#done ? undefined : readAt(this.#source, opener, openingAt(opener, at, tag));
    return reading && { grammar: opener.grammar, reading, start: Math.max(this.#done, reading.start ?? start) };
  }

  #candidate(grammar: Grammar, reading: Reading, start: number): Candidate {
    const end = reading.cut === undefined ? skipStray(this.#source, reading.end) : reading.end;
    const from = Math.max(this.#done, debrisBefore(this.#source, start));
    return {
      grammar,
      reading,
      start: from,
      end,
      quoted: this.#around.quoted(start, end, this.#done),
      reasoning: start < this.#reasoningEnd,
    };
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
    this.#calls += candidate.reading.calls.length;
    const { thought } = candidate.reading;
    if (thought) this.#thoughts.push({ start: candidate.start, ...thought, end: candidate.start });
    const last = this.#thoughts.at(-1);
    if (last && last.end === this.#source.text.length && last.to === last.end && candidate.start >= last.from)
      this.#endThought(last, candidate.start);
  }

  #endThought(last: Thought, at: number): void {
    this.#thoughts[this.#thoughts.length - 1] = { ...last, to: at, end: at };
  }
}
