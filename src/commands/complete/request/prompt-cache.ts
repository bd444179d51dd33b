// --cache-prompt: cache breakpoints, for APIs that cache a prompt's prefix only up to a marked block.
// https://platform.claude.com/docs/en/build-with-claude/prompt-caching
import { isObject, type Json, type JsonObject } from '../../../lib/json/values.ts';
import type { Quirks } from '../../../lib/models/types.ts';

const MARK = { cache_control: { type: 'ephemeral' } } as const;

/** The API's limit. */
const MAX_BREAKPOINTS = 4;

/**
 * The body with breakpoints after the tools, after the system prompt, and after the last two turns of the user: the second of these is what the
 * next request will read again. Breakpoints that the user set stay and count towards the limit. Other APIs cache by themselves, so their bodies are unchanged.
 */
export function markCacheBreakpoints(
  body: JsonObject,
  dialect: string,
  { cache_control: support }: Quirks,
): JsonObject {
  if (dialect === 'anthropic') return markAnthropic(body);
  return dialect === 'openai' && support === 'anthropic'
    ? markLastTurns(body, MAX_BREAKPOINTS - countBreakpoints(body))
    : body;
}

function markAnthropic(body: JsonObject): JsonObject {
  let left = MAX_BREAKPOINTS - countBreakpoints(body);
  const { tools, system } = body;
  const marked: JsonObject = {};
  if (left > 0 && Array.isArray(tools) && tools.length > 0) {
    marked.tools = markLast(tools);
    left -= 1;
  }
  if (left > 0 && system !== undefined && system !== '') {
    const blocks: Json[] = typeof system === 'string' ? [{ type: 'text', text: system }] : (system as Json[]);
    if (Array.isArray(blocks) && blocks.length > 0) {
      marked.system = markLast(blocks);
      left -= 1;
    }
  }
  return markLastTurns({ ...body, ...marked }, left);
}

function markLastTurns(body: JsonObject, left: number): JsonObject {
  const { messages } = body;
  if (!Array.isArray(messages)) return body;
  const users = messages.flatMap((message, at) => (isObject(message) && TURNS.has(message.role) ? [at] : []));
  const chosen = new Set(users.slice(-Math.min(2, Math.max(0, left))).filter(() => left > 0));
  return { ...body, messages: messages.map((message, at) => (chosen.has(at) ? markMessage(message) : message)) };
}

const TURNS = new Set<unknown>(['user', 'tool']);

function markMessage(message: Json): Json {
  if (!isObject(message)) return message;
  const { content } = message;
  if (typeof content === 'string')
    return content === '' ? message : { ...message, content: [{ type: 'text', text: content, ...MARK }] };
  return Array.isArray(content) && content.length > 0 ? { ...message, content: markLast(content) } : message;
}

/** Thinking cannot be marked. */
function markLast(blocks: readonly Json[]): Json[] {
  const at = blocks.findLastIndex((block) => isObject(block) && !/thinking/.test(String(block.type)));
  return blocks.map((block, i) =>
    i === at && isObject(block) && !block.cache_control ? { ...block, ...MARK } : block,
  );
}

function countBreakpoints(value: Json | undefined): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, inner) => sum + countBreakpoints(inner), 0);
  if (!isObject(value)) return 0;
  const own = isObject(value.cache_control) ? 1 : 0;
  return (
    own + ['tools', 'system', 'messages', 'content'].reduce((sum, field) => sum + countBreakpoints(value[field]), 0)
  );
}
