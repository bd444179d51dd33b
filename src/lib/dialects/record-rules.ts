// Rules about the records themselves: what an API refuses of its own spelling, and the view no longer shows.

import type { FormatName } from '../conversation/types.ts';
import { isObject, type Json, type JsonObject } from '../json/values.ts';

/** What is wrong with something, and how to mend it. */
export interface Problem {
  readonly what: string;
  readonly mend: string;
}

export interface Finding extends Problem {
  /** The rule's name, such as `answered-calls`. */
  readonly rule: string;
  /** The message that breaks it, counted from 0; undefined for the head. */
  readonly message?: number;
}

/** What a repair did: the rule, the message it was about (counted as they stood when that rule's turn came), and what was changed. */
export interface Mended {
  readonly rule: string;
  readonly message?: number;
  readonly did: string;
}

/** A conversation as its records: the body without its messages, and those. */
export interface Records {
  readonly head?: JsonObject;
  readonly messages: readonly JsonObject[];
}

export interface RecordsMended {
  readonly records: Records;
  readonly did: readonly Mended[];
}

/** A rule about records. `mend` returns undefined where nothing can be done. */
export interface WireRule {
  readonly name: string;
  readonly formats: readonly FormatName[];
  check(records: Records): Finding[];
  mend?(records: Records): RecordsMended | undefined;
}

/** What a message or a block is after a repair: nothing, one, or several. */
type Left = readonly JsonObject[];

interface Looking<T> {
  readonly name: string;
  readonly formats: readonly FormatName[];
  find(value: T, records: Records, index: number): Problem | undefined;
}

interface MessageWire extends Looking<JsonObject> {
  mend?(message: JsonObject, records: Records, index: number): { readonly left: Left; readonly did: string };
}

/** A rule about one message by itself. */
export function ofMessages({ name, formats, find, mend }: MessageWire): WireRule {
  return {
    name,
    formats,
    check: (records) =>
      records.messages.flatMap((message, i) => {
        const problem = find(message, records, i);
        return problem ? [{ rule: name, message: i, ...problem }] : [];
      }),
    mend: mend && ((records) => mendMessages(records, name, find, mend)),
  };
}

function mendMessages(
  records: Records,
  rule: string,
  find: MessageWire['find'],
  mend: NonNullable<MessageWire['mend']>,
): RecordsMended | undefined {
  const did: Mended[] = [];
  const messages = records.messages.flatMap((message, i) => {
    if (!find(message, records, i)) return [message];
    const mended = mend(message, records, i);
    did.push({ rule, message: i, did: mended.did });
    return mended.left;
  });
  return did.length > 0 ? { records: { ...records, messages }, did } : undefined;
}

interface BlockWire extends Looking<JsonObject> {
  /** The field of a message that holds its blocks. */
  readonly field: 'content' | 'parts';
  mend?(block: JsonObject, records: Records, index: number): Left;
  readonly did?: string;
}

/** A rule about one block of a message by itself. A message of which no block is left goes. */
export function ofBlocks({ name, formats, field, find, mend, did = '' }: BlockWire): WireRule {
  const blocksOf = (message: JsonObject): JsonObject[] => listOf(message[field]);
  const broken = (message: JsonObject, records: Records, i: number): Problem | undefined => {
    for (const block of blocksOf(message)) {
      const problem = find(block, records, i);
      if (problem) return problem;
    }
    return undefined;
  };
  return ofMessages({
    name,
    formats,
    find: broken,
    mend:
      mend &&
      ((message, records, i) => {
        const left = blocksOf(message).flatMap((block) =>
          find(block, records, i) ? mend(block, records, i) : [block],
        );
        return { left: left.length > 0 ? [{ ...message, [field]: [...left] }] : [], did };
      }),
  });
}

interface HeadWire {
  readonly name: string;
  readonly formats: readonly FormatName[];
  find(head: JsonObject, records: Records): Problem | undefined;
  mend?(head: JsonObject): JsonObject;
  readonly did?: string;
}

/** A rule about the body. */
export function ofHead({ name, formats, find, mend, did = '' }: HeadWire): WireRule {
  const problem = (records: Records) => records.head && find(records.head, records);
  return {
    name,
    formats,
    check: (records) => {
      const found = problem(records);
      return found ? [{ rule: name, ...found }] : [];
    },
    mend:
      mend &&
      ((records) =>
        records.head && problem(records)
          ? { records: { ...records, head: mend(records.head) }, did: [{ rule: name, did }] }
          : undefined),
  };
}

export const listOf = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
export const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});

/** The object without some of its fields. */
export function without(value: JsonObject, ...fields: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([field]) => !fields.includes(field))) as JsonObject;
}

/** A value as a person would quote it: one line, not too long, no control characters. */
export function quoted(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > MOST ? `${text.slice(0, MOST)}…` : text;
}

const MOST = 60;
