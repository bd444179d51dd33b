// The shapes that Chat has in common with the APIs that took them over.
import { isObject, type Json } from '../../json/values.ts';
import {
  anything,
  by,
  fields,
  filled,
  flag,
  kinds,
  object,
  one,
  only,
  orGiven,
  type Shape,
  text,
  textOr,
} from '../shapes.ts';

/**
 * Arguments are the text of an object. Servers that fill them into a template refuse others, and the call stands in their way for ever:
 * https://github.com/sgl-project/sglang/pull/28035, https://github.com/vllm-project/vllm/issues/43995, and
 * `arguments must be a valid JSON object string`, https://github.com/justrach/codegraff/issues/752. No text at all means none.
 */
export const args: Shape = (value, path) => {
  if (typeof value !== 'string') return { path, is: value, must: 'a text' };
  return value.trim() === '' || isObject(parsed(value))
    ? undefined
    : { path, is: value, must: 'the JSON of an object', mend: { path, value: JSON.stringify({ _raw: value }) } };
};

function parsed(value: string): Json | undefined {
  try {
    return JSON.parse(value) as Json;
  } catch {
    return undefined;
  }
}

export const fn = fields(
  { 'name!': filled, description: text, parameters: anything, strict: flag },
  new Set(['input_schema']),
);
export const called = fields({
  'id!': text,
  'type!': only('function'),
  'function!': fields({ 'name!': filled, 'arguments!': orGiven(args, '{}') }),
});

export const url = fields({ 'url!': text, detail: one('auto low high original') });

/** An object with one of these fields at least. */
export function oneOf(...names: readonly string[]): Shape {
  return (value, path) => {
    if (!isObject(value)) return { path, is: value, must: 'an object' };
    return names.some((name) => typeof value[name] === 'string')
      ? undefined
      : { path, is: value, must: `an object with ${names.join(' or ')}` };
  };
}

export const FOREIGN = new Set(['parts', 'is_error', 'stop_reason']);

export const TOOL_FOREIGN = new Set(['input_schema', 'name', 'parameters']);
export const choice = (words: string): Shape =>
  textOr(
    one(words),
    by('type', {
      ...kinds('function', fields({ 'function!': fields({ 'name!': filled }) })),
      custom: fields({ 'custom!': fields({ 'name!': filled }) }),
      allowed_tools: fields({ 'allowed_tools!': object }),
    }),
  );
