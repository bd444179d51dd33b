// What a run keeps of what it takes out: marks in the stream, a ledger, a backup.
import type { Conversation, Item } from '../../lib/conversion/gather.ts';
import { emit } from '../../lib/conversion/gather.ts';
import type { Rec } from '../../lib/json/record.ts';
import { writeBackup } from './backup.ts';
import { keepSpelling } from './hidden.ts';
import { bytesOf, Ledger } from './ledger.ts';
import { lossesOf, type Outcome, piecesOf, type Stamp } from './outcome.ts';

interface Keeping {
  readonly mark: boolean;
  readonly ledger: string | undefined;
  readonly backup: string | undefined;
}

export class Archive {
  readonly #keeping: Keeping;
  readonly #time: () => string;
  readonly #ledger: Ledger | undefined;
  #input: Rec[] | undefined;
  #hash: string | undefined;

  constructor(keeping: Keeping, now: () => number) {
    this.#keeping = keeping;
    this.#time = () => new Date(now()).toISOString();
    this.#ledger = keeping.ledger === undefined ? undefined : new Ledger(keeping.ledger);
  }

  /** What is read. With a backup it is read to its end first. */
  read(records: Iterable<Rec>): Iterable<Rec> {
    if (this.#keeping.backup === undefined) return records;
    this.#input = [...records];
    return this.#input;
  }

  /** A conversation as it goes on: condensed, or as it came. Whatever is to be kept is on disk before its first record. */
  *write(conversation: Conversation, outcome: Outcome | undefined): Generator<Rec> {
    if (outcome === undefined) {
      for (const rec of emit(conversation)) yield this.#wrote(rec, false);
    } else {
      this.#backUp();
      this.#ledger?.lose([...lossesOf(outcome, conversation)], this.#time());
      yield* this.#condensed(conversation, outcome);
    }
    this.#ledger?.read(emit(conversation));
  }

  end(): void {
    this.#ledger?.end(this.#time());
  }

  *#condensed(conversation: Conversation, outcome: Outcome): Generator<Rec> {
    const pieces = [...piecesOf(outcome, conversation, this.#stamp)];
    const made = new Set<Rec>(pieces.filter((piece) => piece.made).map(({ item }) => item.rec));
    const items: Item[] = pieces.map(({ item }) => item);
    const { rolled } = conversation;
    const head = outcome.head ?? conversation.head;
    if (outcome.head) made.add(outcome.head.rec);
    for (const rec of emit({ ...conversation, head, items }, conversation)) {
      const spelled = rolled && this.#keeping.mark ? keepSpelling(rolled, rec) : rec;
      yield this.#wrote(spelled, rolled !== undefined || made.has(rec));
    }
  }

  get #stamp(): Stamp {
    return { mark: this.#keeping.mark, ...(this.#hash !== undefined && { backup: this.#hash }) };
  }

  #wrote(rec: Rec, made: boolean): Rec {
    this.#ledger?.wrote(rec, made);
    return rec;
  }

  #backUp(): void {
    const { backup } = this.#keeping;
    if (backup === undefined || this.#hash !== undefined) return;
    const bytes = Buffer.concat((this.#input ?? []).map((rec) => Buffer.from(bytesOf(rec))));
    this.#hash = writeBackup(backup, bytes, this.#time());
  }
}
