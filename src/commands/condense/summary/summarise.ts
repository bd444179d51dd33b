// Summaries of what goes, by a command, checked before they are used.

import { writeUsage } from '../../../lib/conversation/meta.ts';
import type { Message } from '../../../lib/conversation/types.ts';
import { type Conversation, messageOf } from '../../../lib/conversion/gather.ts';
import { isObject, type Json, type JsonObject } from '../../../lib/json/values.ts';
import type { Counter } from '../../../lib/tokens/count.ts';
import { sha256 } from '../placeholder.ts';
import { ask, type Command } from './ask.ts';
import { objection, summaryOf } from './gate.ts';
import { asked, instructions } from './prompt.ts';
import { Store, type Stored } from './store.ts';
import { transcribe } from './transcribe.ts';

/** Less than this is not worth a question. Characters. */
const LITTLE = 400;
/** Tokens below which there is no room for a summary. */
const NO_ROOM = 100;
/** What the summary of one piece of the record needs, and how many pieces there are at most. Tokens. */
const EACH = 600;
const MOST = 6;
/** How full of quotes a summary may be. */
const FULL = 0.8;
/** Words for each token, with room to spare: models count badly. */
const WORDS = 0.5;

export interface Asking {
  readonly command: Command;
  /** It is our own that quotes the record: it writes no headings, and is told how long it may be. */
  readonly extractive: boolean;
  /** The user's own prompt. */
  readonly own: string | undefined;
  /** What a hook wants kept. */
  readonly advice?: string;
  /** The live conversation as lines, to ask behind it: the provider has it in its cache. */
  readonly live?: readonly string[];
  readonly note: (text: string) => void;
}

/** The asking for one conversation. Behind calls that wait for their results nothing can be asked. */
export function asking({ suffix, ...rest }: Asking & { readonly suffix: boolean }, conversation: Conversation): Asking {
  const last = conversation.items.map(messageOf).findLast((message) => message !== undefined);
  if (!suffix || last?.parts.some(({ type }) => type === 'tool_call')) return rest;
  const { head, items } = conversation;
  const live = [...(head ? [head] : []), ...items].filter(({ rec, hidden }) => rec.value !== undefined && !hidden);
  return { ...rest, live: live.map(({ rec }) => JSON.stringify(rec.value)) };
}

/** What goes, and the room for what is said of it. */
interface Gone {
  readonly messages: readonly Message[];
  readonly room: number;
  readonly counter: Counter;
  /** The same will be asked again with the next request. */
  readonly again: boolean;
}

export class Summariser {
  readonly #asking: Asking;
  readonly #store: Store;
  #off = false;

  constructor(asking: Asking) {
    this.#asking = asking;
    this.#store = new Store(asking.command.env);
  }

  /** The summary; without a text, or undefined, the digest speaks alone: `meta` says what was paid all the same. After one failure the command is not asked again. */
  summarise({ messages, room, counter, again }: Gone): Stored | undefined {
    const chunks = transcribe(messages, Math.min(MOST, Math.max(1, Math.floor(room / EACH))));
    const { live } = this.#asking;
    if (this.#off || chunks.join('').length < LITTLE) return undefined;
    if (room < NO_ROOM) {
      this.#off = true;
      this.#asking.note(
        `no summary was requested: the budget has room for only ${Math.max(0, Math.floor(room))} tokens of it`,
      );
      return undefined;
    }
    const parts = live ? [chunks.join('\n')] : chunks;
    const written: Stored[] = [];
    for (const [i, record] of parts.entries()) {
      const share = room / parts.length;
      const one = this.#part({ record, part: i + 1, parts: parts.length, room: share, counter, again });
      written.push(one);
      if (one.text === '') break;
    }
    const whole = written.every(({ text }) => text !== '');
    const paid = written.map(({ meta }) => meta).filter((meta) => Object.keys(meta).length > 0);
    const text = whole ? written.map((one) => one.text).join('\n\n') : '';
    return { text, meta: paid.length > 0 ? added(paid) : {} };
  }

  /** Without a text if it may not be used. */
  #part(one: Part): Stored {
    const { command, own, extractive } = this.#asking;
    const input = this.#input(one);
    const key = sha256(JSON.stringify([command.line, input]));
    const known = one.again ? this.#store.get(key) : undefined;
    if (known) return known;
    const answer = ask(command, input);
    const message = 'message' in answer ? answer.message : undefined;
    const why = 'failed' in answer ? answer.failed : objection(message, { ...one, own, extractive });
    if (why !== undefined || message === undefined) {
      this.#off = true;
      this.#asking.note(`the summary was not used: ${why}; the digest is used instead`);
      return { text: '', meta: message?.usage || message?.meta?.cost !== undefined ? costOf(message) : {} };
    }
    const stored = { text: plain(summaryOf(message)), meta: costOf(message) };
    if (one.again) this.#store.set(key, stored);
    return stored;
  }

  #input({ record, part, parts, room }: Part): string {
    const { own, live, advice, extractive } = this.#asking;
    const words = Math.max(60, Math.floor(room * WORDS));
    const system = [instructions(words, own), ...(advice === undefined ? [] : [advice])].join('\n\n');
    const lines = live
      ? [...live, line('user', `${system}\n\nSum up the conversation above, all of it. Write the summary now.`)]
      : [line('system', system), line('user', asked(record, part, parts))];
    const head = extractive ? [JSON.stringify({ model: 'extract', max_tokens: Math.floor(room * FULL) })] : [];
    return [...head, ...lines].map((text) => (text.endsWith('\n') ? text : `${text}\n`)).join('');
  }
}

interface Part {
  readonly record: string;
  readonly part: number;
  readonly parts: number;
  readonly room: number;
  readonly counter: Counter;
  readonly again: boolean;
}

const line = (role: string, content: string): string => JSON.stringify({ role, content });

/** Its headings go one level down: those of the digest stand above them. */
const plain = (text: string): string => text.replaceAll('\r', '').replace(/^#{1,2}\s+/gm, '### ');

function costOf({ by, usage, meta }: Message): JsonObject {
  return {
    ...(by?.provider !== undefined && { provider: by.provider }),
    ...(by?.model !== undefined && { model: by.model }),
    ...(usage && { usage: writeUsage(usage) }),
    ...costIn(meta?.cost),
  };
}

/** `{usd}`, as ai-complete notes it; some programs note the number alone. */
function costIn(cost: Json | undefined): JsonObject {
  if (isObject(cost)) return { cost };
  return typeof cost === 'number' ? { cost: { usd: cost } } : {};
}

const usdOf = ({ cost }: JsonObject): number | undefined =>
  isObject(cost) && typeof cost.usd === 'number' ? cost.usd : undefined;

/** Tokens and cost of several requests. What they cost together is known if each cost is. */
function added(all: readonly JsonObject[]): JsonObject {
  if (all.length === 1) return all[0] as JsonObject;
  const costs = all.map(usdOf).filter((usd) => usd !== undefined);
  const { cost: _, ...first } = all[0] as JsonObject;
  const usage = new Map<string, number>();
  for (const meta of all)
    for (const [name, count] of Object.entries((meta.usage ?? {}) as { readonly [name: string]: number }))
      usage.set(name, (usage.get(name) ?? 0) + count);
  return {
    ...first,
    requests: all.length,
    ...(usage.size > 0 && { usage: Object.fromEntries(usage) }),
    ...(costs.length === all.length && { cost: { usd: costs.reduce((sum, usd) => sum + usd, 0) } }),
  };
}
