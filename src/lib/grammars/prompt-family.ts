// Which format a model was trained to write calls in, by its name. Only a default: any format can be asked for.

const FAMILIES: readonly (readonly [RegExp, string])[] = [
  [/qwen-?3?-?coder|qwen-?3\.[5-9]|nemotron-3|step-3\.5|mimo/, 'qwen3-coder-xml'],
  [/qwen|qwq|hermes|smollm|ernie|granite-?4/, 'hermes-json'],
  [/glm|chatglm/, 'glm-kv'],
  [/deepseek.*v(?:3\.2|[4-9])/, 'deepseek-dsml'],
  [/deepseek.*v3\.1/, 'deepseek-v3.1'],
  [/deepseek/, 'deepseek-v3'],
  [/kimi|moonshot/, 'kimi-k2'],
  [/mistral|mixtral|ministral|magistral|devstral|codestral/, 'mistral-v11'],
  [/llama-?(?:4|3\.2)|toolace/, 'pythonic'],
  [/llama/, 'llama3-json'],
  [/functiongemma/, 'functiongemma'],
  [/gemma-?4/, 'gemma4'],
  [/gemma|gemini/, 'tool_code-python'],
  [/lfm-?2/, 'lfm2-pythonic'],
  [/olmo/, 'olmo3-pythonic'],
  [/granite/, 'granite3-json'],
  [/command-?(?:r7b|a)\b|cohere/, 'cohere-action'],
  [/phi-?4/, 'functools'],
  [/jamba|hunyuan|apriel/, 'tool_calls-json-array'],
  [/minimax-?m3/, 'minimax-m3'],
  [/minimax/, 'minimax-m2'],
  [/internlm/, 'internlm2'],
  [/seed-?oss/, 'seed-oss'],
  [/nemotron/, 'nemotron-toolcall'],
  [/apertus/, 'apertus'],
  [/xlam|hammer/, 'xlam-json'],
  [/grok/, 'xai-xml'],
  [/claude/, 'function_calls-invoke'],
];

/** The format for a model; Hermes's, which most know, where the name says nothing. */
export function formatFor(model: string | undefined): string {
  const name = (model ?? '').toLowerCase();
  return FAMILIES.find(([pattern]) => pattern.test(name))?.[1] ?? 'hermes-json';
}
