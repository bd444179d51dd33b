// Which records are Cohere's: most of what it says it says as Chat Completions does.
import { isObject, type JsonObject } from '../../json/values.ts';
import { recogniseParts, recogniser } from '../chat/recognise.ts';

export const recognise = recogniser({ message, head, reply });

/** Block types of this API: true for those that no other has, or spells so. */
const BLOCKS: { readonly [type: string]: (block: JsonObject) => boolean | undefined } = {
  text: () => false,
  thinking: (block) => (block.signature === undefined && typeof block.thinking === 'string' ? false : undefined),
  image_url: () => false,
  document: (block) => (isObject(block.document) && 'data' in block.document) || undefined,
};

function message(value: JsonObject): boolean | undefined {
  const { content } = value;
  if (typeof value.tool_plan === 'string' || isCited(value.citations)) return true;
  if (Array.isArray(content)) return recogniseParts(content, BLOCKS);
  return content === undefined || content === null || typeof content === 'string' ? false : undefined;
}

/** Citations with their sources, beside the content. */
function isCited(citations: unknown): boolean {
  const [first] = Array.isArray(citations) ? citations : [];
  return isObject(first) && Array.isArray(first.sources);
}

const ONLY_HERE = ['citation_options', 'safety_mode', 'strict_tools', 'k', 'p'];
const ALSO_HERE = [
  'model',
  'tools',
  'max_tokens',
  'temperature',
  'stream',
  'tool_choice',
  'stop_sequences',
  'thinking',
];

function head(value: JsonObject): boolean | undefined {
  const { tools, tool_choice, thinking, model } = value;
  if (tool_choice === 'REQUIRED' || tool_choice === 'NONE') return true;
  if (isObject(thinking) && 'token_budget' in thinking) return true;
  if (typeof model === 'string' && ONLY_HERE.some((field) => field in value)) return true;
  const [tool] = Array.isArray(tools) ? tools : [];
  if (isObject(tool) && !isObject(tool.function)) return undefined;
  return ALSO_HERE.some((field) => field in value) ? false : undefined;
}

function reply({ message: said, finish_reason }: JsonObject): boolean | undefined {
  return isObject(said) && typeof finish_reason === 'string' ? true : undefined;
}

/** https://docs.cohere.com/v2/docs/streaming#stream-event-types-chat */
export const recogniseEvent = ({ type }: JsonObject): boolean => typeof type === 'string' && EVENTS.has(type);

const EVENTS = new Set([
  ...['message', 'content', 'tool-call', 'citation'].flatMap((of) => [`${of}-start`, `${of}-end`]),
  ...['content-delta', 'tool-plan-delta', 'tool-call-delta', 'debug'],
]);
