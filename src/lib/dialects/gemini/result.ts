// What a function answered. The API wants an object: a text goes in under a key, and comes out of it again.
import { parseArguments } from '../../conversation/parse-arguments.ts';
import type { Part } from '../../conversation/types.ts';
import { isObject, type JsonObject } from '../../json/values.ts';

/** How a response was spelled: a text or several under `output` or `error`, or any other object. */
export type Wrapping = 'output' | 'error' | 'json' | 'none';

interface Unwrapped {
  readonly wrapping: Wrapping;
  readonly parts: readonly Part[];
}

/** `{output: "…"}` and `{error: "…"}` hold a text, or a list of two or more; any other object is told as its JSON text. */
export function unwrap(response: unknown): Unwrapped {
  if (!isObject(response)) return { wrapping: 'none', parts: [] };
  const keys = Object.keys(response);
  const [key] = keys;
  if (keys.length === 1 && (key === 'output' || key === 'error')) {
    const texts = textsOf(response[key]);
    if (texts) return { wrapping: key, parts: texts.map((text) => ({ type: 'text', text })) };
  }
  return { wrapping: 'json', parts: [{ type: 'text', text: JSON.stringify(response) }] };
}

function textsOf(value: unknown): string[] | undefined {
  if (typeof value === 'string') return [value];
  const list = Array.isArray(value) && value.length > 1 && value.every((item) => typeof item === 'string');
  return list ? value : undefined;
}

/**
 * The object for these texts. `wrapping` is how it was spelled before, if it was: an object comes back as long as the text is still one. A foreign
 * text that spells an object just as it is told above was one, or says the same as one.
 */
export function wrap(texts: readonly string[], error: boolean, wrapping?: Wrapping): JsonObject | undefined {
  const [first] = texts;
  if (wrapping === 'none' && texts.length === 0) return undefined;
  const mayBeObject = wrapping === 'json' || (wrapping === undefined && !error && first?.startsWith('{'));
  if (mayBeObject && first !== undefined && texts.length === 1) {
    const read = parseArguments(first);
    // One that would be unwrapped when it is read again would not say the same.
    const same = 'input' in read && isObject(read.input) && unwrap(read.input).wrapping === 'json';
    if (same && (wrapping === 'json' || JSON.stringify(read.input) === first)) return read.input as JsonObject;
  }
  return { [error ? 'error' : 'output']: texts.length > 1 ? [...texts] : (first ?? '') };
}
