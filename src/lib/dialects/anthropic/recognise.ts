// Which records are Anthropic's.
import { isObject, type JsonObject } from '../../json/values.ts';
import { type Claim, claim } from '../types.ts';

export function recognise(value: JsonObject): Claim | undefined {
  if (isReply(value)) return claim('reply', true);
  if (typeof value.role === 'string') return message(value);
  if (value.type !== undefined) return undefined;
  if (Array.isArray(value.messages)) return conversation(value, value.messages);
  return head(value);
}

const isReply = (value: JsonObject): boolean =>
  value.type === 'message' &&
  value.role === 'assistant' &&
  Array.isArray(value.content) &&
  ('stop_reason' in value || 'usage' in value);

function message(value: JsonObject): Claim | undefined {
  const { role, content } = value;
  if (role !== 'user' && role !== 'assistant' && role !== 'system') return undefined;
  if (typeof content === 'string') return claim('message', false);
  if (!Array.isArray(content)) return undefined;
  if ('tool_calls' in value || value.type !== undefined) return undefined;
  let sure = false;
  for (const block of content) {
    if (!isObject(block)) return undefined;
    const { type } = block;
    if (typeof type !== 'string' || FOREIGN.has(type)) return undefined;
    sure ||= isOwn(block, type);
  }
  return claim('message', sure);
}

function isOwn(block: JsonObject, type: string): boolean {
  if (type === 'image' || type === 'document') return isObject(block.source);
  // Other APIs have blocks of this name too, without a signature.
  if (type === 'thinking') return typeof block.thinking === 'string' && block.signature !== undefined;
  return OWN.has(type) || type.endsWith('_tool_result');
}

/** Block types that no other format has. */
const OWN = new Set([
  'tool_use',
  'tool_result',
  'redacted_thinking',
  'server_tool_use',
  'mcp_tool_use',
  'search_result',
  'container_upload',
]);

const FOREIGN = new Set([
  'image_url',
  'input_text',
  'output_text',
  'input_image',
  'input_file',
  'input_audio',
  'file',
  'refusal',
]);

function conversation(value: JsonObject, messages: readonly unknown[]): Claim | undefined {
  const top = isHead(value) ? head(value) : undefined;
  let sure = top?.sure === true;
  for (const item of messages) {
    if (!isObject(item) || typeof item.role !== 'string') return undefined;
    // Some put whole replies among the messages.
    const found = isReply(item) ? claim('message', true) : message(item);
    if (found === undefined) return undefined;
    sure ||= found.sure;
    if (sure) break;
  }
  return claim('conversation', sure);
}

const HEAD_FIELDS = [
  'model',
  'system',
  'tools',
  'max_tokens',
  'temperature',
  'stream',
  'tool_choice',
  'metadata',
  'thinking',
  'top_p',
  'stop_sequences',
];

const isHead = (value: JsonObject): boolean => HEAD_FIELDS.some((field) => field in value);

function head(value: JsonObject): Claim | undefined {
  if (!isHead(value) || OTHERS.some((field) => field in value)) return undefined;
  const { tools, system, tool_choice } = value;
  const tool = Array.isArray(tools) ? tools[0] : undefined;
  if (tool !== undefined && !isTool(tool)) return undefined;
  if (Array.isArray(value.context_management)) return undefined;
  if (isObject(value.thinking) && 'token_budget' in value.thinking) return undefined;
  const spelled =
    isThinking(value) || ONLY_HERE.some((field) => field in value) || (system !== undefined && !isObject(system));
  const chosen = isObject(tool_choice) && CHOICES.has(tool_choice.type);
  return claim('head', spelled || chosen || tool !== undefined);
}

const CHOICES = new Set<unknown>(['auto', 'any', 'tool', 'none']);

/** A tool with a schema of its input, or one of the API's own: their types bear a date. */
function isTool(tool: unknown): boolean {
  if (!isObject(tool)) return false;
  const { type } = tool;
  if (typeof type !== 'string' || type === 'custom') return 'input_schema' in tool;
  return /_20\d{6}$/.test(type) || type === 'mcp_toolset';
}

/** Whether a body asks for thinking in this API's words. Servers compatible with Chat have a field of the name, and need no limit. */
export function isThinking({ thinking, max_tokens }: JsonObject): boolean {
  if (!isObject(thinking) || 'clear_thinking' in thinking || typeof thinking.type !== 'string') return false;
  const own = 'budget_tokens' in thinking || thinking.type === 'adaptive' || thinking.type === 'between_tools';
  return own || max_tokens !== undefined;
}

/** Where other formats keep their messages, their replies, and what they alone are asked. */
const OTHERS = [
  'input',
  'contents',
  'conversations',
  'prompt',
  'instructions',
  'output',
  'choices',
  'message',
  'done',
  'think',
  'keep_alive',
].concat(['citation_options', 'safety_mode', 'strict_tools', 'p', 'k']);

const ONLY_HERE = [
  'stop_sequences',
  'output_config',
  'anthropic_version',
  'anthropic_beta',
  'context_management',
  'mcp_servers',
];

export function recogniseEvent({ type }: JsonObject): boolean {
  return EVENTS.has(type);
}

const EVENTS = new Set<unknown>([
  ...['message_start', 'message_delta', 'message_stop', 'ping'],
  ...['content_block_start', 'content_block_delta', 'content_block_stop'],
]);
