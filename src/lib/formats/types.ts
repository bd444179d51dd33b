// What a dialect is to the rest of the suite. One object, listed in table.ts.
import type { JsonObject } from '../ir/json.ts';
import type { FormatName, Head, Lose, Message } from '../ir/types.ts';
import type { StreamReader } from './stream.ts';

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

export interface Format {
  readonly name: FormatName;
  readonly summary: string;
  /** The field of a rolled-up line that holds the messages. */
  readonly messagesKey: string;
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
  writeReply(message: Message, lose: Lose): JsonObject;

  /** Reads the events of one streamed reply. */
  openStream(): StreamReader;
}
