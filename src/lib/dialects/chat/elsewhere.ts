// Records with a role that are no messages of Chat Completions.
import type { JsonObject } from '../../json/values.ts';

/** Whether a record without content has its words where other programs keep them: read as a message it would be an empty one. */
export function saysElsewhere(value: JsonObject): boolean {
  if (value.content !== undefined) return false;
  if ('parts' in value) return true;
  return ELSEWHERE.some((field) => value[field] !== undefined) && !INSTEAD.some((field) => value[field] !== undefined);
}

const ELSEWHERE = ['message', 'text', 'value', 'body'];

/** What a message of Chat may have in place of its content. */
const INSTEAD = [
  'tool_calls',
  'function_call',
  'tool_call_id',
  'refusal',
  'audio',
  'reasoning_content',
  'reasoning',
].concat(['reasoning_details', 'images', 'thinking', 'tool_plan']);
