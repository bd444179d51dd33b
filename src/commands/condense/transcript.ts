// A conversation as the condenser sees it: entries in their places, and the steps that they make. A step is what goes or stays together.
import { type Conversation, type Item, messageOf } from '../../lib/formats/conversation.ts';
import { isHidden } from '../../lib/ir/meta.ts';
import type { Message, Part, ToolCallPart, ToolResultPart } from '../../lib/ir/types.ts';
import { isDigest } from './digest/text.ts';

/**
 * `system` stays, `ask` is what the user says, `work` is what the assistant does with the results of its calls, `past` is a digest of an earlier
 * run, `kept` is not to be touched.
 */
export type StepKind = 'system' | 'ask' | 'work' | 'past' | 'kept';

export interface Step {
  readonly kind: StepKind;
  /** Its entries: `[from, to)`. Records that are no messages may stand between them. */
  readonly from: number;
  readonly to: number;
  /** The user speaks in it, alone or beside results. */
  readonly asks: boolean;
  /** Ends the conversation with calls that are still to be answered. */
  readonly open: boolean;
  /** Counts what the user said so far: steps of one turn share it. */
  readonly turn: number;
}

export interface Entry {
  readonly item: Item;
  /** What is sent. undefined: the record is no part of the conversation, or is hidden from the model, or is lost. */
  readonly message: Message | undefined;
  /** Nothing of its message can be sent: an interrupted call, a result without its call. */
  readonly lost: boolean;
  /** Something of its message was left out. */
  readonly mended: boolean;
  /** Why, if it was not to repair it. */
  readonly by?: readonly string[];
}

export interface Transcript {
  readonly entries: readonly Entry[];
  readonly steps: readonly Step[];
}

/**
 * Reads a conversation into steps. Calls that were interrupted and results that answer nothing are left out of the messages, since no API
 * takes them: an entry whose message has changed differs from what its item says. Throws a Failure (65) for a message that cannot be read.
 */
export function readTranscript({ items }: Conversation): Transcript {
  const reader = new Reader();
  for (const item of items) reader.push(item);
  return reader.end();
}

/** Whether the provider's answer to a call belongs to the client: it must come before the assistant may go on. */
const isOwnCall = (part: Part): part is ToolCallPart => part.type === 'tool_call' && part.by !== 'provider';

const isOwnResult = (part: Part): part is ToolResultPart => part.type === 'tool_result' && part.by !== 'provider';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

class Reader {
  readonly #entries: Mutable<Entry>[] = [];
  readonly #steps: Mutable<Step>[] = [];
  /** Calls of the last step without results: the entry of each. */
  readonly #open = new Map<string, number>();
  /** Results have begun to come. */
  #answering = false;
  #turn = 0;

  push(item: Item): void {
    const message = messageOf(item);
    if (message === undefined || isHidden(message.meta))
      this.#entries.push({ item, message: undefined, lost: false, mended: false });
    else this.#take(item, message);
  }

  end(): Transcript {
    const last = this.#steps.at(-1);
    if (last && this.#open.size > 0) last.open = true;
    return { entries: this.#entries, steps: this.#steps };
  }

  #take(item: Item, message: Message): void {
    const { role, parts } = message;
    if (role === 'tool' || parts.some(isOwnResult)) this.#takeResults(item, message);
    else if (role === 'assistant') this.#takeWork(item, message);
    else if (role === 'user') this.#takeAsk(item, message);
    else this.#takeSystem(item, message);
  }

  #takeAsk(item: Item, message: Message): void {
    this.#close();
    if (isDigest(message)) {
      this.#add(item, message, 'past');
      return;
    }
    this.#turn += 1;
    this.#add(item, message, 'ask');
  }

  #takeSystem(item: Item, message: Message): void {
    const inside = this.#open.size > 0;
    this.#add(item, message, inside ? undefined : 'system');
    if (inside) this.#keep();
  }

  /** Some dialects spell one turn as several messages: until its results come, a turn goes on. */
  #takeWork(item: Item, message: Message): void {
    const last = this.#steps.at(-1);
    const continues = !this.#answering && (last?.kind === 'work' || this.#open.size > 0);
    if (!continues) this.#close();
    for (const part of message.parts) if (isOwnCall(part)) this.#open.set(part.id, this.#entries.length);
    this.#add(item, message, continues ? undefined : 'work');
    if (message.parts.some(isCompaction)) this.#keep();
  }

  #keep(): void {
    const last = this.#steps.at(-1);
    if (last) last.kind = 'kept';
  }

  #takeResults(item: Item, message: Message): void {
    const parts = message.parts.filter((part) => !isOwnResult(part) || this.#open.delete(part.callId));
    if (parts.length === 0) return void this.#entries.push({ item, message: undefined, lost: true, mended: true });
    const answers = parts.length < message.parts.length ? withParts(message, parts) : message;
    const says = message.role === 'user' && parts.some((part) => part.type !== 'tool_result');
    const answered = parts.some(isOwnResult);
    if (says) this.#turn += 1;
    if (!answered) this.#close();
    this.#answering = answered;
    this.#add(item, answers, answered ? undefined : 'ask', answers !== message);
    const last = this.#steps.at(-1);
    if (last && says) last.asks = true;
  }

  #add(item: Item, message: Message, kind: StepKind | undefined, mended = false): void {
    const at = this.#entries.length;
    const last = this.#steps.at(-1);
    if (kind !== undefined || last === undefined) {
      const made = kind ?? 'work';
      this.#steps.push({ kind: made, from: at, to: at + 1, asks: made === 'ask', open: false, turn: this.#turn });
    } else last.to = at + 1;
    this.#entries.push({ item, message, lost: false, mended });
  }

  /** The step is over: what is still open was interrupted. */
  #close(): void {
    const dead = new Set(this.#open.values());
    for (const at of dead) {
      const entry = this.#entries[at];
      if (entry?.message === undefined) continue;
      entry.message = withoutCalls(entry.message, this.#open);
      entry.lost = entry.message === undefined;
      entry.mended = true;
    }
    this.#open.clear();
    this.#answering = false;
  }
}

/** A message without its interrupted calls; undefined if nothing is left that could stand alone. */
function withoutCalls(message: Message, open: ReadonlyMap<string, number>): Message | undefined {
  const parts = message.parts.filter((part) => !isOwnCall(part) || !open.has(part.id));
  return parts.some((part) => part.type !== 'reasoning' && !isBlank(part)) ? withParts(message, parts) : undefined;
}

const isBlank = (part: Part): boolean => part.type === 'text' && part.text.trim() === '';

/** The API's own summary of what came before: opaque, and ahead of everything it stands for. */
const isCompaction = (part: Part): boolean =>
  part.type === 'native' && /compaction/.test(String((part.value as { type?: unknown } | null)?.type));

export const withParts = (message: Message, parts: readonly Part[]): Message => ({ ...message, parts });
