// Calls in Python's syntax.
import { isObject, type Json } from '../json/values.ts';
import type { Written } from './types.ts';
import { safeJson } from './write.ts';

const WORD = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

/** `f(a=1, b="x")`. Keys that are no names go into `**{…}`. */
export function pythonCall({ name, input }: Written): string {
  const entries = Object.entries(input);
  const named = entries.filter(([key]) => WORD.test(key)).map(([key, value]) => `${key}=${pythonValue(value ?? null)}`);
  const others = entries
    .filter(([key]) => !WORD.test(key))
    .map(([key, value]) => `${safeJson(key)}: ${pythonValue(value ?? null)}`);
  return `${name}(${[...named, ...(others.length > 0 ? [`**{${others.join(', ')}}`] : [])].join(', ')})`;
}

function pythonValue(value: Json): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(', ')}]`;
  if (isObject(value))
    return `{${Object.entries(value)
      .map(([key, inner]) => `${safeJson(key)}: ${pythonValue(inner ?? null)}`)
      .join(', ')}}`;
  return safeJson(value);
}
