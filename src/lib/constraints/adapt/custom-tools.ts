// OpenAI's custom tools take text. Elsewhere they are functions that take an object with that text; `_meta.custom` names them for the way back.
// https://platform.openai.com/docs/guides/function-calling#custom-tools

import { HAS } from '../../conversation/message-traits.ts';
import type { FormatName, Head, Lose, Message, Part, Tool, ToolCallPart } from '../../conversation/types.ts';
import { type Adaptation, eachMessage } from '../../conversion/adaptation.ts';
import { constraintsOf } from '../../dialects/table.ts';
import { isObject, type JsonObject } from '../../json/values.ts';

const FREE_TEXT = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] };

/** Custom tools and calls as the API knows them. */
export function goodCustomTools(to: FormatName): Adaptation {
  if (constraintsOf(to).customTools) return eachMessage(headBack, messageBack, HAS.meta);
  return eachMessage(asFunctions, callsAsFunctions, HAS.calls);
}

function asFunctions(head: Head, lose: Lose): Head {
  const names = (head.tools ?? []).filter(({ type }) => type === 'custom').map(({ name }) => name);
  if (names.length === 0) return head;
  for (const name of names)
    lose(`tools: ${name}`, 'a free-text tool is written as a tool whose object has one text field', 'changed');
  const tools = head.tools?.map(
    (tool): Tool => (tool.type === 'custom' ? { ...tool, type: 'function', schema: FREE_TEXT } : tool),
  );
  return { ...head, tools, meta: { ...head.meta, custom: names } };
}

function callsAsFunctions(message: Message): Message {
  if (message.role !== 'assistant' || !message.parts.some(isCustom)) return message;
  const names = message.parts.filter(isCustom).map(({ name }) => name);
  const parts = message.parts.map((part): Part => {
    if (!isCustom(part)) return part;
    const { custom: _, text, ...call } = part;
    return { ...call, input: { input: text ?? '' } };
  });
  return { ...message, parts, meta: { ...message.meta, custom: [...new Set(names)] } };
}

const isCustom = (part: Part): part is ToolCallPart => part.type === 'tool_call' && part.custom === true;

/** The names in `_meta.custom`, and what else `_meta` says. */
function named(meta: JsonObject | undefined): [ReadonlySet<unknown>, JsonObject | undefined] {
  const { custom, ...rest } = meta ?? {};
  return [new Set(Array.isArray(custom) ? custom : []), Object.keys(rest).length > 0 ? rest : undefined];
}

function headBack(head: Head): Head {
  const [names, meta] = named(head.meta);
  if (names.size === 0) return head;
  const tools = head.tools?.map((tool): Tool => {
    if (tool.type !== 'function' || !names.has(tool.name)) return tool;
    const { schema: _, ...rest } = tool;
    return { ...rest, type: 'custom' };
  });
  return { ...head, tools, meta };
}

function messageBack(message: Message): Message {
  if (message.meta === undefined) return message;
  const [names, meta] = named(message.meta);
  if (names.size === 0) return message;
  const parts = message.parts.map((part): Part => {
    const text =
      part.type === 'tool_call' && names.has(part.name) && isObject(part.input) ? part.input.input : undefined;
    if (part.type !== 'tool_call' || typeof text !== 'string') return part;
    const { input: _, ...call } = part;
    return { ...call, text, custom: true };
  });
  return { ...message, parts, meta };
}
