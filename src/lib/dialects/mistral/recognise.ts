// Which records are Mistral's: most of what it says it says as Chat Completions does.
import { isObject, type JsonObject } from '../../json/values.ts';
import { recogniseParts, recogniser } from '../chat/recognise.ts';

export const recognise = recogniser({ message, head, reply });

/** Chunk types of this API: true for those that no other has, or spells so. */
const CHUNKS: { readonly [type: string]: (chunk: JsonObject) => boolean | undefined } = {
  text: () => false,
  image_url: () => false,
  document_url: () => true,
  reference: () => true,
  tool_reference: () => true,
  thinking: (chunk) => Array.isArray(chunk.thinking) || undefined,
  file: (chunk) => typeof chunk.file_id === 'string' || undefined,
  input_audio: (chunk) => typeof chunk.input_audio === 'string' || undefined,
};

function message({ content }: JsonObject): boolean | undefined {
  if (Array.isArray(content)) return recogniseParts(content, CHUNKS);
  return content === undefined || content === null || typeof content === 'string' ? false : undefined;
}

const ONLY_HERE = ['random_seed', 'safe_prompt', 'prompt_mode', 'guardrails'];
const ALSO_HERE = ['model', 'tools', 'max_tokens', 'temperature', 'stream', 'tool_choice', 'top_p', 'response_format'];
const TOOLS = new Set<unknown>(['document_library', 'connector', 'web_search_premium']);

function head(value: JsonObject): boolean | undefined {
  const tools = Array.isArray(value.tools) ? value.tools.filter(isObject) : [];
  if (ONLY_HERE.some((field) => field in value) || tools.some(({ type }) => TOOLS.has(type))) return true;
  if (tools.length > 0 && !tools.some((tool) => isObject(tool.function))) return undefined;
  return ALSO_HERE.some((field) => field in value) ? false : undefined;
}

function reply({ choices, usage }: JsonObject): boolean | undefined {
  const [choice] = Array.isArray(choices) ? choices : [];
  if (!isObject(choice) || !isObject(choice.message)) return undefined;
  const counted = isObject(usage) && ('num_cached_tokens' in usage || 'prompt_audio_seconds' in usage);
  return counted || choice.finish_reason === 'model_length' || message(choice.message) === true;
}

/** A chunk as Chat has it, of a model of Mistral's own API: only there its content may be a list, and calls come whole. */
export const recogniseEvent = ({ object, model }: JsonObject): boolean =>
  object === 'chat.completion.chunk' && typeof model === 'string' && OWN_MODELS.test(model);

const OWN_MODELS = /^(open-)?(mistral|mixtral|ministral|magistral|codestral|devstral|pixtral|voxtral)-/;
