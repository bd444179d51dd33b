// Changes to a conversation on its way into a log or a text.

import type { FormatName, Lose } from '../../lib/conversation/types.ts';
import { type Adapt, type Adaptation, isList, type Read } from '../../lib/conversion/adaptation.ts';
import type { Losses } from '../../lib/conversion/losses.ts';
import type { Said } from '../../lib/conversion/transcript.ts';
import type { Named } from '../../lib/dialects/types.ts';
import type { Rec } from '../../lib/json/record.ts';

/** What is said of conversations, adapted. */
export class Adapted {
  readonly #adapt: Adapt;
  readonly #to: FormatName;
  readonly #losses: Losses;
  #adaptation: Adaptation | undefined;
  #from: Named | undefined;
  #rec: Rec | undefined;

  constructor(adapt: Adapt, to: FormatName, losses: Losses) {
    this.#adapt = adapt;
    this.#to = to;
    this.#losses = losses;
  }

  hear(word: Said): Said[] {
    if (word.type === 'end') return [...this.end(), word];
    this.#losses.at(word.rec);
    const before = word.type === 'begin' ? this.end() : [];
    this.#from = word.from;
    this.#rec = word.rec;
    this.#adaptation ??= this.#adapt(this.#to);
    const lose = this.#lose(word.from);
    if (word.type === 'begin') {
      const head = this.#adaptation.head(word.about.head, lose, word.from.name);
      return [...before, { ...word, about: { ...word.about, head } }];
    }
    const read = { message: word.message, from: word.from.name, recs: [word.rec] };
    return this.#words(this.#adaptation.read?.(read, lose) ?? read);
  }

  /** The conversation is over: what was held back. */
  end(): Said[] {
    const held = this.#from ? this.#words(this.#adaptation?.end?.(this.#lose(this.#from)) ?? []) : [];
    this.#adaptation = undefined;
    return held;
  }

  #lose(from: Named): Lose {
    return this.#losses.between(from.name, this.#to);
  }

  #words(reads: Read | readonly Read[]): Said[] {
    const [from, rec] = [this.#from, this.#rec];
    if (from === undefined || rec === undefined) return [];
    return (isList(reads) ? reads : [reads]).map(({ message, recs }) => ({
      type: 'message',
      message,
      from,
      rec: recs[0] ?? rec,
    }));
  }
}
