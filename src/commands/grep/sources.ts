// Where messages come from: the inputs, and the files below directories.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from '../../lib/cli/filter.ts';
import { isOurs } from '../../lib/conversation/own-records.ts';
import type { FormatName, Message } from '../../lib/conversation/types.ts';
import { type Identity, identify } from '../../lib/dialects/detect.ts';
import { isAboutData, misshapen, readHeadAt, readMessageAt } from '../../lib/dialects/read-record.ts';
import { EXIT, Failure, placeOf } from '../../lib/failure/failure.ts';
import type { Rec } from '../../lib/json/record.ts';
import { isObject, type JsonObject } from '../../lib/json/values.ts';
import { type Input, readRecords } from '../../lib/jsonl/read.ts';
import { type Arrival, isCutOff, type ReadConversation, Sessions } from '../../lib/transcripts/find-logs.ts';
import { Recognition } from '../../lib/transcripts/recognition.ts';

/** A message in its place. */
export interface Said {
  readonly message: Message;
  /** The record that it stands in. */
  readonly rec: Rec;
  /** Which of the conversation's messages it is, from 0. */
  readonly index: number;
  /** It is a record of no known kind, and `message` is empty. */
  readonly other?: true;
  /** The session of a log. Its messages have no line of their own. */
  readonly session?: { readonly id?: string; readonly cwd?: string };
}

/** An input, and whether it was named itself: below directories there are other files too. */
export interface Source {
  readonly input: Input;
  readonly named: boolean;
}

/** The inputs, with those that are directories replaced by the files of records below them. */
export function* inputsBelow(inputs: readonly Input[], open: (path: string) => Input): Generator<Source> {
  for (const input of inputs) {
    if (input.name === '-' || !isDirectory(input.name)) yield { input, named: true };
    else for (const path of filesBelow(input.name)) yield { input: open(path), named: false };
  }
}

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Files of JSON and JSON lines, in the order of their names. Links to directories are not followed, so that there is no circle. */
function* filesBelow(directory: string): Generator<string> {
  for (const entry of readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(directory, entry.name);
    if (entry.isDirectory() && entry.name !== '.git' && entry.name !== 'node_modules') yield* filesBelow(path);
    else if (!entry.isDirectory() && /\.(jsonl|ndjson|json)$/.test(entry.name)) yield path;
  }
}

/** Reads one input after the other. What cannot be read is said, and the rest is searched all the same. */
export class Reader {
  readonly #context: Context;
  #recognition = new Recognition({ program: 'ai-grep', reads: true });
  /** The status that what went wrong asks for. */
  status: number = EXIT.ok;

  constructor(context: Context) {
    this.#context = context;
  }

  /** The messages of an input; of a session log those of every branch and sub-agent, each once. */
  *messages(input: Input): Generator<Said> {
    this.#recognition = new Recognition({ program: 'ai-grep', reads: true });
    let any = false;
    for (const said of this.#read(input)) {
      any = true;
      yield said;
    }
    // A piece of a log that lies in several files is no conversation by itself.
    if (!any && input.name !== '-') yield* this.#plainly(input);
  }

  /** Says that the input was no conversation, if so: that nothing was found in it means nothing. */
  sayUnknown(): void {
    for (const failure of this.#recognition.failures()) this.#say(failure);
  }

  /** What is found in a message; nothing where a value has the wrong type, which is said. */
  guarded({ rec }: Said, find: () => readonly Rec[]): readonly Rec[] {
    try {
      return find();
    } catch (raised) {
      const error = misshapen(raised, rec);
      if (!isAboutData(error)) throw error;
      this.#say(error);
      return [];
    }
  }

  *#plainly(input: Input): Generator<Said> {
    const thread = new Thread();
    try {
      for (const rec of readRecords([input], () => {})) yield* thread.push(rec);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
  }

  *#read(input: Input): Generator<Said> {
    const thread = new Thread();
    const log = new Log();
    const bad = (failure: Failure) => this.#say(failure);
    const sessions = new Sessions({ all: true, unwrapping: true, lose: () => () => {}, bad });
    try {
      // A line without an end at the end of a file is being written.
      for (const rec of this.#recognition.all(readRecords([input], (failure, line) => isCutOff(line) || bad(failure))))
        if (sessions.isPlain(rec)) yield* this.#said(thread, rec);
        else for (const arrival of sessions.push(rec)) yield* this.#arrived(arrival, thread, log);
      for (const arrival of sessions.end()) yield* this.#arrived(arrival, thread, log);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.#say(error);
    }
  }

  *#arrived(arrival: Arrival, thread: Thread, log: Log): Generator<Said> {
    if ('transcript' in arrival) {
      this.#recognition.found(arrival.place);
      yield* log.messages(arrival);
    } else if ('rec' in arrival) {
      this.#recognition.met(arrival.rec);
      yield* this.#said(thread, arrival.rec);
    }
  }

