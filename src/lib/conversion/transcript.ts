// Conversations that were read as a whole, and streams read into them.
import { isHidden } from '../conversation/hidden.ts';
import type { FormatName, Head, Message } from '../conversation/types.ts';
import { Calls } from '../dialects/codec/call-ids.ts';
import { Detector, type Identity } from '../dialects/detect.ts';
import { misshapen, readAs, readHeadAs } from '../dialects/read-record.ts';
import { apart, type Format, type Named, type Transcript } from '../dialects/types.ts';
import { type Rec, record } from '../json/record.ts';
import { isObject, type Json, type JsonObject } from '../json/values.ts';

type About = Pick<Transcript, 'id' | 'title' | 'cwd' | 'parent'>;

/** The head of a transcript. What is known of the session goes under its `_meta`. */
export function headWith({ head, id, title, cwd, parent }: Transcript): Head {
  const about = present({ id, title, cwd, parent });
  return about === undefined ? head : { ...head, meta: { ...head.meta, ...about } };
}

/** What the `_meta` of a head says of the session. */
function aboutOf({ meta }: Head): About {
  return {
    id: textOf(meta?.id),
    title: textOf(meta?.title),
    cwd: textOf(meta?.cwd),
    parent: textOf(meta?.parent),
  };
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The fields that have a value, or undefined if none has. */
function present(fields: { readonly [field: string]: Json | undefined }): JsonObject | undefined {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

/** What a stream says next. An end is said only where a conversation is known to be whole. */
export type Said =
  | { readonly type: 'end' }
  | { readonly type: 'begin'; readonly about: Omit<Transcript, 'messages'>; readonly from: Named; readonly rec: Rec }
  | { readonly type: 'message'; readonly message: Message; readonly from: Named; readonly rec: Rec };

/** Records that stand between messages while a conversation goes on: what becomes of calls, and pieces of a reply that follows whole. */
const OURS: ReadonlySet<unknown> = new Set(['call', 'started', 'result', 'delta']);

/** Reads the records of a stream for writers that need the view. Records that are no part of a conversation say nothing; `stranger` learns of them, but for those of ours. */
export class Listener {
  readonly #detector: Detector;
  readonly #stranger: (rec: Rec) => void;
  #calls = new Calls();

  constructor(from?: FormatName, stranger: (rec: Rec) => void = () => {}) {
    this.#detector = new Detector(from);
    this.#stranger = stranger;
  }

  /** The dialect of the next record, where that alone may not tell it. */
  speaks(dialect: FormatName): void {
    this.#detector.current = dialect;
  }

  /** A log or a text has no place for the mark of a hidden record, and would say it to the model: it is a stranger. */
  push(rec: Rec): Said[] {
    if (isHidden(rec.value)) {
      this.#stranger(rec);
      return [];
    }
    const identity = this.#detector.identify(rec.value);
    if (identity === undefined) {
      if (!isObject(rec.value) || !OURS.has(rec.value.type)) this.#stranger(rec);
      return [];
    }
    try {
      return this.#hear(rec, identity);
    } catch (error) {
      throw misshapen(error, rec);
    }
  }

  #hear(rec: Rec, { format, kind }: Identity): Said[] {
    const native = rec.value as JsonObject;
    if (kind === 'message') return [heard(this.#calls.follow(format.readMessage(native), format.name), format, rec)];
    if (kind === 'reply')
      return [heard(this.#calls.followReply(readAs(native, { format, kind }), format.name), format, rec)];
    this.#calls = new Calls();
    if (kind === 'head') return this.#begin(native, format, rec);
    const { body, messages } = apart(native, format);
    const inner = new Listener(format.name, this.#stranger);
    return [...this.#begin(body, format, rec), ...messages.flatMap((value) => inner.push(record(value, rec))), END];
  }

  #begin(native: JsonObject, format: Format, rec: Rec): Said[] {
    const { head, messages } = readHeadAs(native, format);
    const begin: Said = { type: 'begin', about: { head, ...aboutOf(head) }, from: format, rec };
    return [begin, ...messages.map((message) => heard(message, format, rec))];
  }
}

const END: Said = { type: 'end' };

function heard(message: Message, from: Named, rec: Rec): Said {
  return { type: 'message', message, from, rec };
}

/** The transcript as the stream would have said it. */
export function said(transcript: Transcript, from: Named, rec: Rec): Said[] {
  const { messages, ...about } = transcript;
  return [{ type: 'begin', about, from, rec }, ...messages.map((message) => heard(message, from, rec)), END];
}
