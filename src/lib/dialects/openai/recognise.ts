// Which records are Chat Completions'.
import { isObject, type JsonObject } from '../../json/values.ts';
import { isThinking } from '../anthropic/recognise.ts';
import { saysElsewhere } from '../chat/elsewhere.ts';
import { type Claim, claim } from '../types.ts';

const ROLES = new Set<unknown>(['system', 'developer', 'user', 'assistant', 'tool', 'function']);

export function recognise(value: JsonObject): Claim | undefined {
  if (Array.isArray(value.choices) && isReply(value)) return claim('reply', true);
  if (typeof value.role === 'string') return message(value);
  if (value.type !== undefined) return undefined;
  if (Array.isArray(value.messages)) return conversation(value, value.messages);
  return head(value);
}

function isReply(value: JsonObject): boolean {
  const [choice] = value.choices as JsonObject[];
  return isObject(choice) && isObject(choice.message);
}

function message(value: JsonObject): Claim | undefined {
  const { role, content } = value;
  if (!ROLES.has(role) || value.type !== undefined) return undefined;
  if (content === undefined && saysElsewhere(value)) return undefined;
  let sure = role === 'developer' || role === 'function' || ONLY_HERE.some((field) => value[field] !== undefined);
  sure ||= role === 'tool' && typeof value.tool_call_id === 'string' && !Array.isArray(value.content);
  if (content === undefined || content === null || typeof content === 'string') return claim('message', sure);
  if (!Array.isArray(content)) return undefined;
  // An id beside the content is nobody else's, whatever parts a client has put in.
  if (role === 'tool' && typeof value.tool_call_id === 'string' && content.every(isObject))
    return claim('message', sure);
  for (const part of content) {
    if (
      !isObject(part) ||
      typeof part.type !== 'string' ||
      FOREIGN.has(part.type) ||
      part.type.endsWith('_tool_result')
    )
      return undefined;
    if (part.type === 'image' || part.type === 'document') return undefined;
    sure ||= OWN.has(part.type);
  }
  return claim('message', sure);
}

const ONLY_HERE = ['tool_calls', 'function_call', 'reasoning_content', 'refusal', 'tool_call_id'];

const OWN = new Set(['image_url', 'input_audio', 'file', 'refusal']);

const FOREIGN = new Set(
  [
    'tool_use',
    'tool_result',
    'thinking',
    'redacted_thinking',
    'server_tool_use',
    'mcp_tool_use',
    'search_result',
    'container_upload',
  ].concat(['input_text', 'output_text', 'input_image', 'input_file']),
);

function conversation(value: JsonObject, messages: readonly unknown[]): Claim | undefined {
  const top = isHead(value) ? head(value) : undefined;
  if (isHead(value) && top === undefined) return undefined;
  let sure = top?.sure === true;
  for (const item of messages) {
    if (!isObject(item) || typeof item.role !== 'string') return undefined;
    const found = message(item);
    if (found === undefined) return undefined;
    sure ||= found.sure;
    if (sure) break;
  }
  return claim('conversation', sure);
}

const HEAD_FIELDS = [
  'model',
  'tools',
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'stream',
  'tool_choice',
  'top_p',
  'response_format',
];

/** With messages beside them, these are this API's too. */
const BESIDE_MESSAGES = ['stream_options', 'parallel_tool_calls'];

const isHead = (value: JsonObject): boolean => HEAD_FIELDS.some((field) => field in value);

function head(value: JsonObject): Claim | undefined {
  if (!isHead(value) || NOT_HERE.some((field) => field in value)) return undefined;
  const { tools, tool_choice, thinking } = value;
  if (isThinking(value) || (isObject(thinking) && 'token_budget' in thinking)) return undefined;
  const tool = Array.isArray(tools) ? tools[0] : undefined;
  const beside = Array.isArray(value.messages) && BESIDE_MESSAGES.some((field) => field in value);
  const spelled = beside || OWN_FIELDS.some((field) => field in value);
  const own = isObject(tool) && (isObject(tool.function) || isObject(tool.custom));
  if (tool !== undefined && !own && !spelled) return isHosted(value, tool) ? claim('head', false) : undefined;
  const named = isObject(tool_choice) && (isObject(tool_choice.function) || isObject(tool_choice.custom));
  if (isObject(tool_choice) && !named && tool_choice.type !== 'allowed_tools') return undefined;
  return claim('head', isObject(tool) || named || typeof tool_choice === 'string' || spelled);
}

/** Beside messages, a tool that the server runs: servers that speak this dialect have them, with types that bear no date. */
function isHosted({ messages, tool_choice }: JsonObject, tool: unknown): boolean {
  if (!Array.isArray(messages) || !isObject(tool) || typeof tool.type !== 'string' || isObject(tool_choice))
    return false;
  return tool.input_schema === undefined && !/_20\d{6}$|^mcp_toolset$/.test(tool.type);
}

const OWN_FIELDS = ['response_format', 'max_completion_tokens', 'reasoning_effort', 'logit_bias'];

/** Fields of a body that only other APIs have. */
const NOT_HERE = [
  'system',
  'input',
  'contents',
  'conversations',
  'instructions',
  'include',
  'max_output_tokens',
  'previous_response_id',
  'truncation',
  'stop_sequences',
  'generationConfig',
  'anthropic_version',
  'choices',
  'message',
  'done',
];

/** A chunk has choices without messages; Azure's first one has none at all. */
export function recogniseEvent({ object, choices }: JsonObject): boolean {
  if (object === 'chat.completion.chunk') return true;
  if (!Array.isArray(choices)) return false;
  const [first] = choices;
  return first === undefined || (isObject(first) && isObject(first.delta));
}
