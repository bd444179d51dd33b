// The blocks that most are, of a few fields each: read without looking for all that they do not have.

import type { Form, Part } from '../../conversation/types.ts';
import type { Json, JsonObject } from '../../json/values.ts';
import { isObject } from '../../json/values.ts';
import { ANTHROPIC } from './name.ts';

const STRING: Form = { [ANTHROPIC]: 'string' };

/** The same as reading it field by field; undefined for a block of another type, or with other fields. */
export function readUsual(block: JsonObject): Part | undefined {
  if (block.type === 'text') return readText(block);
  if (block.type === 'tool_use') return readCall(block);
  return block.type === 'tool_result' ? readResult(block) : undefined;
}

function readText(block: JsonObject): Part | undefined {
  const { text } = block;
  if (typeof text !== 'string') return undefined;
  for (const key in block) if (key !== 'type' && key !== 'text') return undefined;
  return { type: 'text', text };
}

function readCall(block: JsonObject): Part | undefined {
  const { id, name, input } = block;
  if (typeof id !== 'string' || typeof name !== 'string' || !isObject(input) || input._raw !== undefined)
    return undefined;
  for (const key in block) if (key !== 'type' && key !== 'id' && key !== 'name' && key !== 'input') return undefined;
  return { type: 'tool_call', id, name, input: input as Json };
}

function readResult(block: JsonObject): Part | undefined {
  const { tool_use_id: callId, content } = block;
  if (typeof callId !== 'string' || typeof content !== 'string') return undefined;
  for (const key in block) if (key !== 'type' && key !== 'tool_use_id' && key !== 'content') return undefined;
  return { type: 'tool_result', callId, parts: [{ type: 'text', text: content }], form: STRING };
}
