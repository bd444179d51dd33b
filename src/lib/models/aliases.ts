// Names that stand for models. A list is in order of preference.

/** A user's alias of the same name goes before. */
export const ALIASES: { readonly [name: string]: readonly string[] } = {
  fable: ['anthropic/claude-fable-5-2'],
  opus: ['anthropic/claude-opus-5-5'],
  sonnet: ['anthropic/claude-sonnet-5-5'],
  haiku: ['anthropic/claude-haiku-5-5'],
  subagent: ['anthropic/claude-sonnet-5-5', 'openai/gpt-6.1-terra', 'google/gemini-3.8-flash'],
  gpt: ['openai/gpt-6.1-sol'],
  'gpt-mini': ['openai/gpt-6.1-terra'],
  'gpt-nano': ['openai/gpt-6-luna'],
  gemini: ['google/gemini-4-argon'],
  'gemini-pro': ['google/gemini-3.1-pro-preview'],
  'gemini-flash': ['google/gemini-3.8-flash'],
  grok: ['xai/grok-4.7'],
  deepseek: ['deepseek/deepseek-v4-pro'],
  kimi: ['moonshotai/kimi-k3.1-pro'],
  glm: ['zai/glm-5.3'],
  mistral: ['mistral/mistral-large-4'],
  codestral: ['mistral/codestral-latest'],
  devstral: ['mistral/devstral-latest'],
  minimax: ['minimax/MiniMax-M3'],
  muse: ['meta/muse-spark-1.3'],

  coding: [
    'anthropic/claude-sonnet-5-5',
    'openai/gpt-6.1-sol',
    'google/gemini-4-argon',
    'moonshotai/kimi-k3.1-pro',
    'zai/glm-5.3',
    'deepseek/deepseek-v4-pro',
  ],
  reasoning: [
    'anthropic/claude-opus-5-5',
    'openai/gpt-6-astra',
    'google/gemini-4-argon',
    'xai/grok-4.7',
    'deepseek/deepseek-v4-pro',
  ],
  planning: [
    'anthropic/claude-opus-5-5',
    'openai/gpt-6.1-sol',
    'google/gemini-4-argon',
    'xai/grok-4.7',
    'moonshotai/kimi-k3.1-pro',
  ],
  review: ['anthropic/claude-opus-5-5', 'openai/gpt-6.1-sol', 'google/gemini-4-argon'],
  writing: ['anthropic/claude-sonnet-5-5', 'openai/gpt-6.1-terra', 'google/gemini-3.8-flash'],
  fast: [
    'anthropic/claude-haiku-5-5',
    'openai/gpt-6-luna',
    'google/gemini-3.5-flash-lite',
    'zai/glm-5.3-flash',
    'mistral/mistral-small-latest',
  ],
  cheap: ['openai/gpt-6-luna', 'anthropic/claude-haiku-5-5', 'deepseek/deepseek-flash', 'zai/glm-5.3-flash'],
  vision: ['google/gemini-3.8-flash', 'anthropic/claude-sonnet-5-5', 'openai/gpt-6.1-terra'],
  long: ['google/gemini-4-argon', 'anthropic/claude-sonnet-5-5', 'deepseek/deepseek-v4-pro'],
};

/**
 * Environment variables that say what a name stands for, the first one set wins. They go before aliases. `` is the model where none is named.
 * The names are Claude Code's (https://docs.claude.com/en/docs/claude-code/model-config) after our own.
 */
export const CHAINS: { readonly [name: string]: readonly string[] } = {
  '': ['AI_MODEL', 'ANTHROPIC_MODEL'],
  opus: ['AI_MODEL_OPUS', 'ANTHROPIC_DEFAULT_OPUS_MODEL', 'ANTHROPIC_MODEL'],
  sonnet: ['AI_MODEL_SONNET', 'ANTHROPIC_DEFAULT_SONNET_MODEL', 'ANTHROPIC_MODEL'],
  haiku: ['AI_MODEL_HAIKU', 'ANTHROPIC_DEFAULT_HAIKU_MODEL', 'ANTHROPIC_SMALL_FAST_MODEL', 'ANTHROPIC_MODEL'],
  subagent: ['AI_MODEL_SUBAGENT', 'CLAUDE_CODE_SUBAGENT_MODEL', 'ANTHROPIC_MODEL'],
};
