// Finds session logs among the inputs and reads them as conversations. Everything else passes.

import type { Lose } from '../conversation/types.ts';
import { identify } from '../dialects/detect.ts';
import { isAboutData, misshapen } from '../dialects/read-record.ts';
import type { LogFormat, LogOptions, Named, Transcript } from '../dialects/types.ts';
import { badInput, type Failure, placeOf } from '../failure/failure.ts';
import { type Rec, record } from '../json/record.ts';
import { isObject, type Json } from '../json/values.ts';
import { logOf } from './log-table.ts';
import { TEXTS } from './text-table.ts';

/** A conversation that was read from a log or a text. */
export interface ReadConversation {
  readonly transcript: Transcript;
  readonly from: Named;
  readonly place: Rec;
  /** It was one record, and stays one where records are written. */
  readonly rolled?: boolean;
}

/** What the inputs give: a record, a conversation, or a line of a log that is asked for as it is. */
export type Arrival = { readonly rec: Rec } | { readonly kept: Rec } | ReadConversation;

interface SessionOptions extends LogOptions {
  /** The log that the inputs are said to be. */
  readonly from?: LogFormat;
  /** A log in this format need not be read: it leaves as it came. */
  readonly as?: LogFormat;
  /** Whether a record that holds text (`{"text": …}`) is read; it is not where the same text is written. */
  readonly unwrapping: boolean;
  lose(from: Named): Lose;
  /** Reports a log that cannot be read, and returns if the others are to be read all the same. */
  bad(failure: Failure): void;
}

interface Gathered {
  readonly format: LogFormat;
  readonly records: Rec[];
}

/** Records of an unknown kind that may turn out to be the first lines of a log are held back, up to so many. */
const HELD = 16;

/** Tells logs from other streams by their first lines, a file at a time. */
export class Sessions {
  readonly #options: SessionOptions;
  #file: string | undefined;
  #line = 0;
  #held: Rec[] = [];
  /** What the present file is: undefined until one of its records tells. */
  #kind: 'records' | 'log' | 'kept' | undefined;
  #log: Gathered | undefined;
  #found = 0;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** Whether the present file is a log, of which a damaged line is no record to pass on. */
  get inLog(): boolean {
    return this.#kind === 'log';
  }

