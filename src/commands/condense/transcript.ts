// A conversation as the condenser sees it: entries in their places, and the steps that they make. A step is what goes or stays together.
import type { Message, Part, ToolCallPart, ToolResultPart } from '../../lib/conversation/types.ts';
import { isDigest } from './digest/text.ts';
import type { Entry } from './mend.ts';

/**
 * `system` stays, `ask` is what the user says, `work` is what the assistant does with the results of its calls, `past` is a digest of an earlier
 * run, `kept` is not to be touched: the API's own summaries, and what an API wants before all others.
 */
type StepKind = 'system' | 'ask' | 'work' | 'past' | 'kept';

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

export interface Transcript {
  readonly entries: readonly Entry[];
  readonly steps: readonly Step[];
}

/** Reads entries into steps. Those of a broken conversation say only how large it is. */
export function readTranscript(entries: readonly Entry[]): Transcript {
  const reader = new Reader();
  for (const [at, { message, aside }] of entries.entries()) if (message) reader.push(message, at, aside);
  return { entries, steps: reader.end() };
}

/** Whether the provider's answer to a call belongs to the client: it must come before the assistant may go on. */
const isOwnCall = (part: Part): part is ToolCallPart => part.type === 'tool_call' && part.by !== 'provider';

const isOwnResult = (part: Part): part is ToolResultPart => part.type === 'tool_result' && part.by !== 'provider';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

class Reader {
  readonly #steps: Mutable<Step>[] = [];
  /** Calls of the last step without results. */
  readonly #open = new Set<string>();
  /** Results have begun to come. */
  #answering = false;
  #turn = 0;

  end(): Step[] {
    const last = this.#steps.at(-1);
    if (last && this.#open.size > 0) last.open = true;
    return this.#steps;
  }

  /** `aside`: nobody asks for anything in it. */
  push(message: Message, at: number, aside = false): void {
    const { role, parts, meta } = message;
    if (isSystem(role) || isSystem(meta?.role)) this.#takeSystem(at);
    else if (role === 'user' && meta?.filler !== undefined && this.#open.size === 0) this.#add(at, 'kept');
    else if (role === 'assistant' && !parts.some(isOwnResult)) this.#takeWork(message, at);
    else if (aside || parts.some(isOwnResult) || this.#open.size > 0) this.#takeResults(message, at, aside);
    else if (isDigest(message)) this.#add(at, 'past');
    else {
      this.#turn += 1;
      this.#add(at, 'ask', parts.some(says));
    }
  }

  #takeSystem(at: number): void {
    const inside = this.#open.size > 0;
    this.#add(at, inside ? undefined : 'system');
    if (inside) this.#keep();
  }

  /** Some dialects spell one turn as several messages: until its results come, a turn goes on. */
  #takeWork(message: Message, at: number): void {
    const last = this.#steps.at(-1);
    const continues = this.#open.size > 0 || (!this.#answering && last?.kind === 'work');
    for (const part of message.parts) if (isOwnCall(part)) this.#open.add(part.id);
    this.#answering = false;
    this.#add(at, continues ? undefined : 'work');
    if (message.parts.some(isCompaction)) this.#keep();
  }

  #keep(): void {
    const last = this.#steps.at(-1);
    if (last) last.kind = 'kept';
  }

  /** Results, and what the user says before all of them have come. A server may hold the call: then they are a step of their own. */
  #takeResults({ role, parts }: Message, at: number, aside: boolean): void {
    const inside = this.#answering || this.#open.size > 0;
    for (const part of parts) if (isOwnResult(part)) this.#open.delete(part.callId);
    const asks = !aside && role === 'user' && parts.some((part) => part.type !== 'tool_result' && says(part));
    if (asks) this.#turn += 1;
    this.#add(at, inside ? undefined : 'work');
    this.#answering = true;
    const last = this.#steps.at(-1);
    if (last && asks) last.asks = true;
  }

  #add(at: number, kind: StepKind | undefined, asks = false): void {
    const last = this.#steps.at(-1);
    if (kind === undefined && last !== undefined) {
      last.to = at + 1;
      return;
    }
    if (kind !== 'work') this.#answering = false;
    const made = kind ?? 'work';
    this.#steps.push({ kind: made, from: at, to: at + 1, asks, open: false, turn: this.#turn });
  }
}

/** Also what was written as the user's, for a model that takes no such role. */
const isSystem = (role: unknown): boolean => role === 'system' || role === 'developer';

/** A blank text asks for nothing. */
const says = (part: Part): boolean => part.type !== 'text' || part.text.trim() !== '';

/** The API's own summary of what came before: opaque, and ahead of everything it stands for. */
const isCompaction = (part: Part): boolean =>
  part.type === 'native' && /compaction/.test(String((part.value as { type?: unknown } | null)?.type));

export const withParts = (message: Message, parts: readonly Part[]): Message => ({ ...message, parts });
