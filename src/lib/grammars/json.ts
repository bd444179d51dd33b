// JSON as models write it: strict first, then mended.
import { isObject, type Json } from '../json/values.ts';
import { extentAt } from './extent.ts';
import { jsonrepair } from './json-repair.late.ts';
import { readLiteral } from './literal.ts';
import type { Source } from './source.ts';
import type { Repair } from './types.ts';

interface Parsed {
  readonly value: Json;
  readonly repair?: Repair;
}

/** Longer texts are not mended: no model's mistake is that long, and mending is slow. */
const LONGEST = 1 << 18;

/** The value of a text that is meant as JSON. undefined: it cannot be read as such. */
export function parseJson(text: string): Parsed | undefined {
  return parseLiteral(text) ?? (text.length > LONGEST ? undefined : mended(text.trim()));
}

/** The value of a text that is JSON or a Python literal as it stands. */
export function parseLiteral(text: string): Parsed | undefined {
  const value = parsed(text);
  if (value !== undefined) return { value };
  const trimmed = text.trim();
  const literal = readLiteral(trimmed, 0);
  if (literal?.end !== trimmed.length) return undefined;
  return { value: literal.value, repair: literal.bare ? 'JSON mended' : 'Python literal' };
}

/** JSON, or undefined. What it says of a mistake is not wanted, and a stack would cost more than the parsing. */
function parsed(text: string): Json | undefined {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function mended(text: string): Parsed | undefined {
  const value = parsed(escapeBackslashes(text)) ?? parsed(oneLayerLess(text)) ?? single(text) ?? repaired(text);
  return value === undefined ? undefined : { value, repair: 'JSON mended' };
}

/** A backslash that begins no escape stands for itself: `C:\Users`. The library would drop it. */
function escapeBackslashes(text: string): string {
  return text.replace(/\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}|)/g, (found) => (found === '\\' ? '\\\\' : found));
}

/** Text that was escaped once too often: line breaks and quotes outside strings with a backslash. */
function oneLayerLess(text: string): string {
  return text.replaceAll('\\n', '\n').replaceAll('\\"', '"');
}

/** Braces doubled by a template: around the whole, or everywhere. */
function single(text: string): Json | undefined {
  if (!text.startsWith('{{')) return undefined;
  return parsed(text.slice(1, -1)) ?? parsed(text.replaceAll('{{', '{').replaceAll('}}', '}'));
}

function repaired(text: string): Json | undefined {
  if (!/[:=]/.test(text)) return undefined;
  try {
    return JSON.parse(jsonrepair(text));
  } catch {
    return undefined;
  }
}

/** An object, an array or a string of either at `at`, and where it ends. */
export interface ValueAt extends Parsed {
  readonly end: number;
}

export type NoValue = { readonly type: 'cut' | 'bad'; readonly end: number };

/**
 * The object or array at `at`. Where its own end cannot be found, it runs to `closer` (the text that ends it). `cut`: the text ends within it.
 */
export function valueAt(source: Source, at: number, closers: readonly string[]): ValueAt | NoValue {
  const { text } = source;
  const extent = extentAt(text, at);
  if (!source.spend(extent.end - at)) return { type: 'bad', end: extent.end };
  if (extent.type === 'whole') {
    const value = parseJson(text.slice(at, extent.end));
    if (value) return { ...value, end: extent.end };
  }
  if (extent.type === 'deep') return { type: 'bad', end: extent.end };
  const close = source.first(closers, at)?.at ?? -1;
  if (close > at && source.spend(8 * (close - at))) {
    const value = parseJson(text.slice(at, close));
    if (value && typeof value.value === 'object') return { repair: 'JSON mended', ...value, end: close };
  }
  return { type: extent.type === 'cut' && close < 0 ? 'cut' : 'bad', end: extent.end };
}

/** Whether what follows a brace or bracket at `at` can begin an object or a list of values. */
export function opensValue(source: Source, at: number): boolean {
  const { text } = source;
  const open = text[at];
  const next = text[source.space(at + 1)];
  if (open === '{') return next !== undefined && /["'{}“\\/A-Za-z_]/.test(next);
  return open === '[' && next !== undefined && /["'{[\]\d\-A-Za-z_“]/.test(next);
}

/** `{}` for what says that there are no arguments. */
export function asArguments(value: Json | undefined): Json {
  if (value === undefined || value === null || value === '') return {};
  if (typeof value !== 'string') return value;
  const inner = parseJson(value)?.value;
  return isObject(inner) ? inner : inner === null ? {} : value;
}
