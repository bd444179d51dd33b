// What each API allows in a request, as data. A bound that only some say exists, and no recording or document shows, is not here.
import type { FormatName, MediaKind } from '../../conversation/types.ts';

/** What an id or a name may look like. */
export interface Spelling {
  readonly pattern: RegExp;
  readonly most: number;
  /** The rule in words: `letters, digits, _ and -`. */
  readonly words: string;
}

/** The least and the most; both are allowed. */
export type Range = readonly [least: number, most: number];

export interface Limits {
  /** Ids of calls. */
  readonly ids?: Spelling;
  /** Names of tools. */
  readonly names?: Spelling;
  readonly temperature?: Range;
  readonly topP?: Range;
  readonly topK?: Range;
  readonly penalty?: Range;
  /** How many stop sequences; 0: the API has none. */
  readonly stops?: number;
  readonly tools?: number;
  readonly maxTokens?: { readonly required?: true; readonly least: number };
  /** Bytes of one image before base64. */
  readonly imageBytes?: number;
  readonly images?: number;
  readonly imageTypes?: readonly string[];
}

const WORD = 'letters, digits, "_" and "-"';
const COMMON_IMAGES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

/**
 * Sources, by API. anthropic: https://platform.claude.com/docs/en/api/messages/create, its errors quoted in
 * https://github.com/anthropics/claude-code/issues/21136 (names) and https://github.com/badlogic/pi-mono (ids); images:
 * https://platform.claude.com/docs/en/build-with-claude/vision. openai: https://platform.openai.com/docs/api-reference/chat/create, `string too
 * long … maximum length 40` for ids. gemini: https://ai.google.dev/api/caching#FunctionDeclaration. bedrock:
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Message.html and API_runtime_ToolUseBlock.html. mistral: `Tool call id was …
 * but must be a-z, A-Z, 0-9, with a length of 9`, https://github.com/sst/opencode/issues/1680. cohere: https://docs.cohere.com/reference/chat.
 */
export const LIMITS: { readonly [api: FormatName]: Limits } = {
  anthropic: {
    ids: { pattern: /^[a-zA-Z0-9_-]+$/, most: 64, words: WORD },
    names: { pattern: /^[a-zA-Z0-9_-]+$/, most: 128, words: WORD },
    temperature: [0, 1],
    topP: [0, 1],
    topK: [0, Number.MAX_SAFE_INTEGER],
    maxTokens: { required: true, least: 0 },
    imageTypes: COMMON_IMAGES,
    imageBytes: 5 * 1024 * 1024,
    images: 100,
  },
  openai: {
    ids: { pattern: /^/, most: 40, words: 'any characters' },
    names: { pattern: /^[a-zA-Z0-9_-]+$/, most: 64, words: WORD },
    temperature: [0, 2],
    topP: [0, 1],
    penalty: [-2, 2],
    stops: 4,
    tools: 128,
    maxTokens: { least: 1 },
    imageTypes: COMMON_IMAGES,
  },
  'openai-responses': {
    ids: { pattern: /^/, most: 64, words: 'any characters' },
    names: { pattern: /^[a-zA-Z0-9_-]+$/, most: 64, words: WORD },
    temperature: [0, 2],
    topP: [0, 1],
    stops: 0,
    tools: 128,
    maxTokens: { least: 16 },
    imageTypes: COMMON_IMAGES,
  },
  gemini: {
    names: {
      pattern: /^[a-zA-Z_][a-zA-Z0-9_.:-]*$/,
      most: 128,
      words: 'a letter or "_", then letters, digits, "_", ".", ":" and "-"',
    },
    temperature: [0, 2],
    topP: [0, 1],
    penalty: [-2, 2],
    stops: 5,
    tools: 512,
    maxTokens: { least: 1 },
  },
  bedrock: {
    ids: { pattern: /^[a-zA-Z0-9_-]+$/, most: 64, words: WORD },
    names: { pattern: /^[a-zA-Z0-9_-]+$/, most: 64, words: WORD },
    temperature: [0, 1],
    topP: [0, 1],
    maxTokens: { least: 1 },
    imageTypes: COMMON_IMAGES,
    imageBytes: 3.75 * 1024 * 1024,
    images: 20,
  },
  mistral: {
    ids: { pattern: /^[a-zA-Z0-9]{9}$/, most: 9, words: 'nine letters or digits' },
    names: { pattern: /^[a-zA-Z0-9_-]+$/, most: 64, words: WORD },
    temperature: [0, 1.5],
    topP: [0, 1],
    penalty: [-2, 2],
    maxTokens: { least: 1 },
    imageTypes: COMMON_IMAGES,
  },
  cohere: {
    names: { pattern: /^[a-zA-Z_][a-zA-Z0-9_]*$/, most: 64, words: 'a letter or "_", then letters, digits and "_"' },
    temperature: [0, Number.MAX_SAFE_INTEGER],
    topP: [0.01, 0.99],
    topK: [0, 500],
    penalty: [0, 1],
    stops: 5,
    maxTokens: { least: 1 },
    imageTypes: COMMON_IMAGES,
  },
};

/** The kinds that an API takes in no way: https://platform.claude.com/docs/en/build-with-claude/vision and the APIs' types. */
export const NO_SUCH_MEDIA: { readonly [api: FormatName]: readonly MediaKind[] } = {
  anthropic: ['audio', 'video'],
  openai: ['video'],
  'openai-responses': ['video'],
  cohere: ['audio', 'video'],
  ollama: ['audio', 'video', 'document'],
  mistral: ['video'],
};

/** Whether something is spelled as the API wants it. */
export const isSpelled = (text: string, { pattern, most }: Spelling): boolean =>
  text.length <= most && pattern.test(text);
