// Which lines are Codex's.
import { isObject, type JsonObject } from '../../../json/values.ts';

const TYPES = new Set<unknown>(
  `session_meta turn_context response_item event_msg compacted world_state inter_agent_communication_metadata`.split(
    /\s+/,
  ),
);

/** What `codex exec --json` prints. */
const EVENTS = new Set<unknown>(['thread.started', 'turn.started', 'item.started', 'item.completed']);

export function recognise(value: JsonObject): boolean {
  const { type, payload } = value;
  if (type === undefined) return isOldHeader(value) || value.record_type === 'state';
  if (isObject(payload)) return typeof value.timestamp === 'string' && TYPES.has(type);
  return EVENTS.has(type) && (typeof value.thread_id === 'string' || isObject(value.item) || isBare(value));
}

/** Before lines had a type of their own, a log began with this and went on with bare items. */
function isOldHeader({ id, timestamp, instructions, git, role, messages }: JsonObject): boolean {
  if (typeof id !== 'string' || typeof timestamp !== 'string' || role !== undefined || messages !== undefined)
    return false;
  return isObject(git) || instructions === null || typeof instructions === 'string';
}

const isBare = (value: JsonObject): boolean => Object.keys(value).length === 1;
