// What the grammars share in writing calls.
import { equal, type Json, type JsonObject } from '../json/values.ts';
import { coerceTexts } from './coerce.ts';
import type { Toolset } from './toolset.ts';
import type { Spoken, Written } from './types.ts';

/** What no value may show unescaped: the beginnings of special tokens, of the tags around calls, and of fences. */
const DANGEROUS =
  /<(?=[|｜‖]|\/?(?:antml:|atem:|minimax:|seed:|xai:|ifm\||tool|function|invoke|parameter|arg_|think|start_|end_|bot_))|`(?=``)|[✿]/g;

/** JSON in which nothing can be mistaken for the grammar's own tokens. */
export function safeJson(value: Json): string {
  return JSON.stringify(value).replace(DANGEROUS, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A call as an object, under the keys that the format uses. */
function jsonCall({ name, input }: Written, nameKey = 'name', argumentsKey = 'arguments'): JsonObject {
  return { [nameKey]: name, [argumentsKey]: input };
}

/** Every call as one JSON object between the two texts, on lines of their own. */
export function eachJson(open: string, close: string, argumentsKey?: string): (calls: readonly Written[]) => string {
  return (calls) => calls.map((call) => `${open}${safeJson(jsonCall(call, 'name', argumentsKey))}${close}`).join('\n');
}

/** All calls as one JSON list between the two texts. */
export function listJson(open: string, close: string, argumentsKey?: string): (calls: readonly Written[]) => string {
  return (calls) =>
    `${open}[${calls.map((call) => safeJson(jsonCall(call, 'name', argumentsKey))).join(', ')}]${close}`;
}

/** A value as the text of a parameter. */
export function asText(value: Json | undefined): string {
  return typeof value === 'string' ? value : safeJson(value ?? null);
}

/** Whether what was read is the call that was written. */
export function isSame(spoken: Spoken | undefined, call: Written, tools: Toolset): boolean {
  if (spoken === undefined || spoken.name.trim() !== call.name) return false;
  const { arguments: given } = spoken;
  if (given.type === 'json') return equal(given.value, call.input);
  if (given.type !== 'texts') return false;
  const keys = new Set(given.entries.map(({ key }) => key));
  return (
    keys.size === given.entries.length && equal(coerceTexts(given.entries, tools.schema(call.name)).value, call.input)
  );
}
