// Which records are of the GenAI semantic conventions: messages with typed parts, and attributes of a span or an event.
import { isObject, type JsonObject } from '../../json/values.ts';
import { type Claim, claim } from '../types.ts';
import { INPUT, OUTPUT } from './name.ts';

export function recognise(value: JsonObject): Claim | undefined {
  const { role, parts, type } = value;
  if (role !== undefined) {
    if (typeof role !== 'string' || !Array.isArray(parts) || value.content !== undefined) return undefined;
    const [first] = parts;
    // Parts of the Gemini API have no type.
    const sure = isObject(first) && typeof first.type === 'string';
    return sure || (first === undefined && 'finish_reason' in value) ? claim('message', true) : undefined;
  }
  if (type !== undefined) return undefined;
  if (value[INPUT] !== undefined || value[OUTPUT] !== undefined) return claim('conversation', true);
  return HEAD_FIELDS.some((field) => field in value) ? claim('head', true) : undefined;
}

const HEAD_FIELDS = [
  'gen_ai.request.model',
  'gen_ai.system_instructions',
  'gen_ai.tool.definitions',
  'gen_ai.operation.name',
  'gen_ai.provider.name',
  'gen_ai.conversation.id',
];
