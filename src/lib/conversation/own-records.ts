// Records of the suite's own, which stand between messages or in place of them.
import { isObject, type Json, type JsonObject } from '../json/values.ts';

const TYPES = new Set<unknown>([
  'batch',
  'call',
  'context',
  'count',
  'delta',
  'hook',
  'installed',
  'match',
  'result',
  'route',
  'started',
  'stop',
]);

/** Whether a record is of a kind that one of these programs writes. */
export const isOurs = (value: Json | undefined): value is JsonObject => isObject(value) && TYPES.has(value.type);
