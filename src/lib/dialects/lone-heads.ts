// A head that stands on a line of its own must be known for one, whatever it holds.
import { isObject, type JsonObject } from '../json/values.ts';
import { identify } from './detect.ts';
import type { Format } from './types.ts';

/** The body of a rolled-up line as a head. What would not be known for a head of this format says so in its `_meta`. */
export function headMark(body: JsonObject, format: Format): JsonObject {
  const found = identify(body, format.name);
  if (found?.kind === 'head' && found.format === format) return body;
  return { ...body, _meta: { ...(isObject(body._meta) ? body._meta : {}), dialect: format.name } };
}

/** The head as it was before it was marked. */
export function withoutMark(head: JsonObject): JsonObject {
  if (!isObject(head._meta) || !('dialect' in head._meta)) return head;
  const { _meta, ...body } = head;
  const { dialect: _, ...meta } = _meta as JsonObject;
  return Object.keys(meta).length > 0 ? { ...body, _meta: meta } : body;
}