  *#said(thread: Thread, rec: Rec): Generator<Said> {
    try {
      yield* thread.push(rec);
    } catch (error) {
      if (!isAboutData(error)) throw error;
      this.#say(error);
    }
  }

  #say(failure: Failure): void {
    this.#context.note(`${failure.place ? `${failure.place}: ` : ''}${failure.message}`);
    this.status = failure.status;
  }
}

/** The conversations of a log: branches begin with what they share. */
class Log {
  readonly #seen = new Set<string>();

  *messages({ transcript, place }: ReadConversation): Generator<Said> {
    const { id, cwd } = transcript;
    const session = { ...(id !== undefined && { id }), ...(cwd !== undefined && { cwd }) };
    const rec = { value: undefined, file: place.file };
    for (const [index, message] of transcript.messages.entries()) {
      const key = JSON.stringify(message);
      if (this.#seen.has(key)) continue;
      this.#seen.add(key);
      yield { message, rec, index, session };
    }
  }
}

const NOTHING: Message = { role: 'user', parts: [] };

/** Follows one stream of records: its dialect, and the place of each message. */
class Thread {
  #current: FormatName | undefined;
  #index = 0;

  *push(rec: Rec): Generator<Said> {
    const identity = identify(rec.value, this.#current);
    if (identity === undefined) {
      // Records of the suite's own repeat what messages say, or say nothing.
      if (isObject(rec.value) && !isOurs(rec.value)) yield { ...this.#next(NOTHING, rec), other: true };
      return;
    }
    if (identity.kind === 'head' || identity.kind === 'conversation') {
      this.#index = 0;
      this.#current = undefined;
    }
    if (identity.sure) this.#current ??= identity.format.name;
    if (identity.kind === 'conversation') yield* this.#unrolled(rec, identity);
    else if (identity.kind === 'head')
      for (const message of readHeadAt(rec, identity).messages) yield this.#next(message, rec);
    else yield this.#next(readMessageAt(rec, identity), rec);
  }

  *#unrolled(rec: Rec, identity: Identity): Generator<Said> {
    const { format } = identity;
    const { [format.messagesKey]: messages, ...head } = rec.value as JsonObject;
    const inner = (value: JsonObject): Rec => ({ value, file: rec.file, line: rec.line });
    for (const message of readHeadAt(inner(head), { ...identity, kind: 'head' }).messages)
      yield this.#next(message, rec);
    for (const value of Array.isArray(messages) ? messages : []) {
      const own = identify(value, format.name);
      if (own && isObject(value)) yield this.#next(readMessageAt(inner(value), own), rec);
    }
    this.#current = undefined;
  }

  #next(message: Message, rec: Rec): Said {
    return { message, rec, index: this.#index++ };
  }
}

/** `file:line` of a message; of one from a pipe, the line alone. Messages of a log are numbered, from 1: `file#number`. */
export function placeIn({ rec, index, session }: Said): string {
  if (session !== undefined) return `${rec.file === '-' ? '' : (rec.file ?? '')}#${index + 1}`;
  return rec.file === '-' ? String(rec.line) : (placeOf(rec) ?? '');
}
