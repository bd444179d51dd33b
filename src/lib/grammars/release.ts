// A text that is still being written: how much of it can be no part of a call, whatever follows.
import { leadBefore, tailOf, waitsFrom } from './growing.ts';
import { fenceMarkAt } from './markdown.ts';
import { isHotCode, type Opener, openersAt } from './openers.ts';
import { openingAt, readAt } from './read.ts';
import { type Mark, reasoningAt } from './reasoning.ts';
import type { Candidate } from './scanned.ts';
import type { Tag } from './source.ts';
import { type Source, skipSpace } from './source.ts';
import { isLeftover } from './stray.ts';
import { tagAt } from './tag.ts';
import type { Reading } from './types.ts';

/** What is known of a text of which more will come. */
interface Outlook {
  /** What stands before this place is text, or reasoning where it is that already. */
  readonly hold: number;
  /** Only the whole text tells what begins at `hold`: more of it would not. */
  readonly found?: true;
  /** The mark of reasoning that stands at `hold`. */
  readonly mark?: Mark;
}

/** The tag of Gemma's reasoning, which a word may follow. */
const CHANNEL = '|channel';

/** The characters that a call is known by stand this near to the beginning of its line. */
const NEAR = 120;

/**
 * Looks through a text from `from` on. What quotes a call is not asked: a call that may be quoted is held like any other. `isCall`: whether a
 * candidate is a call if nothing quotes it. `closers`: the text is reasoning that they end.
 */
export function lookAhead(
  source: Source,
  from: number,
  isCall: (candidate: Candidate) => boolean,
  closers?: readonly string[],
): Outlook {
  return new Lookout(source, from, isCall, closers).run();
}

class Lookout {
  readonly #source: Source;
  readonly #from: number;
  readonly #isCall: (candidate: Candidate) => boolean;
  readonly #closers: readonly string[] | undefined;

  constructor(
    source: Source,
    from: number,
    isCall: (candidate: Candidate) => boolean,
    closers: readonly string[] | undefined,
  ) {
    this.#source = source;
    this.#from = from;
    this.#isCall = isCall;
    this.#closers = closers;
  }

  /** What stands before in the line, or on the line above, may belong to what is held. */
  run(): Outlook {
    const look = this.#run();
    const hold = look.mark ? look.hold : Math.min(look.hold, tailOf(this.#source, this.#from, this.#closers));
    return { ...look, hold: leadBefore(this.#source, hold, this.#from) };
  }

  #run(): Outlook {
    const { flat } = this.#source;
    const first = this.#source.startsLine(this.#from) ? this.#fence(this.#from) : undefined;
    if (first) return first;
    for (let at = this.#from; at < flat.length; at += 1) {
      const c = flat.charCodeAt(at);
      const found = isHotCode(c) ? this.#at(at) : undefined;
      if (found) return found;
    }
    return { hold: flat.length };
  }

  #at(at: number): Outlook | undefined {
    if (this.#source.text[at] === '\n') return this.#fence(at + 1);
    const tag = this.#source.text[at] === '<' ? tagAt(this.#source, at) : undefined;
    if (tag?.key === CHANNEL && 'thought'.startsWith(this.#source.text.slice(tag.end))) return { hold: at };
    const mark = reasoningAt(this.#source, at, tag);
    if (mark) return { hold: this.#notBefore(mark.type === 'opens' ? (mark.start ?? at) : at), found: true, mark };
    if (this.#closers === undefined && isLeftover(this.#source, at)) return { hold: at, found: true };
    return this.#candidate(at, tag);
  }

  #notBefore(at: number): number {
    return Math.max(this.#from, at);
  }

  /** What may be a call at `at`, or become one. */
  #candidate(at: number, tag: Tag | undefined): Outlook | undefined {
    let hold: number | undefined;
    for (const opener of openersAt(this.#source, at, tag)) {
      const start = at - opener.anchor;
      if (start < this.#from) continue;
      const place = openingAt(opener, at, tag);
      const reading = readAt(this.#source, opener, place);
      const waits = waitsFrom(this.#source, opener, place, reading);
      if (waits !== undefined) hold = Math.min(hold ?? waits, waits);
      else if (reading && this.#isCall(candidateOf(opener, reading, start)))
        return { hold: this.#notBefore(Math.min(start, reading.start ?? start)), found: true };
    }
    return hold === undefined ? undefined : { hold: this.#notBefore(hold) };
  }

  /** A fence that holds nothing but calls is part of them. It is decided when it holds something else. */
  #fence(lineStart: number): Outlook | undefined {
    const { text } = this.#source;
    const at = skipSpace(text, lineStart);
    const fence = at >= this.#from ? fenceMarkAt(text, at) : undefined;
    if (fence === undefined) return undefined;
    const start = this.#source.space(fence.body);
    if (!fence.whole || start >= text.length) return { hold: at };
    const first = this.#inLine(start);
    if (first === undefined) return undefined;
    if (first === 'waits') return { hold: at };
    for (let next: Candidate | 'waits' | undefined = first, end = start; next && next !== 'waits' && next.end > end; ) {
      if (this.#isCall(next)) return { hold: at, found: true };
      ({ end } = next);
      next = this.#candidateAt(this.#source.space(end));
    }
    return this.#source.find(`\n${fence.mark}`, start) < 0 ? { hold: at } : undefined;
  }

  /** What begins at `start`, with an opener there or later in its line. */
  #inLine(start: number): Candidate | 'waits' | undefined {
    const found = this.#candidateAt(start);
    if (found) return found;
    const { flat } = this.#source;
    const limit = Math.min(start + NEAR, flat.length);
    for (let at = start + 1; at < limit && flat[at] !== '\n'; at += 1) {
      const later = isHotCode(flat.charCodeAt(at)) ? this.#candidateAt(at, start) : undefined;
      if (later) return later;
    }
    return tailOf(this.#source, start) < limit ? 'waits' : undefined;
  }

  /** What is read at `at` and begins at `start`. */
  #candidateAt(at: number, start = at): Candidate | 'waits' | undefined {
    const tag = this.#source.text[at] === '<' ? tagAt(this.#source, at) : undefined;
    let found: Candidate | undefined;
    for (const opener of openersAt(this.#source, at, tag)) {
      const from = at - opener.anchor;
      if (from < start) continue;
      const place = openingAt(opener, at, tag);
      const reading = readAt(this.#source, opener, place);
      const waits = waitsFrom(this.#source, opener, place, reading);
      if (waits !== undefined) return 'waits';
      if (reading && (reading.start ?? from) === start) found ??= candidateOf(opener, reading, start);
    }
    return found;
  }
}

function candidateOf({ grammar }: Opener, reading: Reading, start: number): Candidate {
  return { grammar, reading, start, end: reading.end, reasoning: false };
}
