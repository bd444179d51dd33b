// The search: which messages match, and which stand around them.
import type { Rec } from '../../lib/json/record.ts';
import { otherPassages, type Passage, passagesOf } from './passages.ts';
import type { Pattern, Span } from './pattern.ts';
import type { Hit, Reporter } from './report.ts';
import type { Said } from './sources.ts';

interface SearchOptions {
  readonly wants: (passage: Passage) => boolean;
  /** Messages without a match are wanted. */
  readonly invert: boolean;
  readonly before: number;
  readonly after: number;
  /** Messages to find in one input, at most. */
  readonly most: number;
}

/** Spans that are marked in one line: more are not worth the time. */
const MARKED = 20;

/** Lines of a message that is shown because it stands around a match. */
const AROUND = 3;

/** Searches the messages of one input. `count` is how many were found. */
export class Search {
  readonly #pattern: Pattern;
  readonly #options: SearchOptions;
  readonly #names = new Map<string, string>();
  #held: Said[] = [];
  #owed = 0;
  #last = -1;
  #position = 0;
  count = 0;

  constructor(pattern: Pattern, options: SearchOptions) {
    this.#pattern = pattern;
    this.#options = options;
  }

  /** What is to be written once this message is read. */
  push(said: Said, reporter: Reporter): Rec[] {
    if (said.index === 0) this.#names.clear();
    const position = this.#position++;
    const passages = this.#passages(said);
    const hits = passages.filter(this.#options.wants).flatMap((passage) => this.#hits(passage));
    const wanted = this.#options.invert ? hits.length === 0 && passages.some(this.#options.wants) : hits.length > 0;
    if (!wanted) return this.#aside(said, position, reporter);
    this.count += 1;
    const shown = this.#options.invert ? beginning(passages.filter(this.#options.wants)) : hits;
    const first = position - this.#held.length;
    const gap = this.#last >= 0 && first > this.#last + 1 && this.#options.before + this.#options.after > 0;
    const out = [
      ...(gap ? reporter.gap() : []),
      ...this.#held.flatMap((each) => this.#around(each, reporter)),
      ...reporter.report(said, shown),
    ];
    this.#held = [];
    this.#owed = this.#options.after;
    this.#last = position;
    return out;
  }

  get full(): boolean {
    return this.count >= this.#options.most && this.#owed === 0;
  }

  #aside(said: Said, position: number, reporter: Reporter): Rec[] {
    if (this.#owed > 0) {
      this.#owed -= 1;
      this.#last = position;
      return this.#around(said, reporter);
    }
    this.#held.push(said);
    if (this.#held.length > this.#options.before) this.#held.shift();
    return [];
  }

  #around(said: Said, reporter: Reporter): Rec[] {
    return reporter.report(said, beginning(this.#passages(said)), true);
  }

  #passages({ message, rec, other }: Said): Passage[] {
    if (other) return otherPassages(rec.value ?? null);
    for (const part of message.parts) if (part.type === 'tool_call') this.#names.set(part.id, part.name);
    return passagesOf(message, (id) => this.#names.get(id));
  }

  #hits(passage: Passage): Hit[] {
    if (!this.#pattern.mayMatch(passage.text)) return [];
    const hits: Hit[] = [];
    for (const line of passage.text.split(/\r\n|\n/)) {
      const spans = this.#spans(line);
      if (spans.length > 0) hits.push({ passage, line, spans });
    }
    return hits;
  }

  /** The matches of one line, the first few: to look for all would take quadratic time with some patterns. */
  #spans(line: string): Span[] {
    const spans: Span[] = [];
    for (let from = 0; from <= line.length && spans.length < MARKED; ) {
      const span = this.#pattern.find(line, from);
      if (span === undefined) break;
      spans.push(span);
      from = span[1] > span[0] ? span[1] : span[1] + 1;
    }
    return spans;
  }
}

/** The first lines of a message. */
function beginning(passages: readonly Passage[]): Hit[] {
  const hits = passages.flatMap((passage) => {
    const lines = passage.text.split('\n', AROUND + 1).filter((line) => line.trim() !== '');
    return lines.map((line): Hit => ({ passage, line, spans: [] }));
  });
  return hits.slice(0, AROUND);
}
