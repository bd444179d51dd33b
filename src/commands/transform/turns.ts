// The records of one answer, where a dialect has one for each piece of it: they leave as one reply.
import type { Identity } from '../../lib/dialects/detect.ts';
import type { Format } from '../../lib/dialects/types.ts';
import type { Rec } from '../../lib/json/record.ts';
import { isObject } from '../../lib/json/values.ts';

/** What an assistant said at once. */
export interface Turn {
  readonly format: Format;
  readonly recs: readonly Rec[];
}

/** Takes the records of assistants one by one, and gives the turns that are whole. */
export class Turns {
  #recs: Rec[] = [];
  #format: Format | undefined;

  push(rec: Rec, identity: Identity): Turn[] {
    const before = this.#continues(rec, identity) ? [] : this.end();
    this.#recs.push(rec);
    if (this.#format?.gather === undefined) this.#format = identity.format;
    const grows = !isLast(rec) && (identity.format.gather !== undefined || !identity.sure);
    return grows ? before : [...before, ...this.end()];
  }

  /** Nothing more comes of the turn. */
  end(): Turn[] {
    const [format, recs] = [this.#format, this.#recs];
    this.#format = undefined;
    this.#recs = [];
    return format === undefined ? [] : [{ format, recs }];
  }

  /** What any dialect could have said may be the beginning of a turn of several records. */
  #continues(rec: Rec, { format, sure }: Identity): boolean {
    const [first] = this.#recs;
    if (first === undefined || first.file !== rec.file) return false;
    if (this.#format?.gather) return isMessage(rec, this.#format);
    return sure && format.gather !== undefined && isMessage(first, format);
  }
}

const isMessage = ({ value }: Rec, format: Format): boolean =>
  isObject(value) && format.recognise(value)?.kind === 'message';

/** Whether a record says why its reply ended: the last of a reply does. */
const isLast = ({ value }: Rec): boolean => isObject(value) && isObject(value._meta) && value._meta.stop !== undefined;
