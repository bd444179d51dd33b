// Which records are Gemini's.
import { isObject, type JsonObject } from '../../json/values.ts';
import { type Claim, claim } from '../types.ts';

export function recognise(value: JsonObject): Claim | undefined {
  const { role, parts, contents } = value;
  if (parts !== undefined || role === 'model') return message(value);
  if (typeof role === 'string' || value.type !== undefined) return undefined;
  if (contents !== undefined) return conversation(value);
  if (Array.isArray(value.candidates))
    return isObject(value.candidates[0]) || 'usageMetadata' in value ? claim('reply', true) : undefined;
  if (isObject(value.promptFeedback) || isObject(value.prompt_feedback)) return claim('reply', true);
  return head(value);
}

const ROLES = new Set<unknown>(['user', 'model', 'function', undefined]);

/** Other formats have parts too; theirs say their type in a field. */
function message({ role, parts, type, content }: JsonObject): Claim | undefined {
  if (!ROLES.has(role) || type !== undefined || content !== undefined) return undefined;
  if (!Array.isArray(parts)) return role === 'model' && parts === undefined ? claim('message', true) : undefined;
  const [first] = parts;
  if (first === undefined) return role === 'model' ? claim('message', true) : undefined;
  return isPart(first) ? claim('message', true) : undefined;
}

const isPart = (part: unknown): boolean =>
  isObject(part) && typeof part.type !== 'string' && DATA.some((field) => field in part);

const DATA = [
  ...[
    'text',
    'inlineData',
    'inline_data',
    'fileData',
    'file_data',
    'functionCall',
    'function_call',
    'functionResponse',
  ],
  ...['function_response', 'executableCode', 'executable_code', 'codeExecutionResult', 'code_execution_result'],
  ...['toolCall', 'tool_call', 'toolResponse', 'tool_response', 'audioTranscription', 'thought', 'thoughtSignature'],
];

function conversation({ contents }: JsonObject): Claim | undefined {
  const list = Array.isArray(contents) ? contents : isObject(contents) ? [contents] : undefined;
  if (typeof contents === 'string' || list?.length === 0) return claim('conversation', true);
  return list?.every((item) => isObject(item) && message(item)) ? claim('conversation', true) : undefined;
}

const ONLY_HERE = [
  ...['generationConfig', 'generation_config', 'systemInstruction', 'system_instruction', 'toolConfig', 'tool_config'],
  ...['safetySettings', 'safety_settings', 'cachedContent', 'cached_content'],
];

const TOOLS = [
  ...[
    'functionDeclarations',
    'function_declarations',
    'googleSearch',
    'google_search',
    'codeExecution',
    'code_execution',
  ],
  ...['urlContext', 'url_context', 'googleSearchRetrieval', 'google_search_retrieval', 'fileSearch', 'file_search'],
  ...['googleMaps', 'google_maps', 'computerUse', 'computer_use', 'retrieval', 'enterpriseWebSearch', 'mcpServers'],
];

/** A model alone may be this API's too: it has every other parameter in an object of its own. */
function head(value: JsonObject): Claim | undefined {
  if ('messages' in value || 'input' in value) return undefined;
  const { tools } = value;
  const tool = Array.isArray(tools) ? tools[0] : undefined;
  if (isObject(tool)) return TOOLS.some((field) => field in tool) ? claim('head', true) : undefined;
  if (ONLY_HERE.some((field) => field in value)) return claim('head', true);
  return 'model' in value && !OTHERS.some((field) => field in value) ? claim('head', false) : undefined;
}

/** What other APIs have at the top. */
const OTHERS = [
  ...['choices', 'message', 'delta', 'done'],
  ...[
    'max_tokens',
    'max_completion_tokens',
    'max_output_tokens',
    'temperature',
    'top_p',
    'stream',
    'system',
    'instructions',
  ],
  ...[
    'tool_choice',
    'response_format',
    'reasoning',
    'thinking',
    'metadata',
    'stop',
    'stop_sequences',
    'text',
    'n',
    'seed',
  ],
];

/** Every chunk is a reply by its shape. */
export function recogniseEvent(event: JsonObject): boolean {
  if (event.choices !== undefined || event.type !== undefined) return false;
  return Array.isArray(event.candidates) || FEEDBACK.some((field) => isObject(event[field]));
}

const FEEDBACK = ['usageMetadata', 'usage_metadata', 'promptFeedback', 'prompt_feedback'];
