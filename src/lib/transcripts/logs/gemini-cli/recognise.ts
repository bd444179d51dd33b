// Which lines are Gemini CLI's.
import { isObject, type JsonObject } from '../../../json/values.ts';

const TYPES = new Set<unknown>(['user', 'gemini', 'model', 'info', 'error', 'warning']);

export function recognise(value: JsonObject): boolean {
  const { type, sessionId, messages, history } = value;
  if (type !== undefined) return isMessage(value);
  if (value.$set !== undefined) return isObject(value.$set);
  if (typeof value.$rewindTo === 'string' || isObject(value.$patch)) return true;
  if (typeof sessionId === 'string' && typeof value.projectHash === 'string') return true;
  const [first] = Array.isArray(messages) ? messages : Array.isArray(history) ? history : [];
  if (!isObject(first)) return false;
  return Array.isArray(history) ? Array.isArray(first.parts) : typeof sessionId === 'string' && isMessage(first);
}

function isMessage({ type, id, timestamp, content, parts, sessionId, uuid }: JsonObject): boolean {
  if (!TYPES.has(type) || typeof id !== 'string' || typeof timestamp !== 'string') return false;
  return sessionId === undefined && uuid === undefined && (content !== undefined || parts !== undefined);
}
