// Follows a stream: its dialect, its conversations, and which of its records need a closer look.

import { type Delta, isDelta } from '../../lib/conversation/delta.ts';
import { isHidden } from '../../lib/conversation/hidden.ts';
import { type Identity, identify } from '../../lib/dialects/detect.ts';
import type { Format } from '../../lib/dialects/types.ts';
import { lineMayHoldCall, mayHoldCall } from '../../lib/grammars/may-hold.ts';
import { type Rec, record } from '../../lib/json/record.ts';
import { isObject, type Json, type JsonObject } from '../../lib/json/values.ts';
import { type ConversationRecovery, openRecovery, type Settings } from './recovery.late.ts';

/** What users and tools said is looked through when it is more than this many characters; until then only if a call is met. */
const KEPT = 4_000_000;

/** A record as it came. */
class Line {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A line was parsed before, so it can be; but for a mark at the beginning of the file. */
function parsed(heard: Json | Line): Json {
  return heard instanceof Line ? JSON.parse(heard.text.replace(/^\ufeff/, '')) : heard;
}

/** One conversation, as far as it was read. */
class Known {
  /** The request's body without its messages. */
  readonly head?: { readonly native: JsonObject; readonly format: Format };
  /** What users and tools said, not yet looked through. */
  heard: (Json | Line)[] = [];
  size = 0;
  /** Counts messages; the ids of recovered calls depend on it. */
  messages = 0;
  readonly ids = new Set<string>();
  recovery: ConversationRecovery | undefined;

  constructor(head?: Known['head']) {
    this.head = head;
  }
}

export class Follower {
  readonly #settings: Settings;
  #current: string | undefined;
  #known = new Known();
  /** The record of the delta that came last. */
  #streaming: Rec | undefined;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** The record or records that take the place of this one. */
  take(rec: Rec): Rec | readonly Rec[] {
    if (isDelta(rec.value)) return this.#takeDelta(rec, rec.value as unknown as Delta);
    if (this.#streaming === undefined) return this.#takeRecord(rec);
    return [...this.end(), this.#takeRecord(rec)];
  }

  /** What the deltas so far held back. */
  end(): readonly Rec[] {
    const rec = this.#streaming;
    this.#streaming = undefined;
    if (rec === undefined) return [];
    return (this.#known.recovery?.endDeltas() ?? []).map((delta) => record(delta as unknown as Json, rec));
  }

  #takeDelta(rec: Rec, delta: Delta): readonly Rec[] {
    this.#streaming = rec;
    const after = this.#recovery().takeDelta(delta);
    return after.length === 1 && after[0] === delta ? [rec] : after.map((one) => record(one as unknown as Json, rec));
  }

  #takeRecord(rec: Rec): Rec {
    const identity = identify(rec.value, this.#current);
    if (identity === undefined || isHidden(rec.value)) return rec;
    if (identity.sure) this.#current = identity.format.name;
    const native = rec.value as JsonObject;
    if (identity.kind === 'head') {
      this.#known = new Known({ native, format: identity.format });
      return rec;
    }
    if (identity.kind === 'conversation') return this.#takeRolled(rec, identity, native);
    const after = this.#takeMessage(native, identity, rec);
    return after === native ? rec : record(after, rec);
  }

  #takeRolled(rec: Rec, { format }: Identity, native: JsonObject): Rec {
    const { [format.messagesKey]: messages, ...body } = native;
    const before = this.#known;
    this.#known = new Known({ native: body, format });
    const list: Json[] = Array.isArray(messages) ? messages : [];
    const after = list.map((item) => {
      const identity = identify(item, format.name);
      return identity && isObject(item) && !isHidden(item) ? this.#takeMessage(item, identity, rec) : item;
    });
    this.#known = before;
    return after.every((item, i) => item === list[i]) ? rec : record({ ...native, [format.messagesKey]: after }, rec);
  }

  /** The message with its calls made real, or the same object. */
  #takeMessage(native: JsonObject, { format, kind }: Identity, rec: Rec): JsonObject {
    const known = this.#known;
    known.messages += 1;
    if (kind !== 'reply' && isHeard(native)) {
      this.#hear(native, rec);
      return native;
    }
    collectIds(native, known.ids);
    if (!mayHold(native) || this.#isDone(native)) return native;
    return this.#recovery().recover(native, format, kind, rec);
  }

  /** Keeps what a user or a tool said, if it can hold a call: as the line it came in, which is parsed again only if a call is met. */
  #hear(native: JsonObject, { source, value }: Rec): void {
    const known = this.#known;
    const line = value === native && typeof source === 'string' ? source : undefined;
    if (line !== undefined && !lineMayHoldCall(line)) return;
    known.heard.push(line === undefined ? native : new Line(line));
    known.size += line?.length ?? 0;
    if (known.size > KEPT) this.#recovery();
  }

  /** Whether the message was recovered before. */
  #isDone({ _meta }: JsonObject): boolean {
    const recovered = isObject(_meta) && Array.isArray(_meta.recovered) ? _meta.recovered : undefined;
    if (recovered === undefined) return false;
    return !this.#settings.salvage || !recovered.some((entry) => isObject(entry) && entry.left !== undefined);
  }

  #recovery(): ConversationRecovery {
    const known = this.#known;
    known.recovery ??= openRecovery(this.#settings, known.head, known);
    if (known.heard.length > 0) known.recovery.hear(known.heard.map(parsed), known.size > KEPT);
    known.heard = [];
    known.size = 0;
    return known.recovery;
  }
}

/** A message of somebody else than the model. */
function isHeard({ role, type }: JsonObject): boolean {
  if (typeof role === 'string') return role !== 'assistant' && role !== 'model' && role !== 'gpt';
  return type === 'function_call_output';
}

/** Fields that hold no text of the model: arguments of calls, data, and what we wrote. */
const OTHER = new Set([
  'tool_calls',
  'toolCalls',
  'function_call',
  'functionCall',
  'arguments',
  'input',
  'signature',
  'thoughtSignature',
  'thought_signature',
  'encrypted_content',
  'data',
  'usage',
  '_meta',
]);

/** Whether any text of a message can hold a call. */
function mayHold(value: Json | undefined): boolean {
  if (typeof value === 'string') return value.length > 3 && mayHoldCall(value);
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(mayHold);
  for (const key in value) if (!OTHER.has(key) && mayHold(value[key])) return true;
  return false;
}

/** The ids of the calls that a message has already. */
function collectIds({ tool_calls, content, call_id }: JsonObject, ids: Set<string>): void {
  if (typeof call_id === 'string') ids.add(call_id);
  for (const list of [tool_calls, content])
    if (Array.isArray(list))
      for (const item of list) if (isObject(item) && typeof item.id === 'string') ids.add(item.id);
}
