// What a conversation remembers of what was dropped from it: one digest, or several that follow each other and are written once each, so that
// the next condensing finds the earlier ones unchanged in the provider's cache.

import type { Message } from '../../../lib/conversation/types.ts';
import type { JsonObject } from '../../../lib/json/values.ts';
import type { Layout } from '../layout.ts';
import type { Stored } from '../summary/store.ts';
import { Collected } from './collect.ts';
import { type Allowance, SMALLEST, writeDigest } from './digest.ts';
import { eachName } from './names.ts';

/** What goes at one condensing. */
interface Loss {
  /** Entries before it are dropped. */
  readonly from: number;
  /** Entries from there on are whole; between the two they are trimmed. */
  readonly whole: number;
  readonly gone: (at: number) => boolean;
  /** Everything that stays, trimmed or whole. */
  readonly kept: () => Iterable<Message>;
}

/** What tools printed so many entries ago is not looked through for names: ten half-lives of a name. */
const FAR = 4000;

/** Of the room for all digests, what the first takes if others are to follow it, and what a later one takes. */
const FIRST = 0.6;
const LATER = 0.25;
/** Of the room for a digest, what a summary in it may take: more where that is little. */
const SUMMARY = { share: 0.42, little: 300, most: 0.85 };

export class Memory {
  readonly #all = new Collected();
  readonly #segments: { readonly message: Message; readonly tokens: number }[] = [];
  readonly #share: number;
  #covered = 0;

  /** `share` of the room is for the first digest: 1 if no other will follow. */
  constructor(share: 1 | typeof FIRST) {
    this.#share = share;
  }

  static growing(): Memory {
    return new Memory(FIRST);
  }

  get messages(): Message[] {
    return this.#segments.map(({ message }) => message);
  }

  /** Takes up what goes, in at most so much room for all digests together, and returns the tokens that they take now. */
  remember(layout: Layout, loss: Loss, room: Allowance): number {
    const latest = new Collected();
    this.#collect(layout, loss, latest);
    const since = this.#covered;
    this.#covered = Math.max(this.#covered, loss.from);
    const taken = this.#segments.reduce((sum, { tokens }) => sum + tokens, 0);
    const more = Math.min(room.tokens - taken, LATER * room.tokens);
    const appends = this.#segments.length > 0 && more >= Math.max(SMALLEST, LATER * 0.5 * room.tokens);
    if (!appends) this.#segments.length = 0;
    const known = namesOf(loss.kept(), this.messages);
    const allowance = appends
      ? { tokens: more, requests: room.requests * LATER }
      : { tokens: room.tokens * this.#share, requests: room.requests * this.#share };
    const summary = this.#sumUp(layout, loss, since, allowance);
    if (summary?.text) latest.summaries.push(summary.text);
    this.#all.absorb(latest);
    this.#write(layout, appends ? latest : this.#all, allowance, known, summary?.meta);
    return this.#segments.reduce((sum, { tokens }) => sum + tokens, 0);
  }

  #collect(layout: Layout, { from, whole, gone }: Loss, into: Collected): void {
    for (let at = this.#covered; at < whole; at++) {
      const message = gone(at) ? layout.message(at) : undefined;
      if (message) into.add(message, at, at >= from, at < whole - FAR);
    }
    into.end();
  }

  /** What a model says of the entries that are dropped now. */
  #sumUp(layout: Layout, { from, gone }: Loss, since: number, { tokens, requests }: Allowance): Stored | undefined {
    const messages: Message[] = [];
    for (let at = since; at < from; at++) {
      const message = gone(at) ? layout.message(at) : undefined;
      if (message) messages.push(message);
    }
    const free = tokens - requests;
    const room = Math.max(SUMMARY.share * free, Math.min(SUMMARY.little, SUMMARY.most * free));
    const { counter } = layout.sizes;
    return layout.policy.summariser?.summarise({ messages, room, counter, again: this.#share !== 1 });
  }

  #write(layout: Layout, past: Collected, room: Allowance, known: ReadonlySet<string>, summary?: JsonObject): void {
    const { tokens, requests } = room;
    const { counter } = layout.sizes;
    const framing = counter.message({ role: 'user', parts: [] });
    const text = writeDigest(past, { tokens: tokens - framing, requests }, counter, known);
    if (text === undefined) return;
    const message: Message = {
      role: 'user',
      parts: [{ type: 'text', text }],
      meta: { condensed: { digest: true, ...(isPaid(summary) && { summary }) } },
    };
    this.#segments.push({ message, tokens: counter.message(message) });
  }
}

/** A digest without a summary says what was paid for one that was refused. */
const isPaid = (summary: JsonObject | undefined): summary is JsonObject =>
  summary !== undefined && Object.keys(summary).length > 0;

function namesOf(...all: readonly Iterable<Message>[]): Set<string> {
  const names = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value === 'string') eachName(value, (name) => names.add(name));
    else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) visit(item);
  };
  for (const messages of all)
    for (const { parts } of messages)
      for (const part of parts) {
        if (part.type === 'text') visit(part.text);
        else if (part.type === 'tool_call') visit(part.input ?? part.text);
        else if (part.type === 'tool_result')
          for (const inner of part.parts) if (inner.type === 'text') visit(inner.text);
      }
  return names;
}
