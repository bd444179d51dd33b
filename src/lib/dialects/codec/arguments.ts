// Arguments of tool calls: text that should be JSON in some APIs, an object in others.
import { parseArguments } from '../../conversation/parse-arguments.ts';
import type { FormatName, Lose, ToolCallPart } from '../../conversation/types.ts';
import { asString, equal, isObject, type Json, type JsonObject } from '../../json/values.ts';

type Arguments = Pick<ToolCallPart, 'input' | 'text' | 'form'>;

/**
 * Arguments as text, or (some servers) as the object itself. The text comes back as long as it says what the view says. `path` names the field in
 * errors. Throws a ShapeError.
 */
export function readArguments(raw: unknown, format: FormatName, path: string): Arguments {
  if (raw === undefined) return { input: {}, form: { [format]: 'absent' } };
  if (raw === null) return { input: {}, form: { [format]: 'nothing' } };
  if (isObject(raw)) return { ...readInput(raw), form: { [format]: 'object' } };
  const text = asString(raw, path);
  return { ...parseArguments(text), form: { [format]: text } };
}

/** The arguments as text, spelled as they came to `format` or to one of its `relatives`, as long as that says what the view says. */
export function writeArguments(
  call: ToolCallPart,
  format: FormatName,
  relatives: readonly FormatName[] = [],
): Json | undefined {
  const form = call.form?.[format];
  if (call.custom) return JSON.stringify({ input: call.text ?? '' });
  if (call.input === undefined) return form === 'object' ? { _raw: call.text ?? '' } : (call.text ?? '');
  if (form === 'object') return call.input;
  if (form === 'absent' && equal(call.input, {})) return undefined;
  if (form === 'nothing' && equal(call.input, {})) return null;
  if (call.form !== undefined)
    for (const name of [format, ...relatives]) {
      const text = call.form[name];
      if (text !== undefined && saysStill(text, call.input)) return text;
    }
  return JSON.stringify(call.input);
}

function saysStill(text: string, input: Json): boolean {
  const read = parseArguments(text);
  return 'input' in read && equal(read.input, input);
}

/** The arguments of an API that takes an object. `{"_raw": …}` stands for those that are none. */
export function readInput(input: Json): { input: Json } | { text: string } {
  const raw = isObject(input) ? input._raw : undefined;
  return typeof raw === 'string' && Object.keys(input as JsonObject).length === 1 ? { text: raw } : { input };
}

/** The arguments for an API that takes an object. The text of a custom tool stands under the key that its schema gets (see tools.ts). */
export function inputOf(call: ToolCallPart, lose: Lose): JsonObject {
  if (isObject(call.input)) return call.input;
  if (call.custom) return { input: call.text ?? '' };
  const text = call.input === undefined || call.input === null ? (call.text ?? '') : JSON.stringify(call.input);
  if (text === '') return {};
  lose('arguments', 'they are not a JSON object: kept as {"_raw": …}');
  return { _raw: text };
}
