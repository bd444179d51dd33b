// Which records are ShareGPT's.
import { isObject, type JsonObject } from '../../json/values.ts';
import { type Claim, claim } from '../types.ts';
import { speakerOf } from './tags.ts';

export function recognise(value: JsonObject): Claim | undefined {
  const { conversations, from, role } = value;
  if (from !== undefined) return speakerOf(from) && 'value' in value ? claim('message', true) : undefined;
  if (Array.isArray(conversations)) {
    const [first] = conversations;
    return first === undefined || (isObject(first) && (speakerOf(first.from) || speakerOf(first.role)))
      ? claim('conversation', true)
      : undefined;
  }
  // Some datasets spell their turns as chat messages do.
  if (role !== undefined)
    return speakerOf(role) && typeof value.content === 'string' ? claim('message', false) : undefined;
  return isHead(value) ? claim('head', true) : undefined;
}

/** Tools as text are found nowhere else. */
const isHead = ({ tools, type, messages }: JsonObject): boolean =>
  typeof tools === 'string' && type === undefined && messages === undefined;
