// Calls as Chat Completions spells them, for the APIs that took its spelling over.

import type { FormatName, ToolCallPart } from '../../conversation/types.ts';
import { asArray, asObject, asString, type Json, type JsonObject } from '../../json/values.ts';
import { readArguments } from '../codec/arguments.ts';
import { idByName, lacksId, withoutId } from '../codec/call-ids.ts';
import { gather, spread } from '../codec/fields.ts';
import { ifNull, own, residual } from '../codec/residual.ts';
import type { CalledFields, CallFields } from './types.ts';

/** `tool_calls` of a message; none where the field is absent or null. Throws a ShapeError. */
export function readCalls(native: unknown, format: FormatName): ToolCallPart[] {
  if (native === undefined || native === null) return [];
  return asArray(native, 'tool_calls').map((call, index) => readCall(call, index, format));
}

function readCall(native: unknown, at: number, format: FormatName): ToolCallPart {
  const { id, type, function: fn, index, ...rest }: CallFields = asObject(native, `tool_calls[${at}]`);
  const { name, arguments: raw, index: inner, ...more }: CalledFields = asObject(fn, `tool_calls[${at}].function`);
  const called = asString(name, `tool_calls[${at}].function.name`);
  const numbered = id !== undefined && id !== null;
  const read = readArguments(raw, format, `tool_calls[${at}].function.arguments`);
  const numberedInside = typeof inner === 'number';
  const within = residual(format, more, { index: numberedInside ? undefined : inner })?.[format] ?? {};
  return {
    type: 'tool_call',
    id: numbered ? asString(id, `tool_calls[${at}].id`) : idByName(called),
    name: called,
    ...read,
    form: {
      ...read.form,
      ...(!numbered && withoutId(format)),
      ...(numberedInside && { [`${format}:index`]: String(inner) }),
    },
    ext: residual(format, rest, { id: ifNull(id), type, index, ...spread('function', within) }),
  };
}

/** `tool_calls` of a message; `argumentsOf` gives the arguments as the API takes them. */
export function writeCalls(
  calls: readonly ToolCallPart[],
  format: FormatName,
  argumentsOf: (call: ToolCallPart) => Json | undefined,
): JsonObject | undefined {
  return calls.length > 0 ? { tool_calls: calls.map((call) => writeCall(call, format, argumentsOf(call))) } : undefined;
}

function writeCall(call: ToolCallPart, format: FormatName, written: Json | undefined): JsonObject {
  const { inner, beside } = gather('function', own(call.ext, format));
  const index = call.form?.[`${format}:index`];
  const id = lacksId(call, format) ? undefined : { id: call.id };
  const type = call.form?.[format] === undefined ? { type: 'function' } : undefined;
  const about = { name: call.name, ...(written !== undefined && { arguments: written }) };
  return {
    ...id,
    ...type,
    ...beside,
    function: { ...inner, ...(index !== undefined && { index: Number(index) }), ...about },
  };
}
