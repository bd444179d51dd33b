// What an earlier conversion changed for the sake of an API, taken back.

import { HAS } from '../conversation/message-traits.ts';
import type { FormatName, Head, Part, ToolResultPart } from '../conversation/types.ts';
import { asSystem } from '../dialects/codec/marked-system.ts';
import { type RenamedMap, renamedIn, withRenamed } from '../dialects/codec/renamed-ids.ts';
import { headRenamed, messageRenamed } from '../dialects/codec/tool-names.ts';
import { hasOrder, inOrder } from '../dialects/codec/turn-order.ts';
import { isObject, type JsonObject } from '../json/values.ts';
import { type Adapt, type Adaptation, gone, inTurn, type Read } from './adaptation.ts';

/** What was put in goes out again, and a marked system message is one. */
export const ARRIVED: Adaptation = {
  head: (head) => head,
  appliesTo: HAS.meta,
  read: (read) => {
    const { message } = read;
    if (!isObject(message.meta)) return read;
    if (message.meta.filler === true) return gone(read);
    if (hasOrder(message.meta)) return { ...read, message: inOrder(message) };
    const messages = asSystem(message);
    return messages[0] === message ? read : messages.map((one) => ({ ...read, message: one }));
  },
};

/** The records of one unit on their way back to where they came from: `_meta.renamed` in any of them says what was renamed there. */
export const homeward =
  (values: readonly JsonObject[]): Adapt =>
  (to) =>
    inTurn([ARRIVED, new Undone(to, values)]);

class Undone implements Adaptation {
  readonly #to: FormatName;
  readonly #ids = new Map<string, string>();
  readonly #names = new Map<string, string>();

  constructor(to: FormatName, values: readonly JsonObject[]) {
    this.#to = to;
    for (const { _meta: meta } of values) {
      if (!isObject(meta) || meta.renamed === undefined) continue;
      this.#learn(renamedIn(meta, 'ids'), this.#ids);
      this.#learn(renamedIn(meta, 'names'), this.#names);
    }
  }

  #learn({ of, old }: RenamedMap, into: Map<string, string>): void {
    if (of === this.#to) for (const [now, before] of old) into.set(now, before);
  }

  head(head: Head): Head {
    if (this.#names.size === 0) return head;
    return { ...headRenamed(head, (name) => this.#names.get(name) ?? name), meta: this.#rest(head.meta) };
  }

  read(read: Read): Read {
    if (this.#ids.size === 0 && this.#names.size === 0) return read;
    const named = messageRenamed(read.message, (name) => this.#names.get(name) ?? name);
    const parts = named.parts.map((part) => this.#identified(part));
    return { ...read, message: { ...named, parts, meta: this.#rest(named.meta) } };
  }

  #identified(part: Part): Part {
    const id = part.type === 'tool_call' ? part.id : part.type === 'tool_result' ? part.callId : '';
    const old = this.#ids.get(id);
    if (old === undefined) return part;
    return part.type === 'tool_call' ? { ...part, id: old } : { ...(part as ToolResultPart), callId: old };
  }

  #rest(meta: JsonObject | undefined): JsonObject | undefined {
    if (renamedIn(meta, 'ids').of !== this.#to) return meta;
    return withRenamed(withRenamed(meta, 'ids', undefined, NONE), 'names', undefined, NONE);
  }
}

const NONE: ReadonlyMap<string, string> = new Map();
