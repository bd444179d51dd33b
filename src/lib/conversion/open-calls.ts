// The calls of a conversation that want a result.

import type { CallRecord } from '../conversation/loop-records.ts';
import type { Message, ToolCallPart, ToolResultPart } from '../conversation/types.ts';
import { lacksId } from '../dialects/codec/call-ids.ts';
import { isObject, type JsonObject } from '../json/values.ts';
import { type Conversation, type Item, messageOf } from './gather.ts';

/** The calls that share an id, in order, and how many of them an answer or a record of the loop has named. */
interface SameId {
  readonly calls: Called[];
  answered: number;
  started: number;
  result: number;
}

interface Called {
  readonly part: ToolCallPart;
  readonly dialect: string;
  answered: boolean;
  started: boolean;
  result?: JsonObject;
}

/** An assistant's messages that follow one another, and what came after them. */
class Turn {
  readonly #calls: Called[] = [];
  /** Ids repeat where a model or a dialect has none: the first result is the first call's. */
  readonly #byId = new Map<string, SameId>();
  /** Calls before this one are answered. */
  #next = 0;
  /** Whether something of the conversation came after the assistant's messages. */
  closed = false;

  say(message: Message, dialect: string): void {
    for (const part of message.parts) {
      if (part.type !== 'tool_call' || part.by === 'provider') continue;
      const called = { part, dialect, answered: false, started: false };
      this.#calls.push(called);
      const key = part.id || part.name;
      const same = this.#byId.get(key);
      if (same) same.calls.push(called);
      else this.#byId.set(key, { calls: [called], answered: 0, started: 0, result: 0 });
    }
  }

  hear(message: Message, dialect: string): void {
    for (const part of message.parts)
      if (part.type === 'tool_result' && part.by !== 'provider')
        if (part.name === undefined && lacksId(part, dialect)) this.#answerNext();
        else this.#answer(part);
    this.closed = true;
  }

  /** A result that says neither id nor name is the first open call's. */
  #answerNext(): void {
    while (this.#calls[this.#next]?.answered) this.#next += 1;
    const called = this.#calls[this.#next++];
    if (called) called.answered = true;
  }

  #answer({ callId, name }: ToolResultPart): void {
    const same = this.#byId.get(callId || (name ?? ''));
    const called = same?.calls[same.answered++];
    if (called) called.answered = true;
  }

  /** Takes a record of the loop: what a run that was stopped had begun. */
  note(type: 'started' | 'result', { id, name, index, content, is_error, run }: JsonObject): void {
    const at = typeof index === 'number' ? this.#calls[index] : undefined;
    const same = this.#byId.get(String(id || name));
    const called = at?.part.id === id ? at : same?.calls[same[type]++];
    if (called === undefined) return;
    if (type === 'started') called.started = true;
    else called.result = { content, ...(is_error === true && { is_error }), run };
  }

  open(number: number, tainted: boolean): CallRecord[] {
    const of = this.#calls.filter(({ answered }) => !answered).length;
    return this.#calls.flatMap((called, index) =>
      called.answered ? [] : [record(called, { turn: number, index, of }, tainted)],
    );
  }
}

function record(
  { part, dialect, started, result }: Called,
  place: { turn: number; index: number; of: number },
  tainted: boolean,
): CallRecord {
  const { id, name, input, text, custom } = part;
  return {
    type: 'call',
    id,
    name,
    ...(text === undefined ? { input: input ?? {} } : { text }),
    ...(custom && { custom }),
    dialect,
    ...place,
    ...(started && result === undefined && { started }),
    ...(result && { result }),
    ...(tainted && { tainted }),
  };
}

/**
 * The open calls of the assistant's last turn, or with `all` of every turn. `first` is the number of the first turn that has some. Throws a
 * Failure (65) for a message that cannot be read.
 */
export function openCalls({ items }: Conversation, all: boolean, first: number): CallRecord[] {
  const turns: Turn[] = [];
  for (const item of all ? items : items.slice(lastTurn(items))) follow(turns, item);
  const tainted = items.some(({ rec }) => isTainted(rec.value));
  const found: CallRecord[] = [];
  let number = first;
  for (const turn of turns) {
    const open = turn.open(number, tainted);
    if (open.length > 0) number += 1;
    for (const one of open) found.push(one);
  }
  return found;
}

function follow(turns: Turn[], item: Item): void {
  const message = messageOf(item);
  const turn = turns.at(-1);
  if (message === undefined) {
    const { value } = item.rec;
    if (isObject(value) && (value.type === 'started' || value.type === 'result')) turn?.note(value.type, value);
  } else if (message.role !== 'assistant') turn?.hear(message, item.identity?.format.name ?? '');
  else {
    const own = turn === undefined || turn.closed ? new Turn() : turn;
    if (own !== turn) turns.push(own);
    own.say(message, item.identity?.format.name ?? '');
  }
}

/** Where the assistant's last turn begins. Reads from the end, since only the end is wanted. */
function lastTurn(items: readonly Item[]): number {
  let begin = items.length;
  for (let at = items.length - 1; at >= 0; at--) {
    const role = messageOf(items[at] as Item)?.role;
    if (role === 'assistant') begin = at;
    else if (role !== undefined && begin < items.length) break;
  }
  return begin;
}

function isTainted(value: unknown): boolean {
  if (!isObject(value) || !isObject(value._meta) || !Array.isArray(value._meta.runs)) return false;
  return value._meta.runs.some((run) => isObject(run) && run.tainted === true);
}
