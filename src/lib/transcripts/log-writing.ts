// What the writers of session logs share.

import { writeMeta } from '../conversation/meta.ts';
import type { Message } from '../conversation/types.ts';
import { isoTime } from '../dialects/codec/timestamps.ts';
import type { Fresh, Transcript } from '../dialects/types.ts';
import { isObject, type Json, type JsonObject } from '../json/values.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Stands where an agent wants a model's name and nobody said one. */
export const NO_MODEL = 'unknown';

/** The id of the session, if the agents would take it for one; else a new one. */
export function sessionId({ id }: Transcript, fresh: Fresh): string {
  return id !== undefined && UUID.test(id) ? id : fresh.uuid();
}

/** Times for the lines: those that the messages had, else now, and never earlier than the line before. */
export class Clock {
  #last = 0;
  readonly #fresh: Fresh;

  constructor(fresh: Fresh) {
    this.#fresh = fresh;
  }

  /** The time of a message, in milliseconds. */
  at({ meta }: Message): number {
    const time = isoTime(meta?.time);
    return this.next(time === undefined ? undefined : Date.parse(time));
  }

  next(time: number = this.#last === 0 ? this.#fresh.now() : this.#last + 1): number {
    this.#last = Math.max(this.#last, time);
    return this.#last;
  }
}

export const iso = (time: number): string => new Date(time).toISOString();

/** The leading system messages and the others. Agents that bring a system prompt of their own have no place for them. */
export function partSystem({ messages }: Transcript): { system: readonly Message[]; rest: readonly Message[] } {
  const at = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer');
  const count = at < 0 ? messages.length : at;
  return { system: messages.slice(0, count), rest: messages.slice(count) };
}

/** Leading system messages as they stand under `_meta`: no agent reads them there, but we do. */
export function keptSystem(system: readonly Message[]): JsonObject | undefined {
  if (system.length === 0) return undefined;
  return {
    system: system.map(({ role, parts }) => ({
      role,
      texts: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
    })),
  };
}

/** What `keptSystem` kept. */
export function readSystem(meta: Json | undefined): Message[] {
  const list = isObject(meta) && Array.isArray(meta.system) ? meta.system : [];
  return list.filter(isObject).map(({ role, texts }) => ({
    role: role === 'developer' ? 'developer' : 'system',
    parts: (Array.isArray(texts) ? texts : []).map((text) => ({ type: 'text', text: String(text) })),
  }));
}

/**
 * What the log has no field for, to stand under a line's `_meta`: agents pass over keys that they do not know. `said` are the fields that the line
 * itself says.
 */
export function lineMeta(message: Message, ...said: readonly (keyof Message)[]): JsonObject | undefined {
  const left: Message = { ...message, ...Object.fromEntries(said.map((field) => [field, undefined])) };
  const meta = writeMeta([left])?._meta;
  if (!isObject(meta)) return undefined;
  const { time: _, ...rest } = meta;
  return Object.keys(rest).length > 0 ? rest : undefined;
}
