// What a token is to each family of models: OpenAI's are counted, the others estimated from the same count.
import type { FormatName } from '../conversation/types.ts';
import type { Encoding } from './encoder.ts';

export interface Family {
  readonly name: string;
  readonly encoding: Encoding;
  /** Tokens of the family for each token of the encoding. 1: the count is exact. */
  readonly factor: number;
  /**
   * What the API puts around a request, a message, a call with its result, around tools as soon as there are any, and what it says where one of
   * them or a schema is forced. Tokens.
   */
  readonly framing: {
    readonly request: number;
    readonly message: number;
    readonly call: number;
    readonly tools: number;
    readonly forced: number;
  };
  readonly media: 'openai' | 'patches' | 'claude' | 'gemini' | 'dearest';
}

/**
 * Text exact, by https://github.com/openai/tiktoken. The framing was fitted to recorded requests: an extra of 4 for each message, of 3 for
 * each request (2 for models that reason), and what tools cost beyond their definitions.
 */
const gpt4o: Family = {
  name: 'gpt-4o',
  encoding: 'o200k_base',
  factor: 1,
  framing: { request: 3, message: 4, call: 10, tools: 12, forced: 0 },
  media: 'openai',
};

const gpt5: Family = { ...gpt4o, name: 'gpt-5', framing: { ...gpt4o.framing, tools: 95 }, media: 'patches' };

const gpt4: Family = { ...gpt4o, name: 'gpt-4', encoding: 'cl100k_base' };

const gptOss: Family = {
  ...gpt4o,
  name: 'gpt-oss',
  framing: { request: 70, message: 5, call: 14, tools: 100, forced: 0 },
};

/**
 * Fitted to 809 differences of prompt size that Anthropic reported for two long sessions: 1.14 for each token of o200k and 71 for each call
 * with its result; nine of ten differences are within 18 %. The API's own text about tools takes some 500 tokens.
 */
const claude: Family = {
  name: 'claude',
  encoding: 'o200k_base',
  factor: 1.14,
  framing: { request: 4, message: 3, call: 71, tools: 500, forced: 120 },
  media: 'claude',
};

/** Since Opus 4.7 the same text takes up to 1.35 times as many: https://platform.claude.com/docs/en/about-claude/models/whats-new-claude-4-7 */
const claudeNewer: Family = { ...claude, name: 'claude-4-7', factor: 1.42 };

/** English is within 3 % of o200k in recorded requests; numbers, which go digit by digit, take more. */
const gemini: Family = {
  name: 'gemini',
  encoding: 'o200k_base',
  factor: 1.1,
  framing: { request: 1, message: 2, call: 16, tools: 20, forced: 0 },
  media: 'gemini',
};

/** Llama, Qwen, DeepSeek, GLM, Kimi, Mistral: vocabularies of 100,000 to 200,000 tokens, many of which cut numbers into digits. */
const others: Family = {
  name: 'others',
  encoding: 'o200k_base',
  factor: 1.1,
  framing: { request: 10, message: 5, call: 20, tools: 150, forced: 20 },
  media: 'openai',
};

/** No model takes more for the same text: a bound for all of them. */
export const DEAREST: Family = {
  name: 'dearest',
  encoding: 'o200k_base',
  factor: claudeNewer.factor,
  framing: { request: 70, message: 5, call: 71, tools: 500, forced: 120 },
  media: 'dearest',
};

/** The first that a model's name fits. Cloud names (`us.anthropic.claude-…`, `openai/gpt-…`) hold it somewhere in them. */
const BY_MODEL: readonly (readonly [RegExp, Family])[] = [
  [/gpt-oss/, gptOss],
  [/gpt-5|(^|[/.])o[134]([-.@:]|$)|codex/, gpt5],
  [/gpt-4($|-(?!o))|gpt-3\.?5|text-embedding/, gpt4],
  [/gpt|davinci/, gpt4o],
  [/claude-[a-z]+-(4[-.][7-9]|[5-9])(\D|$)/, claudeNewer],
  [/claude/, claude],
  [/gemini|gemma/, gemini],
  [
    /llama|qwen|qwq|deepseek|glm|kimi|moonshot|mistral|mixtral|magistral|codestral|devstral|pixtral|grok|minimax|nova|command|phi-|yi-|granite|jamba|nemotron/,
    others,
  ],
];

/** Dialects that only their maker's models speak. Anthropic's is spoken by many. */
const BY_FORMAT: { readonly [format: FormatName]: Family } = { gemini };

/** The family of a model; of one that is not known, that of the dialect; else tokens are those of o200k. */
export function familyOf(model: string | undefined, format?: FormatName): Family {
  const name = typeof model === 'string' ? model.toLowerCase() : '';
  return BY_MODEL.find(([pattern]) => pattern.test(name))?.[1] ?? BY_FORMAT[format ?? ''] ?? gpt4o;
}
