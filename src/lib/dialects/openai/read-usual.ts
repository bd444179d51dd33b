// The messages that most are, of a few fields each: read without looking for all that they do not have.
import { parseArguments } from '../../conversation/parse-arguments.ts';
import type { Form, Message, Part, Role, ToolCallPart } from '../../conversation/types.ts';
import { isObject, type JsonObject } from '../../json/values.ts';
import { OPENAI } from './name.ts';

const STRING = { [OPENAI]: 'string' };
const NULL = { [OPENAI]: 'null' };
const ABSENT = { [OPENAI]: 'absent' };
const TOOL = { [OPENAI]: 'tool' };

/** The same as reading it field by field; undefined for a message that has other fields, or others in its calls. */
export function readUsual(native: JsonObject, role: Role): Message | undefined {
  if (role === 'assistant') return readAssistant(native);
  const { content } = native;
  if (typeof content !== 'string') return undefined;
  if (role === 'tool') return readResult(native, content);
  for (const key in native) if (key !== 'role' && key !== 'content') return undefined;
  return { role, parts: [{ type: 'text', text: content }], name: undefined, form: STRING, ext: undefined };
}

function readResult(native: JsonObject, content: string): Message | undefined {
  const { role, tool_call_id: callId } = native;
  if (role !== 'tool' || typeof callId !== 'string') return undefined;
  for (const key in native) if (key !== 'role' && key !== 'content' && key !== 'tool_call_id') return undefined;
  const parts: Part[] = [{ type: 'text', text: content }];
  const result: Part = { type: 'tool_result', callId, name: undefined, parts, form: STRING };
  return { role: 'tool', parts: [result], form: TOOL, ext: undefined };
}

function readAssistant(native: JsonObject): Message | undefined {
  for (const key in native) if (key !== 'role' && key !== 'content' && key !== 'tool_calls') return undefined;
  const { content, tool_calls: calls } = native;
  const parts: Part[] = [];
  if (typeof content === 'string') parts.push({ type: 'text', text: content });
  else if (content !== undefined && content !== null) return undefined;
  if (calls !== undefined) {
    if (!Array.isArray(calls) || calls.length === 0) return undefined;
    for (const each of calls) {
      const call = readCall(each);
      if (call === undefined) return undefined;
      parts.push(call);
    }
  }
  const form: Form = typeof content === 'string' ? STRING : content === null ? NULL : ABSENT;
  return { role: 'assistant', parts, name: undefined, form, ext: undefined };
}

function readCall(native: unknown): ToolCallPart | undefined {
  if (!isObject(native)) return undefined;
  const { id, type: kind, function: fn } = native;
  if (kind !== 'function' || typeof id !== 'string' || !isObject(fn)) return undefined;
  for (const key in native) if (key !== 'id' && key !== 'type' && key !== 'function') return undefined;
  const { name, arguments: raw } = fn;
  if (typeof name !== 'string' || typeof raw !== 'string') return undefined;
  for (const key in fn) if (key !== 'name' && key !== 'arguments') return undefined;
  const read = parseArguments(raw);
  const form: Form = { openai: raw };
  if ('text' in read) return { type: 'tool_call', id, name, text: read.text, form, ext: undefined };
  return { type: 'tool_call', id, name, input: read.input, form, ext: undefined };
}
