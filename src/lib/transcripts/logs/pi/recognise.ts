// Which lines are pi's.
import { isObject, type JsonObject } from '../../../json/values.ts';

const TYPES = new Set(
  `message model_change thinking_level_change compaction branch_summary custom custom_message label session_info`.split(
    /\s+/,
  ),
);

/** The header, or an entry: entries of the first version had no ids. */
export function recognise(value: JsonObject): boolean {
  const { type, id, timestamp, cwd, message } = value;
  if (typeof timestamp !== 'string' || typeof type !== 'string') return false;
  if (type === 'session') return typeof id === 'string' && typeof cwd === 'string';
  if (!TYPES.has(type) || 'sessionId' in value || 'payload' in value) return false;
  if (type === 'message')
    return isObject(message) && typeof message.role === 'string' && typeof message.timestamp === 'number';
  return 'parentId' in value || type === 'model_change' || type === 'thinking_level_change' || type === 'compaction';
}
