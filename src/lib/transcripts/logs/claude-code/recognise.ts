// Which lines are Claude Code's.
import { isObject, type JsonObject } from '../../../json/values.ts';

/** Types of lines that need no more than a session to be known. */
const TYPES = new Set(
  `user assistant system attachment progress queue-operation custom-title ai-title agent-name last-prompt permission-mode mode pr-link
  frame-link worktree-state relocated bridge-session atis-latch stream_event result rate_limit_event tool_progress`.split(
    /\s+/,
  ),
);

export function recognise(value: JsonObject): boolean {
  const { type } = value;
  if (typeof type !== 'string') return false;
  if (type === 'summary') return typeof value.summary === 'string' && typeof value.leafUuid === 'string';
  if (type === 'file-history-snapshot') return isObject(value.snapshot);
  if (type === 'user' || type === 'assistant') return isSaid(value);
  if (!TYPES.has(type) || (typeof value.sessionId !== 'string' && typeof value.session_id !== 'string')) return false;
  // Other agents have records of such a type too, with other things in them.
  return type !== 'system' || (typeof value.subtype === 'string' && 'uuid' in value && !('systemPayload' in value));
}

/** Logs of other agents that took the form over hold messages of other APIs. */
function isSaid(value: JsonObject): boolean {
  const { message } = value;
  if (!isObject(message) || 'parts' in message || typeof message.role !== 'string') return false;
  return 'sessionId' in value || 'session_id' in value || 'parentUuid' in value || 'parent_tool_use_id' in value;
}
