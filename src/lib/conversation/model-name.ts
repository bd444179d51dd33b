// Whose model a name means, and which generation: `us.anthropic.claude-opus-4-8-v1:0`, `anthropic/claude-opus-4.8` and `claude-opus-4-8` are one.

export type Family =
  | 'claude'
  | 'cohere'
  | 'deepseek'
  | 'gemini'
  | 'gemma'
  | 'glm'
  | 'gpt'
  | 'gpt-oss'
  | 'grok'
  | 'kimi'
  | 'llama'
  | 'minimax'
  | 'mistral'
  | 'nova'
  | 'qwen';

export interface ModelName {
  readonly family: Family;
  /** The model's own name in lower case: no provider, region or path before it. */
  readonly id: string;
  /** What stands before the name: `anthropic` in `anthropic/claude-opus-4.8`. */
  readonly provider?: string;
  /** `4.8` as 4.8; 0 where the name has none. Minor numbers have one digit. */
  readonly version: number;
}

/** How the names of each family begin. Longer beginnings stand before those that they begin with. */
const BEGINNINGS: readonly (readonly [string, Family])[] = [
  ['claude-', 'claude'],
  ['deepseek', 'deepseek'],
  ['gpt-oss', 'gpt-oss'],
  ['chatgpt-', 'gpt'],
  ['gpt-', 'gpt'],
  ['codex-', 'gpt'],
  ['computer-use-preview', 'gpt'],
  ['gemini-', 'gemini'],
  ['gemma', 'gemma'],
  ['glm-', 'glm'],
  ['kimi-', 'kimi'],
  ['moonshot-', 'kimi'],
  ['qwen', 'qwen'],
  ['qwq', 'qwen'],
  ['qvq', 'qwen'],
  ['minimax-', 'minimax'],
  ['abab', 'minimax'],
  ['grok-', 'grok'],
  ['open-mistral', 'mistral'],
  ['open-mixtral', 'mistral'],
  ['mistral', 'mistral'],
  ['mixtral', 'mistral'],
  ['ministral', 'mistral'],
  ['magistral', 'mistral'],
  ['codestral', 'mistral'],
  ['devstral', 'mistral'],
  ['pixtral', 'mistral'],
  ['voxtral', 'mistral'],
  ['llama', 'llama'],
  ['meta-llama', 'llama'],
  ['command', 'cohere'],
  ['c4ai-', 'cohere'],
  ['nova-', 'nova'],
];

const known = new Map<string, ModelName | undefined>();
const MOST_KNOWN = 1000;
const MOST_LETTERS = 200;

/** What a model's name says; undefined for one of no family in the table. */
export function modelName(model: string | undefined): ModelName | undefined {
  if (typeof model !== 'string') return undefined;
  if (!known.has(model)) {
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(model, read(model));
  }
  return known.get(model);
}

/** Whether a name means a model of this family. */
export const isFamily = (model: string | undefined, ...families: readonly Family[]): boolean => {
  const name = modelName(model);
  return name !== undefined && families.includes(name.family);
};

function read(model: string): ModelName | undefined {
  const path = model.slice(-MOST_LETTERS).toLowerCase().split('/');
  const last = path.at(-1) ?? '';
  const provider = path.at(-2);
  // Bedrock puts a region and a vendor before the name, with dots.
  const candidates = [
    last,
    last.slice(last.lastIndexOf('.') + 1),
    ...last.split('.').map((_, i, all) => all.slice(i).join('.')),
  ];
  for (const id of candidates) {
    const family = /^o[134](-|$)/.test(id) ? 'gpt' : BEGINNINGS.find(([start]) => id.startsWith(start))?.[1];
    if (family) return { family, id, version: versionOf(id), ...(provider && { provider }) };
  }
  return undefined;
}

/** The first number that is a version: `4-8`, `4.8`, `4`; not a date, a size in billions or a window in thousands. */
function versionOf(id: string): number {
  for (const match of id.matchAll(/(?<![\d.])(\d{1,2})(?:[.-](\d{1,2}))?(?![\d.]*[\dbkm])/g)) {
    const [, major = '0', minor = '0'] = match;
    return Number(`${Number(major)}.${Number(minor)}`);
  }
  return 0;
}
