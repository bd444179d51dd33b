// Rules about the records themselves: what an API refuses of its own spelling, and the view no longer shows.

import { isObject, type Json, type JsonObject } from '../json/values.ts';
import type { Shape } from './shapes.ts';

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
export interface RecordRule {
  readonly name: string;
  check(records: Records): Finding[];
  mend?(records: Records): RecordsMended | undefined;
}

/** A JSON Schema of a request, and whose it is. */
export interface NamedSchema {
  readonly of: string;
  readonly isTool: boolean;
  readonly schema: Json;
  readonly strict: boolean;
}

/** Everything that an API refuses of its own spelling. */
export interface RecordConstraints {
  /** The dialect's name. */
  readonly format: string;
  readonly rules: readonly RecordRule[];
  /** What the body must look like. */
  readonly head: Shape;
  /** What a message must look like. */
  readonly message: Shape;
  /** The parameters of a body, by the types of the API's own client; what an address says of a request is among them. */
  readonly parameters: string;
  /** Whether the API's own servers are meant: others that speak its dialect have parameters, words and schemas of their own. Absent: always. */
  isOwn?(records: Records): boolean;
  /** The JSON Schemas of a body. */
  schemas(head: JsonObject): NamedSchema[];
  /** Every schema of a body changed. */
  changeSchemas?(head: JsonObject, change: ChangeSchema): JsonObject;
  /** Arrays name their items; a strict schema has a type, a limited size and no further keywords. */
  readonly strictSchemas?: true;
  /** How many tools of a request may be strict. */
  readonly strictTools?: true;
  /** The schema of a tool must be an object's at its root. */
  readonly rootsRefused?: true;
  /** Whether the properties of a tool must have Anthropic's names. */
  namesProperties?(records: Records): boolean;
}

export type ChangeSchema = (schema: Json, strict: boolean) => { readonly schema: Json; readonly strict: boolean };

/** The schema of a tool, if it has one. */
export const toolSchema = (name: Json | undefined, schema: Json | undefined, strict?: Json): NamedSchema[] =>
  schema === undefined || schema === null
    ? []
    : [{ of: `the tool ${quoted(name)}`, isTool: true, schema, strict: strict === true }];

/** The schema of the answer, if it has one. */
export const answerSchema = (schema: Json | undefined, strict?: Json): NamedSchema[] =>
  schema === undefined || schema === null
    ? []
    : [{ of: 'the response format', isTool: false, schema, strict: strict === true }];

/** What a message or a block is after a repair: nothing, one, or several. */
type Left = readonly JsonObject[];

interface Looking<T> {
  readonly name: string;
  find(value: T, records: Records, index: number): Problem | undefined;
}

interface MessageWire extends Looking<JsonObject> {
  mend?(message: JsonObject, records: Records, index: number): { readonly left: Left; readonly did: string };
}

/** A rule about one message by itself. */
export function ofMessages({ name, find, mend }: MessageWire): RecordRule {
  return {
    name,
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
export function ofBlocks({ name, field, find, mend, did = '' }: BlockWire): RecordRule {
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
  find(head: JsonObject, records: Records): Problem | undefined;
  mend?(head: JsonObject): JsonObject;
  readonly did?: string;
}

/** A rule about the body. */
export function ofHead({ name, find, mend, did = '' }: HeadWire): RecordRule {
  const problem = (records: Records) => records.head && find(records.head, records);
  return {
    name,
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
