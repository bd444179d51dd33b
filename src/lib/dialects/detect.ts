// Which dialect a record is in, and what it is there.

import type { FormatName } from '../conversation/types.ts';
import { isObject, type Json, type JsonObject } from '../json/values.ts';
import { FORMATS, formatNamed } from './table.ts';
import { type Claim, claim, type Format } from './types.ts';

export interface Identity extends Claim {
  readonly format: Format;
}

const identities = new Map<Format, Map<Claim, Identity>>(FORMATS.map((format) => [format, new Map()]));

/** A claim with the format that makes it: one object for each pair. */
function identityOf(format: Format, claim: Claim): Identity {
  const known = identities.get(format)?.get(claim);
  if (known) return known;
  const made = { format, ...claim };
  identities.get(format)?.set(claim, made);
  return made;
}

/** A record that a format is sure of, where it is spelled as one of its dialects does, or the stream is in one that it fits. */
function identifyDialect(format: Format, value: JsonObject, current: FormatName | undefined): Identity | undefined {
  for (const dialect of DIALECTS) {
    const claim = dialect.dialectOf === format.name ? dialect.recognise(value) : undefined;
    if (claim && (claim.sure || dialect.name === current)) return identityOf(dialect, claim);
  }
  return undefined;
}

const DIALECTS = FORMATS.filter((format) => format.dialectOf !== undefined);

/**
 * What a record is. One that fits several dialects is taken for `current`, the stream's, or for the first in the table. undefined: it is no
 * part of a conversation (a record of ours with a `type`, a blank line, something unknown) and goes through as it is.
 */
export function identify(value: Json | undefined, current?: FormatName): Identity | undefined {
  if (!isObject(value)) return undefined;
  if (value._meta !== undefined && value.role === undefined) {
    const head = identifyMarked(value, current);
    if (head) return head;
  }
  const shape = shapeOf(value);
  return shape ? identifyShape(shape, value.role as string, current) : ask(value, current);
}

/** The commonest records. Formats look at what there is of them, not at what it says: one answer holds for all of a shape and a role. */
const SHAPES = {
  plain: { content: '' },
  result: { content: '', tool_call_id: '' },
  call: { content: '', tool_calls: [{ id: '', type: 'function', function: { name: '', arguments: '' } }] },
  'call alone': { content: null, tool_calls: [{ id: '', type: 'function', function: { name: '', arguments: '' } }] },
} satisfies { readonly [shape: string]: JsonObject };

type Shape = keyof typeof SHAPES;

/** undefined: a record of another shape, which has to be looked at as a whole. */
function shapeOf(value: JsonObject): Shape | undefined {
  const { role, content } = value;
  if (typeof role !== 'string' || (typeof content !== 'string' && content !== null)) return undefined;
  let shape: Shape = 'plain';
  for (const key in value)
    if (key === 'tool_call_id' && role === 'tool' && typeof value.tool_call_id === 'string') shape = 'result';
    else if (key === 'tool_calls' && role === 'assistant' && areCalls(value.tool_calls)) shape = 'call';
    else if (key !== 'role' && key !== 'content') return undefined;
  if (content !== null) return shape;
  return shape === 'call' ? 'call alone' : undefined;
}

function areCalls(calls: Json | undefined): boolean {
  if (!Array.isArray(calls) || calls.length === 0) return false;
  for (const call of calls) {
    if (!isObject(call) || typeof call.id !== 'string' || call.type !== 'function') return false;
    if (!isObject(call.function) || typeof call.function.arguments !== 'string') return false;
    if (call.function.index !== undefined) return false;
  }
  return true;
}

interface Answer {
  readonly role: string;
  readonly current: FormatName | undefined;
  readonly found: Identity;
}

/** Few, and so a list is faster than a map. */
const answers: { readonly [shape in Shape]: Answer[] } = { plain: [], result: [], call: [], 'call alone': [] };

function identifyShape(shape: Shape, role: string, current: FormatName | undefined): Identity | undefined {
  const known = answers[shape];
  for (let i = 0; i < known.length; i += 1) {
    const answer = known[i] as Answer;
    if (answer.role === role && answer.current === current) return answer.found;
  }
  const found = ask({ role, ...SHAPES[shape] }, current);
  if (found !== undefined && known.length < 64) known.push({ role, current, found });
  return found;
}

/** What the formats say of a record, each asked for itself: the answer that `identify` gives sooner for the commonest shapes. */
export function ask(value: JsonObject, current: FormatName | undefined): Identity | undefined {
  let fallback: Identity | undefined;
  for (const format of FORMATS) {
    const claim = format.recognise(value);
    if (claim === undefined) continue;
    if (claim.sure) return identifyDialect(format, value, current) ?? identityOf(format, claim);
    if (fallback === undefined || format.name === current) fallback = identityOf(format, claim);
  }
  return fallback;
}

/** A head whose `_meta` names its dialect, or that holds nothing but its `_meta`. */
function identifyMarked(value: JsonObject, current: FormatName | undefined): Identity | undefined {
  const { _meta } = value;
  if (!isObject(_meta)) return undefined;
  const format = typeof _meta.dialect === 'string' ? formatNamed(_meta.dialect) : undefined;
  if (format) return value[format.messagesKey] === undefined ? identityOf(format, claim('head', true)) : undefined;
  if (Object.keys(value).length > 1) return undefined;
  return identityOf(formatNamed(current ?? '') ?? (FORMATS[0] as Format), claim('head', false));
}

/** What a record is in one named dialect, or undefined. */
export function identifyAs(value: Json | undefined, name: FormatName): Identity | undefined {
  const format = formatNamed(name);
  const claim = format && isObject(value) ? format.recognise(value) : undefined;
  return format && claim && identityOf(format, claim);
}

/** A body with its messages under the dialect's own field is a conversation of it, even if one of these is none of its messages. */
export function identifyBroken(value: Json | undefined, name: FormatName): Identity | undefined {
  const format = formatNamed(name);
  const isWhole =
    format !== undefined && isObject(value) && Array.isArray(value[format.messagesKey]) && value.role === undefined;
  return isWhole ? identityOf(format, claim('conversation', false)) : undefined;
}

/** Identifies the records of one stream: each as `from` where it can be that, else by what came before. */
export class Detector {
  readonly #from: FormatName | undefined;
  /** The stream's dialect, as far as it is known. */
  current: FormatName | undefined;

  constructor(from?: FormatName) {
    this.#from = from;
    this.current = from;
  }

  identify(value: Json | undefined): Identity | undefined {
    const from = this.#from;
    const forced = from === undefined ? undefined : identifyAs(value, from);
    const found = forced ?? identify(value, this.current);
    // Nobody knows it better than who said what it is.
    const isTold = from === undefined || forced !== undefined || found?.sure === true;
    const identity = isTold ? found : (identifyBroken(value, from) ?? found);
    if (identity?.sure) this.current = identity.format.name;
    return identity;
  }
}
