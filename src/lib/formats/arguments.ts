// Arguments as text: the APIs of OpenAI and their relatives send calls so.
import { parseArguments } from '../ir/fold.ts';
import { asString, equal, isObject, type Json } from '../ir/json.ts';
import type { FormatName, ToolCallPart } from '../ir/types.ts';

/**
 * Arguments are text that should be JSON. The text itself comes back as long as it says what the view says. `path` is the field in errors. Throws
 * a ShapeError for anything but text, an object (some servers send one) or nothing.
 */
export function readArguments(
  raw: unknown,
  format: FormatName,
  path: string,
): Pick<ToolCallPart, 'input' | 'text' | 'form'> {
  if (isObject(raw)) return { input: raw, form: { [format]: 'object' } };
  if (raw === undefined) return { input: {}, form: { [format]: 'absent' } };
  const text = asString(raw, path);
  return { ...parseArguments(text), form: { [format]: text } };
}

/** The text as it came (to `format`, or to one of its `relatives`), if it still says what the view says; else the view. */
export function writeArguments(
  call: ToolCallPart,
  format: FormatName,
  relatives: readonly FormatName[] = [],
): Json | undefined {
  if (call.input === undefined) return call.text ?? '';
  const raw = call.form?.[format];
  if (raw === 'object') return call.input;
  if (raw === 'absent' && equal(call.input, {})) return undefined;
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
