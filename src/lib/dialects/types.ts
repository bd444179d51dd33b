// What a dialect is to the rest of the suite: an API's, a session log, or text for people. One object each, listed in table.ts.

import type { FormatName, Head, Lose, Message } from '../conversation/types.ts';
import type { Rec } from '../json/record.ts';
import type { Json, JsonObject } from '../json/values.ts';
import type { Known, StreamEvent, StreamReader, StreamWriter } from './codec/stream.ts';
import type { Constraints } from './constraints.ts';
import type { Endpoint } from './endpoint.ts';

/** What a record is: a head, one message, a whole conversation on one line, or an API's whole reply. */
export type Kind = 'head' | 'message' | 'conversation' | 'reply';

/** A format's claim to a record. It is `sure` if no other format would spell it so. */
export interface Claim {
  readonly kind: Kind;
  readonly sure: boolean;
}

/** The claims there are. Made once, since every record asks for some. */
const CLAIMS: { readonly [kind in Kind]: readonly [maybe: Claim, sure: Claim] } = {
  head: [
    { kind: 'head', sure: false },
    { kind: 'head', sure: true },
  ],
  message: [
    { kind: 'message', sure: false },
    { kind: 'message', sure: true },
  ],
  conversation: [
    { kind: 'conversation', sure: false },
    { kind: 'conversation', sure: true },
  ],
  reply: [
    { kind: 'reply', sure: false },
    { kind: 'reply', sure: true },
  ],
};

export function claim(kind: Kind, sure: boolean): Claim {
  return CLAIMS[kind][sure ? 1 : 0];
}

/** A request: the head, and the messages that the format keeps in it (a system prompt, say), then the others. */
export interface Request {
  readonly head: Head;
  readonly messages: readonly Message[];
}

/** A dialect of records: each stands for itself (a message, a head, a whole request, a reply). */
export interface Format {
  readonly name: FormatName;
  readonly summary: string;
  /** The field of a rolled-up line that holds the messages. */
  readonly messagesKey: string;
  /** The format of which this one is a dialect: what that one is sure of may be this one's as well. */
  readonly dialectOf?: FormatName;
  /** A rolled-up line with all its messages under that field, for formats that may part them. */
  whole?(native: JsonObject): JsonObject;
  /** The messages of a body that spells them without a list; undefined if it is nothing of the kind. */
  readonly listMessages?: (value: Json) => Json[] | undefined;
  /** What `value` is to this format; undefined if it cannot be one of its records. Looks at as little as it can. */
  recognise(value: JsonObject): Claim | undefined;

  /** Reads a body without its messages. What the head keeps of the conversation comes as leading messages. */
  readHead(native: JsonObject): Request;
  /** Writes a head. `system` are the leading system and developer messages; those it cannot keep it hands back. */
  writeHead(head: Head, system: readonly Message[], lose: Lose): { native: JsonObject; rest: readonly Message[] };

  readMessage(native: JsonObject): Message;
  /** Whether `next` shares native messages with the messages before it, which then are written together. */
  joins(group: readonly Message[], next: Message): boolean;
  writeMessages(group: readonly Message[], lose: Lose): JsonObject[];

  readReply(native: JsonObject): Message;
  /** The reply that some records of an assistant are together, for a dialect whose turns are several records. */
  gather?(records: readonly JsonObject[]): Message;
  writeReply(message: Message, lose: Lose): JsonObject;

  /** What the API demands of a request. */
  readonly constraints?: Constraints;
  /** Fields of a whole reply that only say its request once more: they are no part of what was answered. */
  readonly echoes?: ReadonlySet<string>;
  /** Fields of another format's residual that this one writes all the same: they are no loss. */
  readonly takes?: { readonly [from: FormatName]: ReadonlySet<string> };

  /** Where requests go; undefined for a dialect that no server speaks. */
  readonly endpoint?: Endpoint;
  /** How its server frames the events of a stream: a JSON object a line, or AWS's binary frames. Server-sent events without it. */
  readonly framing?: 'lines' | 'aws';
  /** Whether this is an event of a streamed reply of this API, as its server sends it. Only a few fields are looked at. */
  recogniseEvent?(event: JsonObject): boolean;
  /** Reads the events of one streamed reply. */
  openStream(): StreamReader;
  /** The events that the API would have sent for a reply, `data` and (where the API has one) `event` name each. */
  writeStream?(message: Message, lose: Lose): StreamEvent[];
  /** The same while the reply comes. `known` is what it has said of itself so far. */
  openWriter?(known: Known, lose: Lose): StreamWriter;
}

/** One conversation out of a log or a text. */
export interface Transcript extends Request {
  readonly id?: string;
  readonly title?: string;
  /** The directory that the session worked in. */
  readonly cwd?: string;
  /** The conversation that this one was started from: a sub-agent's. */
  readonly parent?: string;
}

/** What has a name to convert from. */
export interface Named {
  readonly name: FormatName;
}

/** Which conversations of a log are wanted. */
export interface LogOptions {
  /** Sub-agents' threads and other side conversations too. */
  readonly all: boolean;
  /** The record whose branch is wanted: its id, the beginning of one, or FILE:LINE. The live branch without it. */
  readonly select?: string;
}

/** A session log: its lines make a conversation only together (a tree, patches, replies split over lines). */
export interface LogFormat {
  readonly name: FormatName;
  readonly summary: string;
  /** `record`: every record is a log by itself. `files`: one log lies in several files. Without it, one file is one log. */
  readonly unit?: 'record' | 'files';
  /** Breakpoints and citations have their place in its messages. */
  readonly marks?: true;
  /** Whether `value` is a line of such a log, and of no other. */
  recognise(value: JsonObject): boolean;
  /** The conversations of a log, the live one first. `lose` hears what the log told the model beside the messages. */
  read(records: readonly Rec[], options: LogOptions, lose: Lose): Transcript[];
  /** The lines of a log that the agent itself can open. `fresh` gives ids and times. */
  write?(transcript: Transcript, fresh: Fresh, lose: Lose): JsonObject[];
}

/** Where new ids and times come from, so that tests can fix them. */
export interface Fresh {
  /** A random UUID (version 4). */
  uuid(): string;
  /** Milliseconds since 1970. */
  now(): number;
}

/** Text: for people, or for training a model. */
export interface TextFormat {
  readonly name: FormatName;
  readonly summary: string;
  /** The text of a record that holds a whole conversation as such text (`{"text": …}`), and the record without it. */
  unwrap?(value: JsonObject): { readonly text: string; readonly rest: JsonObject } | undefined;
  /** The record that holds a conversation's text. */
  wrap?(text: string): JsonObject;
  read?(text: string): Transcript[];
  write?(lose: Lose): TextWriter;
}

/** Writes conversations piece by piece, so that a long one needs no memory. Every piece ends with a newline, or is empty. */
export interface TextWriter {
  /** What stands before the messages of a conversation. */
  begin(about: Omit<Transcript, 'messages'>): string;
  message(message: Message): string;
  /** What stands behind the messages of a conversation. */
  end(): string;
  /** What stands at the end of all. */
  close(): string;
}

/** A rolled-up line or a request, taken apart: its messages one by one, and the body without them. */
export function apart(native: JsonObject, format: Format): { body: JsonObject; messages: readonly Json[] } {
  const { [format.messagesKey]: value, ...body } = format.whole?.(native) ?? native;
  if (Array.isArray(value)) return { body, messages: value };
  return { body, messages: value === undefined ? [] : (format.listMessages?.(value) ?? []) };
}