  /** Whether a record is plainly one of a stream, as most are: there is no more to find out. */
  isPlain({ file, line = 0, value }: Rec): boolean {
    if (this.#kind !== 'records' || file !== this.#file || line <= this.#line) return false;
    if (!isObject(value) || value.role === undefined) return false;
    this.#line = line;
    return true;
  }

  push(rec: Rec): Arrival[] {
    const out = this.#isNextFile(rec) ? this.#endFile() : [];
    this.#file = rec.file;
    this.#line = rec.line ?? 0;
    const list = rec.value;
    if (!Array.isArray(list) || !isKnown(list[0])) return [...out, ...this.#pushOne(rec)];
    return [...out, ...list.flatMap((value) => this.#pushOne(record(value, rec)))];
  }

  #pushOne(rec: Rec): Arrival[] {
    const out: Arrival[] = [];
    const texts = this.#options.unwrapping ? unwrapped(rec) : undefined;
    if (texts) return [...this.#endLog(), ...this.#release(), ...texts];
    if (this.#kind === 'records') out.push({ rec });
    else if (this.#kind === 'kept') out.push({ kept: rec });
    else if (this.#kind === 'log') for (const one of this.#take(rec)) out.push(one);
    else for (const one of this.#decide(rec)) out.push(one);
    return out;
  }

  end(): Arrival[] {
    const out = [...this.#endFile(), ...this.#endLog()];
    const { select } = this.#options;
    if (select !== undefined && this.#found === 0)
      throw badInput(undefined, `cannot select "${select}": no session log has a record with this id`);
    return out;
  }

  #isNextFile({ file, line }: Rec): boolean {
    return this.#file !== undefined && (file !== this.#file || (line ?? 0) <= this.#line);
  }

  #decide(rec: Rec): Arrival[] {
    const { value } = rec;
    const format = isObject(value) ? (this.#options.from ?? logOf(value)) : undefined;
    if (format) return this.#begin(format, rec);
    if (identify(value)) {
      this.#kind = 'records';
      return [...this.#endLog(), ...this.#release(), { rec }];
    }
    const begun = isObject(value) && (typeof value.timestamp === 'string' || typeof value.sessionId === 'string');
    if (!begun && this.#held.length === 0) return this.#log && !isObject(value) ? [] : [{ rec }];
    this.#held.push(rec);
    return this.#held.length > HELD ? this.#release() : [];
  }

  #begin(format: LogFormat, rec: Rec): Arrival[] {
    const { as, all, select } = this.#options;
    if (format === as && !all && select === undefined) {
      this.#kind = 'kept';
      return [...this.#endLog(), ...this.#release(true), { kept: rec }];
    }
    this.#kind = 'log';
    const held = this.#held;
    this.#held = [];
    const out = this.#log?.format === format && format.unit === 'files' ? [] : this.#endLog();
    this.#log ??= { format, records: [] };
    for (const each of [...held, rec]) for (const one of this.#take(each)) out.push(one);
    return out;
  }

  #take({ value, file, line }: Rec): Arrival[] {
    if (this.#log === undefined) return [];
    // The text of the line is not needed any more: a log is read as a whole.
    this.#log.records.push({ value, file, line });
    if (this.#log.format.unit !== 'record') return [];
    const { format } = this.#log;
    const out = this.#endLog();
    this.#log = { format, records: [] };
    return out;
  }

  #release(kept = false): Arrival[] {
    const held = this.#held.map((rec) => (kept ? { kept: rec } : { rec }));
    this.#held = [];
    return held;
  }

  #endFile(): Arrival[] {
    const out = this.#release();
    this.#kind = undefined;
    if (this.#log?.format.unit !== 'files') for (const one of this.#endLog()) out.push(one);
    return out;
  }

  #endLog(): Arrival[] {
    const log = this.#log;
    this.#log = undefined;
    const place = log?.records[0];
    if (log === undefined || place === undefined) return [];
    try {
      const read = log.format.read(log.records, this.#options, this.#options.lose(log.format));
      this.#found += read.length;
      // A session that was opened and closed again is no conversation.
      const spoken = read.filter(({ messages }) => messages.length > 0);
      return spoken.map((transcript) => ({
        transcript,
        from: log.format,
        place: { value: undefined, file: place.file, line: place.line },
        rolled: log.format.unit === 'record',
      }));
    } catch (error) {
      const failure = misshapen(error, place);
      if (!isAboutData(failure)) throw failure;
      this.#options.bad(failure);
      return [];
    }
  }
}

/** The conversations of a record that holds them as text; what else the record holds goes into their heads. */
function unwrapped({ value, file, line }: Rec): Arrival[] | undefined {
  if (!isObject(value) || typeof value.text !== 'string' || value.role !== undefined) return undefined;
  for (const from of TEXTS) {
    const found = from.unwrap?.(value);
    if (found === undefined || from.read === undefined) continue;
    const extra = Object.keys(found.rest).length > 0 ? { extra: found.rest } : {};
    const place = { value: undefined, file, line };
    return from.read(found.text).map(({ head, ...transcript }) => ({
      transcript: { ...transcript, head: { ...head, ...extra } },
      from,
      place,
      rolled: true,
    }));
  }
  return undefined;
}

/** Whether a value is a record of any kind. Messages or conversations may come as the elements of one array. */
function isKnown(value: Json | undefined): boolean {
  return isObject(value) && (identify(value) !== undefined || logOf(value) !== undefined);
}

/** Whether a bad line is the last of its file and was cut off: the log was being written. */
export function isCutOff({ source }: Rec): boolean {
  return typeof source === 'string' && !source.endsWith('\n');
}

/** What is said of a line that was cut off. */
export function cutOff(rec: Rec): string {
  return `${placeOf(rec)}: skipped the last line of the log: it is truncated`;
}
