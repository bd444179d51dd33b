// The ledger: what each run took out, with the lines themselves, so that it can be put back. A file of JSON lines that is only added to.
import { chmodSync, closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import type { Rec } from '../../lib/json/record.ts';
import { isObject, type JsonObject } from '../../lib/json/values.ts';
import { sha256 } from './placeholder.ts';

/** A block that was taken out or changed. `record` is its place in what was read, counted from 0. */
export interface Loss {
  readonly record: number;
  /** In a rolled-up line: the message, counted from 0. */
  readonly message?: number;
  readonly id?: string;
  readonly role: string;
  readonly tokens: number;
  readonly reason: string;
  readonly rec: Rec;
}

/** What a run did to the records that it read, for one ledger. */
export class Ledger {
  readonly #path: string;
  readonly #made: number[] = [];
  readonly #input = process.getBuiltinModule('node:crypto').createHash('sha256');
  readonly #output = process.getBuiltinModule('node:crypto').createHash('sha256');
  #read = 0;
  #written = 0;
  #entries = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** Notes what is lost of the next conversation: `read` records of the stream, `whole` where one line holds it all. */
  lose(losses: readonly Loss[], time: string): void {
    if (losses.length === 0) return;
    this.#entries += losses.length;
    append(
      this.#path,
      losses.map((loss) => entryOf(loss, this.#read + loss.record, time)),
    );
  }

  /** A record of the output; `made` if it was not in the input. */
  wrote(rec: Rec, made: boolean): void {
    if (made) this.#made.push(this.#written);
    this.#written += 1;
    this.#output.update(bytesOf(rec));
  }

  /** The records of a conversation, as they were read. */
  read(records: Iterable<Rec>): void {
    for (const rec of records) {
      this.#read += 1;
      this.#input.update(bytesOf(rec));
    }
  }

  /** The run is over. Without its end the entries still hold what was lost. */
  end(time: string): void {
    if (this.#entries === 0) return;
    const output = { records: this.#written, sha256: this.#output.digest('hex'), made: this.#made };
    const input = { records: this.#read, sha256: this.#input.digest('hex') };
    append(this.#path, [{ type: 'condensed', time, entries: this.#entries, input, output }]);
  }
}

function entryOf({ message, id, role, tokens, reason, rec }: Loss, at: number, time: string): JsonObject {
  const bytes = bytesOf(rec);
  const whole = message === undefined;
  return {
    type: 'dropped',
    time,
    record: at,
    ...(message !== undefined && { message }),
    ...(id !== undefined && { id }),
    role,
    tokens: Math.ceil(tokens),
    sha256: sha256(bytes),
    reason,
    ...(whole &&
      (typeof bytes === 'string' ? { source: bytes } : { source_base64: Buffer.from(bytes).toString('base64') })),
  };
}

/** A record as it is written. */
export const bytesOf = ({ source, value }: Rec): string | Uint8Array =>
  source ?? (value === undefined ? '' : `${JSON.stringify(value)}\n`);

function append(path: string, entries: readonly JsonObject[]): void {
  try {
    const fd = openSync(path, 'a', 0o600);
    try {
      writeSync(fd, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    chmodSync(path, 0o600);
  } catch (error) {
    throw new Failure(EXIT.io, `cannot write the ledger: ${(error as Error).message}`, { place: path });
  }
}

/** One run of a ledger, as it can be undone. */
export interface Run {
  /** The lost lines by their places in what was read. */
  readonly lost: ReadonlyMap<number, Uint8Array>;
  readonly output: { readonly records: number; readonly sha256: string; readonly made: ReadonlySet<number> };
  /** `sha256` is missing in ledgers of older versions. */
  readonly input: { readonly records: number; readonly sha256: string | undefined };
  /** Where its end stands in the ledger. */
  readonly place: string;
}

/** The runs of a ledger, oldest first. Throws a Failure: 74 where it cannot be read or was changed, 65 where it is none. */
export function readLedger(path: string): Run[] {
  const runs: Run[] = [];
  let dropped: JsonObject[] = [];
  for (const [i, line] of linesOf(path).entries()) {
    const place = `${path}:${i + 1}`;
    const entry = parse(line, place);
    if (entry.type === 'dropped') {
      const bytes = lineIn(entry);
      if (bytes && sha256(bytes) !== entry.sha256) throw damaged(place);
      dropped.push(entry);
    } else if (entry.type === 'condensed') {
      runs.push(runOf(entry, dropped, place));
      dropped = [];
    }
  }
  return runs;
}

/** What a run noted is not what stands in its ledger. */
export const damaged = (place: string): Failure =>
  new Failure(EXIT.io, 'cannot restore: the ledger was changed after it was written', { place });

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').filter(Boolean);
  } catch (error) {
    throw new Failure(EXIT.io, `cannot read the ledger: ${(error as Error).message}`, { place: path });
  }
}

function parse(line: string, place: string): JsonObject {
  try {
    const entry: unknown = JSON.parse(line);
    if (isObject(entry)) return entry;
  } catch {
    // Said below.
  }
  throw new Failure(EXIT.badInput, 'cannot read the ledger: the line is not a ledger entry', { place });
}

function lineIn({ source, source_base64: base64 }: JsonObject): Uint8Array | undefined {
  if (typeof source === 'string') return Buffer.from(source);
  return typeof base64 === 'string' ? Buffer.from(base64, 'base64') : undefined;
}

/** Its own are the last entries before its end: those before them are of a run that was killed. */
function runOf({ entries, input, output }: JsonObject, dropped: readonly JsonObject[], place: string): Run {
  const count = typeof entries === 'number' ? entries : dropped.length;
  if (count > dropped.length) throw damaged(place);
  const own = dropped.slice(dropped.length - count);
  const lost = new Map<number, Uint8Array>();
  for (const entry of own) {
    const bytes = lineIn(entry);
    if (bytes) lost.set(Number(entry.record), bytes);
  }
  const { records, sha256: hash, made } = isObject(output) ? output : {};
  const read = isObject(input) ? input : {};
  return {
    lost,
    place,
    input: { records: Number(read.records), sha256: typeof read.sha256 === 'string' ? read.sha256 : undefined },
    output: {
      records: Number(records),
      sha256: String(hash),
      made: new Set(Array.isArray(made) ? made.map(Number) : []),
    },
  };
}
