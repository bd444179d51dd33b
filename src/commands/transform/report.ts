// What happened to the records, one JSON line for each event, in a file of the user's choice.
import { closeSync, openSync, writeSync } from 'node:fs';
import type { Event } from '../../lib/conversion/losses.ts';
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import type { Rec } from '../../lib/json/record.ts';
import type { JsonObject } from '../../lib/json/values.ts';

const PIECE = 1 << 16;

/** Writes events to a file. Throws a Failure (74) where it cannot. */
export class Report {
  readonly #path: string;
  readonly #fd: number;
  #pending = '';

  constructor(path: string) {
    this.#path = path;
    this.#fd = this.#trying(() => openSync(path, 'w'));
  }

  loss({ rec, from, to, field, fate, carried, why }: Event): void {
    this.add(rec, { did: fate, field, why, from, to, ...(carried && { carried }) });
  }

  add(rec: Rec | undefined, event: JsonObject): void {
    this.#pending += `${JSON.stringify({ file: rec?.file, line: rec?.line, ...event })}\n`;
    if (this.#pending.length >= PIECE) this.#flush();
  }

  close(): void {
    this.#flush();
    closeSync(this.#fd);
  }

  #flush(): void {
    const bytes = Buffer.from(this.#pending);
    this.#pending = '';
    this.#trying(() => {
      for (let done = 0; done < bytes.length; ) done += writeSync(this.#fd, bytes, done);
    });
  }

  #trying<T>(act: () => T): T {
    try {
      return act();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new Failure(EXIT.io, `cannot write the report: ${why}`, { place: this.#path });
    }
  }
}
