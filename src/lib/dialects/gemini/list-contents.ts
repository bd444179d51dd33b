// Contents that are no list.
import { isObject, type Json } from '../../json/values.ts';

/** The contents of a body that spells them as the SDK takes them: a text, or one content. */
export function listContents(value: Json): Json[] | undefined {
  if (typeof value === 'string') return [{ role: 'user', parts: [{ text: value }] }];
  return isObject(value) && Array.isArray(value.parts) ? [value] : undefined;
}
