// What a record is to those that only take conversations, and what one looks like that is no part of any.

import { isOurs } from '../conversation/own-records.ts';
import { identify, identifyAs, identifyBroken } from '../dialects/detect.ts';
import { FORMATS } from '../dialects/table.ts';
import { isObject, type Json, type JsonObject, kindOf } from '../json/values.ts';
import { logOf } from './log-table.ts';
import { TEXTS } from './text-table.ts';

/** `known`: it is part of a conversation, or ours. `foreign`: a log that has to be read as one. `unknown`: others may follow that are known. */
export type Verdict = 'known' | 'foreign' | 'unknown';

/** `from` is the dialect that the records are said to be in. */
export function judge(value: Json, from?: string): Verdict {
  if (!isObject(value)) return 'unknown';
  if (from !== undefined && (identifyAs(value, from) ?? identifyBroken(value, from))) return 'known';
  if (logOf(value) !== undefined || isTurnOfOthers(value)) return 'foreign';
  return isOurs(value) || identify(value) !== undefined ? 'known' : 'unknown';
}

/** A turn in the log of a program that is not known: who speaks is its type, or its words are not where any API has them. */
function isTurnOfOthers({ role, type, content, message }: JsonObject): boolean {
  if (role !== undefined) return content === undefined && isObject(message) && typeof role === 'string';
  return SPEAKERS.has(type) && (content !== undefined || isObject(message));
}

const SPEAKERS = new Set<unknown>(['user', 'assistant', 'human', 'ai']);

/** What a record looks like, and whether ai-transform reads it. */
interface Look {
  readonly what: string;
  readonly readable: boolean;
}

/** Says nothing of what stands in the record but names of fields. */
export function lookOf(value: Json): Look {
  if (Array.isArray(value)) return lookOfList(value);
  if (!isObject(value)) return { what: kindOf(value), readable: false };
  const log = logOf(value);
  if (log) return { what: `a session log of ${log.name}`, readable: true };
  if (FORMATS.some((format) => format.recogniseEvent?.(value)))
    return { what: "an event of an API's stream", readable: true };
  if (TEXTS.some((text) => text.unwrap?.(value))) return { what: 'a conversation as text', readable: true };
  const kind = isTurnOfOthers(value) ? 'a transcript of an unknown program' : 'an object';
  return { what: `${kind}, ${fieldsOf(value)}`, readable: false };
}

function lookOfList(list: readonly Json[]): Look {
  const [first] = list;
  if (first === undefined) return { what: 'an empty array', readable: false };
  if (isObject(first) && logOf(first)) return { what: `an array of lines of a session log`, readable: true };
  if (isObject(first) && identify(first)) return { what: 'an array of messages', readable: true };
  return { what: 'an array', readable: false };
}

const SHOWN = 3;

function fieldsOf(value: JsonObject): string {
  const names = Object.keys(value);
  if (names.length === 0) return 'without fields';
  const shown = names.slice(0, SHOWN).map((name) => JSON.stringify(name.slice(0, 40)));
  return `with the ${names.length === 1 ? 'field' : 'fields'} ${shown.join(', ')}${names.length > SHOWN ? ' …' : ''}`;
}
