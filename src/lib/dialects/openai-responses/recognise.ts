// Which records are the Responses API's.
import { isObject, type JsonObject } from '../../json/values.ts';
import { type Claim, claim } from '../types.ts';
import { ITEM_TYPES } from './kinds.ts';

export function recognise(value: JsonObject): Claim | undefined {
  const { type, role } = value;
  if (typeof type === 'string' && type !== 'message')
    return ITEM_TYPES.has(type) && isItem(value) ? claim('message', true) : undefined;
  if (typeof role === 'string') return message(value);
  if (type !== undefined && type !== null) return undefined;
  if (value.object === 'response' && Array.isArray(value.output)) return claim('reply', true);
  if ('input' in value) return conversation(value);
  return head(value);
}

const isItem = ({ type, id, call_id, summary, tools }: JsonObject): boolean =>
  typeof id === 'string' ||
  typeof call_id === 'string' ||
  summary !== undefined ||
  tools !== undefined ||
  BARE.has(type);

/** Items that need no field of their own to be told from records of others. */
const BARE = new Set<unknown>([
  'compaction',
  'compaction_trigger',
  'configuration_update',
  'function_call_output',
  'mcp_approval_response',
  'tool_search_call',
]);

const ROLES = new Set<unknown>(['user', 'assistant', 'system', 'developer']);

function message(value: JsonObject): Claim | undefined {
  const { role, content, type } = value;
  if (!ROLES.has(role) || NOT_IN_MESSAGES.some((field) => value[field] !== undefined)) return undefined;
  const typed = type === 'message';
  if (typeof content === 'string') return claim('message', typed || value.phase !== undefined);
  if (!Array.isArray(content)) return undefined;
  let sure = typed;
  for (const part of content) {
    if (!isObject(part) || typeof part.type !== 'string') return undefined;
    if (!CONTENT.has(part.type) && !typed) return undefined;
    sure ||= part.type !== 'refusal' && part.type !== 'input_audio';
  }
  return claim('message', sure);
}

const NOT_IN_MESSAGES = ['tool_calls', 'tool_call_id', 'function_call', 'stop_reason', 'parts', 'reasoning_content'];

const CONTENT = new Set(['input_text', 'output_text', 'input_image', 'input_file', 'input_audio', 'refusal']);

/** `input` may be a string; only beside what a request has is it one, since datasets call their questions so too. */
function conversation(value: JsonObject): Claim | undefined {
  const { input, messages, contents } = value;
  if (messages !== undefined || contents !== undefined) return undefined;
  if (typeof input === 'string')
    return 'output' in value || !HEAD_FIELDS.some((field) => field in value) ? undefined : claim('conversation', true);
  if (!Array.isArray(input)) return undefined;
  if (input.length === 0) return HEAD_FIELDS.some((field) => field in value) ? claim('conversation', true) : undefined;
  return isInput(input[0]) ? claim('conversation', true) : undefined;
}

function isInput(item: unknown): boolean {
  if (!isObject(item)) return false;
  const reference = typeof item.id === 'string' && item.role === undefined && item.type === undefined;
  return reference || typeof item.type === 'string' || recognise(item)?.kind === 'message';
}

const ONLY_HERE = [
  'instructions',
  'max_output_tokens',
  'previous_response_id',
  'truncation',
  'include',
  'background',
  'max_tool_calls',
];

const HEAD_FIELDS = [
  ...['model', 'tools', 'temperature', 'stream', 'tool_choice', 'top_p', 'text', 'reasoning', 'metadata', 'store'],
  ...['conversation', 'prompt', 'parallel_tool_calls', 'service_tier'],
  ...ONLY_HERE,
];

function head(value: JsonObject): Claim | undefined {
  if (!HEAD_FIELDS.some((field) => field in value) || OTHERS.some((field) => field in value)) return undefined;
  const own = ONLY_HERE.some((field) => field in value);
  if (!own && NOT_HERE.some((field) => field in value)) return undefined;
  const { tools, tool_choice, text } = value;
  const tool = Array.isArray(tools) ? tools[0] : undefined;
  if (tool !== undefined && !isTool(tool)) return undefined;
  const chosen = isObject(tool_choice) && CHOICES.has(tool_choice.type);
  if (isObject(tool_choice) && !chosen && tool_choice.type !== 'allowed_tools') return undefined;
  const spelled = isObject(text) && (isObject(text.format) || 'verbosity' in text);
  return claim('head', tool !== undefined || chosen || spelled || own);
}

/** A function whose fields are not one level deeper, or a tool of the API's own. */
function isTool(tool: unknown): boolean {
  if (!isObject(tool) || isObject(tool.function) || isObject(tool.custom) || 'input_schema' in tool) return false;
  return TOOLS.has(tool.type) || (tool.type === 'function' && typeof tool.name === 'string');
}

const TOOLS = new Set<unknown>([
  ...['custom', 'namespace', 'tool_search', 'file_search', 'computer', 'computer_use_preview', 'web_search', 'mcp'],
  ...['web_search_2025_08_26', 'web_search_preview', 'web_search_preview_2025_03_11', 'code_interpreter', 'shell'],
  ...['programmatic_tool_calling', 'image_generation', 'local_shell', 'apply_patch'],
]);

const CHOICES = new Set<unknown>([...TOOLS, 'function']);

/** Where other APIs keep their messages and replies. */
const OTHERS = [
  'messages',
  'contents',
  'conversations',
  'system',
  'generationConfig',
  'choices',
  'message',
  'delta',
  'done',
];

/** Parameters of other APIs, which a body may have by mistake. */
const NOT_HERE = [
  ...['max_tokens', 'max_completion_tokens', 'response_format', 'stop', 'stop_sequences', 'thinking'],
  ...['reasoning_effort', 'anthropic_version', 'n', 'seed'],
];

/** Every event has its number, those of later times too. */
export function recogniseEvent({ type, sequence_number }: JsonObject): boolean {
  return typeof type === 'string' && (type.startsWith('response.') || typeof sequence_number === 'number');
}
