// Hidden records on their way into another dialect. What is not sent changes nothing of what is: those that follow one another are converted by
// themselves, share no record with others, and change no names or ids.
import { hidden, isHidden, noteOf, shown } from '../conversation/hidden.ts';
import { Calls } from '../dialects/codec/call-ids.ts';
import type { Identity } from '../dialects/detect.ts';
import { readAs } from '../dialects/read-record.ts';
import type { Format } from '../dialects/types.ts';
import { type Rec, record } from '../json/record.ts';
import type { JsonObject } from '../json/values.ts';
import { Assembly } from './assemble.ts';
import type { ConvertOptions } from './convert-options.ts';

export class Hiding {
  readonly #into: Assembly;
  readonly #options: ConvertOptions;
  #run: Run | undefined;

  /** They go into `into`, behind what was read before them. */
  constructor(into: Assembly, options: ConvertOptions) {
    this.#into = into;
    this.#options = options;
  }

  /** Takes a record of a dialect if it is hidden. Any other ends a run of them. */
  takes(rec: Rec, identity: Identity | undefined): boolean {
    const hides = identity !== undefined && isHidden(rec.value);
    if (!hides || this.#run?.from !== identity.format) this.end();
    if (hides) this.#hide(rec, identity);
    return hides;
  }

  #hide(rec: Rec, identity: Identity): void {
    const { format: from, kind } = identity;
    if (this.#into.target(from) === from || kind === 'head' || kind === 'conversation') this.#into.hide([rec], from);
    else {
      this.#run ??= new Run(from, this.#options);
      this.#run.take(rec, identity);
    }
  }

  /** No more of them follow. */
  end(): void {
    const run = this.#run;
    if (run === undefined) return;
    this.#run = undefined;
    this.#into.hide(run.end(), run.from);
  }
}

/** Some that follow one another. */
class Run {
  readonly from: Format;
  readonly #assembly: Assembly;
  readonly #calls = new Calls();
  readonly #reasons = new Set<string>();
  readonly #out: Rec[] = [];

  constructor(from: Format, { to, losses }: ConvertOptions) {
    this.from = from;
    this.#assembly = new Assembly({ to, losses }, ({ natives }) => this.#out.push(...natives));
    this.#assembly.begun = true;
  }

  take(rec: Rec, identity: Identity): void {
    const reason = noteOf(rec.value)?.reason;
    if (reason) this.#reasons.add(reason);
    const { name } = this.from;
    const message = this.#calls.follow(readAs(shown(rec.value as JsonObject), identity), name);
    this.#assembly.add({ message, from: name, recs: [rec] }, this.from);
  }

  /** Hidden again. The line in the other dialect is forgotten: it is no line of this one. */
  end(): Rec[] {
    this.#assembly.finish();
    const reason = [...this.#reasons].join(',');
    return this.#out.map((rec) => record(hidden(rec.value, { reason }), rec));
  }
}
