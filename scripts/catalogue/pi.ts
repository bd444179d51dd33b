// The rows of @earendil-works/pi-ai: dist/providers/data/<provider>.json, keyed by API and `chat:ID`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Modality, Model, Price, Quirks, Rates } from '../../src/lib/models/types.ts';

interface PiCost {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly tiers?: readonly (PiCost & { readonly inputTokensAbove: number })[];
}

interface PiRow {
  readonly id: string;
  readonly name: string;
  readonly api: string;
  readonly type: string;
  readonly reasoning?: boolean;
  readonly input: readonly Modality[];
  readonly cost: PiCost;
  readonly contextWindow: number;
  readonly maxTokens?: number;
  readonly thinkingLevelMap?: { readonly [level: string]: string | null };
  readonly compat?: { readonly [flag: string]: unknown };
  readonly promptCache?: { readonly short?: number; readonly long?: number };
}

/** Its names for the APIs that we have a dialect for. Rows of other APIs (classifiers) are no chat models. */
const APIS: { readonly [api: string]: string } = {
  'anthropic-messages': 'anthropic',
  'openai-completions': 'openai',
  'openai-responses': 'openai-responses',
  'azure-openai-responses': 'openai-responses',
  'openai-codex-responses': 'openai-responses',
  'google-generative-ai': 'gemini',
  'google-vertex': 'gemini',
  'bedrock-converse-stream': 'bedrock',
  'mistral-conversations': 'mistral',
};

type PiModel = Model & { readonly api: string };

/** The chat models of one provider's file, prices as they stand there. */
export function readPi(root: string, name: string): PiModel[] {
  const file = join(root, 'dist/providers/data', `${name}.json`);
  const byApi = JSON.parse(readFileSync(file, 'utf8')) as { [api: string]: { [key: string]: PiRow } };
  return Object.values(byApi).flatMap((rows) =>
    Object.values(rows)
      .filter((row) => row.type === 'chat' && APIS[row.api] !== undefined)
      .map(readRow),
  );
}

function readRow(row: PiRow): PiModel {
  const { promptCache } = row;
  const quirks = readQuirks(row.compat ?? {});
  return {
    id: row.id,
    provider: '',
    name: row.name,
    api: APIS[row.api] ?? '',
    context: row.contextWindow,
    output: row.maxTokens,
    input: row.input,
    tools: true,
    reasoning: row.reasoning === true,
    price: readPrice(row),
    ...(row.thinkingLevelMap && { effort: row.thinkingLevelMap }),
    ...(promptCache && { cache_ttl: [promptCache.short, promptCache.long].filter((ttl) => ttl !== undefined) }),
    ...(Object.keys(quirks).length > 0 && { quirks }),
  };
}

/** A row of zeros says that nobody knows, unless the id says that it is free. A cache price of 0 says that there is none. */
function readPrice({ id, cost }: PiRow): Price | undefined {
  if (cost.input === 0 && cost.output === 0) return id.endsWith(':free') ? { input: 0, output: 0 } : undefined;
  const tiers = cost.tiers?.map((tier) => ({ above: tier.inputTokensAbove, ...rates(tier) }));
  return { ...rates(cost), ...(tiers && { tiers }) };
}

const rates = (cost: PiCost): Rates => ({
  input: cost.input,
  output: cost.output,
  ...(cost.cacheRead > 0 && { cache_read: cost.cacheRead }),
  ...(cost.cacheWrite > 0 && { cache_write: cost.cacheWrite }),
});

const FLAGS: { readonly [flag: string]: keyof Quirks } = {
  supportsStrictMode: 'strict_tools',
  supportsStrictTools: 'strict_tools',
  supportsStore: 'store',
  supportsDeveloperRole: 'developer_role',
  supportsReasoningEffort: 'reasoning_effort',
  maxTokensField: 'max_tokens_field',
  supportsTemperature: 'temperature',
  supportsUsageInStreaming: 'usage_in_streaming',
  cacheControlFormat: 'cache_control',
};

function readQuirks(compat: { readonly [flag: string]: unknown }): Quirks {
  const named = Object.entries(compat).flatMap(([flag, value]) => (FLAGS[flag] ? [[FLAGS[flag], value]] : []));
  return Object.fromEntries(named);
}
