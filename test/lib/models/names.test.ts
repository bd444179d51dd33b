// Whose model a name is, with the keys that are at hand: one table of spellings.
import { describe, expect, test } from 'vitest';
import { isAtHand } from '../../../src/lib/credentials/find.ts';
import { Catalogue } from '../../../src/lib/models/catalogue.ts';
import { priceAt } from '../../../src/lib/models/cost.ts';
import { resolveModel } from '../../../src/lib/models/resolve.ts';

const KEYS = {
  none: {},
  openai: { OPENAI_API_KEY: 'k' },
  anthropic: { ANTHROPIC_API_KEY: 'k' },
  deepseek: { DEEPSEEK_API_KEY: 'k' },
  google: { GEMINI_API_KEY: 'k' },
  openrouter: { OPENROUTER_API_KEY: 'k' },
  opencode: { OPENCODE_API_KEY: 'k' },
  groq: { GROQ_API_KEY: 'k' },
  bedrock: { AWS_BEARER_TOKEN_BEDROCK: 'k' },
  ollama: { OLLAMA_API_KEY: 'k' },
  makers: { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k', DEEPSEEK_API_KEY: 'k', GEMINI_API_KEY: 'k', XAI_API_KEY: 'k' },
  resellers: { OPENROUTER_API_KEY: 'k', GROQ_API_KEY: 'k', OPENCODE_API_KEY: 'k', AWS_BEARER_TOKEN_BEDROCK: 'k' },
} as const;

type KeySet = keyof typeof KEYS;

function meant(name: string, keys: KeySet): string {
  const env: Record<string, string> = KEYS[keys];
  try {
    const { provider, model, tag } = resolveModel(name, { env, hasKey: (one) => isAtHand(one, { env }) });
    return `${provider.name} ${model}${tag ? ' (if it is served here)' : ''}`;
  } catch (error) {
    expect(error).toMatchObject({ status: 78 });
    return `refused: ${(error as Error).message}`;
  }
}

/** Names that belong to one company, whatever keys are at hand; without a second column they are sent as they stand. */
const ALWAYS = `
amazon-bedrock arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-sonnet-4-5-20250929-v1:0
amazon-bedrock arn:aws:bedrock:eu-west-1:123456789012:application-inference-profile/a1b2c3d4e5f6
amazon-bedrock arn:aws:bedrock:us-west-2::foundation-model/anthropic.claude-3-haiku-20240307-v1:0
amazon-bedrock arn:aws:bedrock:us-east-1:123456789012:provisioned-model/abcdefghij12
amazon-bedrock arn:aws:bedrock:us-east-1:123456789012:imported-model/abcdefghij12
amazon-bedrock arn:aws:bedrock:us-east-1:123456789012:custom-model-deployment/abcdefghij12
amazon-bedrock arn:aws:bedrock:us-east-1:123456789012:prompt-router/abcdefghij12
amazon-bedrock arn:aws:bedrock:us-east-1:123456789012:default-prompt-router/anthropic.claude:1
amazon-bedrock arn:aws-us-gov:bedrock:us-gov-west-1:123456789012:inference-profile/us-gov.anthropic.claude-3-7-sonnet-20250219-v1:0
amazon-bedrock arn:aws-cn:bedrock:cn-north-1:123456789012:foundation-model/deepseek.v3-v1:0
amazon-bedrock us.anthropic.claude-sonnet-4-5-20250929-v1:0
amazon-bedrock us.anthropic.claude-3-5-haiku-20241022-v1:0
amazon-bedrock jp.anthropic.claude-sonnet-4-5-20250929-v1:0
amazon-bedrock anthropic.claude-3-sonnet-20240229-v1:0:200k
amazon-bedrock global.anthropic.claude-opus-4-5-20251101-v1:0
amazon-bedrock amazon.nova-pro-v1:0
amazon-bedrock meta.llama3-1-70b-instruct-v1:0
amazon-bedrock us.meta.llama4-scout-17b-instruct-v1:0
amazon-bedrock mistral.mistral-large-2407-v1:0
amazon-bedrock cohere.command-r-plus-v1:0
amazon-bedrock deepseek.r1-v1:0
amazon-bedrock openai.gpt-oss-120b-1:0
amazon-bedrock qwen.qwen3-coder-480b-a35b-v1:0
amazon-bedrock ai21.jamba-1-5-large-v1:0
google-vertex projects/p/locations/us-central1/publishers/google/models/gemini-2.5-pro
google-vertex projects/p/locations/europe-west1/publishers/anthropic/models/claude-sonnet-4-5@20250929
google-vertex projects/p/locations/us-central1/endpoints/1234567890
google-vertex publishers/google/models/gemini-2.5-flash
google-vertex publishers/meta/models/llama-4-scout-17b-16e-instruct-maas
google-vertex claude-sonnet-4@20250514
google-vertex claude-sonnet-4-5@20250929
google-vertex claude-opus-4-1@20250805
google-vertex claude-3-5-haiku@20241022
google-vertex claude-haiku-4-5@default
google-vertex gemini-1.5-pro@002
google models/gemini-2.5-pro
google tunedModels/my-model-abc123
fireworks accounts/fireworks/models/deepseek-v3
fireworks accounts/fireworks/models/llama-v3p1-405b-instruct
fireworks accounts/fireworks/routers/glm-latest
fireworks accounts/me/models/my-model
fireworks accounts/me/deployments/abc123
cloudflare-workers-ai @cf/meta/llama-3.3-70b-instruct-fp8-fast
cloudflare-workers-ai @cf/qwen/qwq-32b
databricks databricks-claude-sonnet-4
openrouter deepseek/deepseek-r1:free
openrouter deepseek/deepseek-chat-v3-0324:free
openrouter openai/gpt-oss-20b:free
openrouter openai/gpt-4o:extended
openrouter openai/gpt-5:online
openrouter anthropic/claude-3.7-sonnet:thinking
openrouter anthropic/claude-sonnet-4.5:nitro
openrouter google/gemini-2.5-pro:online
openrouter google/gemma-3-27b-it:free
openrouter qwen/qwen3-coder:free
openrouter qwen/qwen3-coder:exacto
openrouter z-ai/glm-4.5-air:free
openrouter moonshotai/kimi-k2:free
openrouter moonshotai/kimi-k2-0905:exacto
openrouter mistralai/mistral-small-3.2-24b-instruct:free
openrouter meta-llama/llama-3.3-70b-instruct:free
openrouter meta-llama/llama-3.3-70b-instruct:nitro
openrouter meta-llama/llama-3.3-70b-instruct:floor
openrouter nvidia/nemotron-nano-9b-v2:free
openrouter x-ai/grok-4-fast:free
openrouter tngtech/deepseek-r1t2-chimera:free
huggingface meta-llama/Llama-3.3-70B-Instruct:together
huggingface Qwen/Qwen3-235B-A22B:fastest
huggingface deepseek-ai/DeepSeek-R1:novita
openai ft:gpt-4o-mini-2024-07-18:org::abc123
openai ft:gpt-3.5-turbo-0125:org:name:abc123
mistral ft:open-mistral-7b:abc:20240101:1234
openai gpt-3.5-turbo
openai gpt-4.1-2025-04-14
openai o3-2025-04-16
openai chatgpt-4o-latest
anthropic claude-3-5-sonnet-20241022
anthropic claude-3-opus-20240229
anthropic claude-sonnet-4-5-20250929
google gemini-2.0-flash-001
deepseek deepseek-chat
xai grok-4-fast-reasoning
mistral mistral-large-latest
mistral codestral-2508
cohere command-r-plus-08-2024
perplexity sonar-deep-research
`;

/** Names that are another's with a prefix: what the provider gets. */
const PREFIXED: readonly (readonly [name: string, means: string])[] = [
  ['openrouter/openai/gpt-oss-20b:free', 'openrouter openai/gpt-oss-20b:free'],
  ['openrouter/openai/gpt-oss-20b:nitro', 'openrouter openai/gpt-oss-20b:nitro'],
  ['openrouter/openai/gpt-oss-20b', 'openrouter openai/gpt-oss-20b'],
  ['openrouter/anthropic/claude-3.7-sonnet:thinking', 'openrouter anthropic/claude-3.7-sonnet:thinking'],
  ['openrouter/anthropic/claude-3.7-sonnet', 'openrouter anthropic/claude-3.7-sonnet'],
  ['openrouter/deepseek/deepseek-r1:floor', 'openrouter deepseek/deepseek-r1:floor'],
  ['openrouter/x-ai/grok-4.7:online', 'openrouter x-ai/grok-4.7:online'],
  ['openrouter/openai/gpt-4o:extended', 'openrouter openai/gpt-4o:extended'],
  ['openrouter/moonshotai/kimi-k2-0905:exacto', 'openrouter moonshotai/kimi-k2-0905:exacto'],
  ['openrouter/openai/gpt-4o:someday', 'openrouter openai/gpt-4o:someday'],
  ['or@openai/gpt-oss-20b:free', 'openrouter openai/gpt-oss-20b:free'],
  ['or:openai/gpt-oss-20b:free', 'openrouter openai/gpt-oss-20b:free'],
  ['nano-gpt/deepseek-r1:thinking', 'nano-gpt deepseek-r1:thinking'],
  ['requesty/anthropic/claude-3-7-sonnet:thinking', 'requesty anthropic/claude-3-7-sonnet:thinking'],
  ['vercel/openai/gpt-4o', 'vercel openai/gpt-4o'],
  [
    'bedrock/jp.anthropic.claude-sonnet-4-5-20250929-v1:0',
    'amazon-bedrock jp.anthropic.claude-sonnet-4-5-20250929-v1:0',
  ],
  [
    'amazon-bedrock/arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-sonnet-4-5-20250929-v1:0',
    'amazon-bedrock arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-sonnet-4-5-20250929-v1:0',
  ],
  ['vertex/claude-sonnet-4-5@20250929', 'google-vertex claude-sonnet-4-5@20250929'],
  ['azure/my-gpt4-deployment', 'azure my-gpt4-deployment'],
  ['ollama/llama3.2:3b', 'ollama llama3.2:3b'],
  ['ollama:qwen3:8b', 'ollama qwen3:8b'],
  ['ollama-cloud/gpt-oss:120b', 'ollama-cloud gpt-oss:120b'],
  ['lmstudio/qwen3:8b', 'lmstudio qwen3:8b'],
  ['groq/openai/gpt-oss-20b', 'groq openai/gpt-oss-20b'],
  ['openai/gpt-4o', 'openai gpt-4o'],
  ['https://x.openai.azure.com/openai/deployments/gpt-4o', 'azure gpt-4o'],
  ['https://bedrock-runtime.eu-west-1.amazonaws.com/model/amazon.nova-pro-v1:0', 'amazon-bedrock amazon.nova-pro-v1:0'],
];

/** Tags of Ollama. */
const TAGS =
  `llama3.2:3b llama3.2:latest qwen3:8b qwen3:30b-a3b qwen2.5-coder:7b gpt-oss:20b gpt-oss:120b-cloud deepseek-r1:8b
  deepseek-v3.1:671b-cloud gemma3:27b gemma3n:e4b mistral:7b mistral:latest mistral-nemo:12b mixtral:8x7b codellama:python phi3:mini
  phi4:14b command-r:35b solar:10.7b qwen:7b kimi-k2:1t-cloud glm-4.6:cloud llava:13b starcoder2:3b smollm2:135m
  llama3.1:8b-instruct-q4_K_M granite3.3:8b devstral:24b codestral:22b magistral:24b hf.co/bartowski/Llama-3.2-1B-Instruct-GGUF:Q4_K_M
  myname/mymodel:latest`.split(/\s+/);

/** Names whose company is told by the keys. */
const BY_KEYS: readonly (readonly [name: string, keys: KeySet, means: string | RegExp])[] = [
  ['gpt-5.2-codex', 'none', 'openai gpt-5.2-codex'],
  ['gpt-5.2-codex', 'openai', 'openai gpt-5.2-codex'],
  ['gpt-5.2-codex', 'makers', 'openai gpt-5.2-codex'],
  ['gpt-5.2-codex', 'anthropic', 'openai gpt-5.2-codex'],
  ['gpt-5.2-codex', 'opencode', 'opencode gpt-5.2-codex'],
  ['claude-sonnet-4-5', 'none', 'anthropic claude-sonnet-4-5'],
  ['claude-sonnet-4-5', 'anthropic', 'anthropic claude-sonnet-4-5'],
  ['claude-sonnet-4-5', 'bedrock', 'anthropic claude-sonnet-4-5'],
  ['claude-sonnet-4-5', 'openrouter', 'anthropic claude-sonnet-4-5'],
  ['deepseek-v4-pro', 'none', 'deepseek deepseek-v4-pro'],
  ['deepseek-v4-pro', 'deepseek', 'deepseek deepseek-v4-pro'],
  ['deepseek-v4-pro', 'openrouter', 'deepseek deepseek-v4-pro'],
  ['deepseek-v4-pro', 'opencode', /refused: cannot tell which model .*opencode\/deepseek-v4-pro, opencode-go/],
  ['gpt-oss-120b', 'none', /refused: cannot tell which model/],
  ['gpt-oss-120b', 'openai', /refused: cannot tell which model/],
  ['openai/gpt-oss-20b', 'openai', /refused: cannot tell which model .*groq\/openai\/gpt-oss-20b/],
  ['openai/gpt-oss-20b', 'groq', 'groq openai/gpt-oss-20b'],
  ['openai/gpt-oss-20b', 'openrouter', 'openrouter openai/gpt-oss-20b'],
  ['openai/gpt-oss-20b', 'resellers', /refused: cannot tell which model .*groq.*openrouter/],
  ['llama-3.3-70b-versatile', 'none', 'groq llama-3.3-70b-versatile'],
  ['llama3.2', 'none', /refused: cannot tell which model/],
  ['llama3', 'ollama', /refused: cannot tell which model/],
  ['arn:aws:sagemaker:us-east-1:123456789012:endpoint/x', 'bedrock', /refused: cannot use the ARN/],
  ['no-such-gpt:free', 'openrouter', /refused: cannot find the model/],
];

const ALL = Object.keys(KEYS) as KeySet[];

describe.each(ALL)('with the keys of %s', (keys) => {
  test.each(ALWAYS.trim().split('\n'))('%s', (row) => {
    const [provider, name = ''] = row.split(' ');
    expect(meant(name, keys)).toBe(`${provider} ${name}`);
  });

  test.each(PREFIXED)('%s', (name, means) => expect(meant(name, keys)).toBe(means));

  test.each(TAGS)('%s is what a server of this machine has, or nobody', (name) =>
    expect(meant(name, keys)).toBe(`ollama ${name} (if it is served here)`),
  );
});

test.each(BY_KEYS)('%s with the keys of %s', (name, keys, means) => {
  if (typeof means === 'string') expect(meant(name, keys)).toBe(means);
  else expect(meant(name, keys)).toMatch(means);
});

describe('the price', () => {
  const facts = (name: string) => resolveModel(name).facts;
  const price = (name: string) => priceAt(resolveModel(name))?.input;

  test.each([
    ['openrouter/openai/gpt-oss-20b:free', 0],
    ['deepseek/deepseek-r1:free', 0],
    ['ollama/llama3.2:3b', 0],
    ['ollama/gpt-oss:120b-cloud', undefined],
    ['http://127.0.0.1:11434/llama3.2:3b', undefined],
    ['http://127.0.0.1:8000/v1/m', undefined],
    ['http://localhost:8000/v1/m', undefined],
    ['http://box:11434/llama3.2:3b', undefined],
    ['https://example.com/v1/gpt-4o', undefined],
    ['openrouter/openai/gpt-4o:nitro', undefined],
    ['openrouter/openai/gpt-4o:online', undefined],
    ['openrouter/openai/gpt-4o:extended', undefined],
    ['sa.anthropic.claude-sonnet-4-5-20250929-v1:0', undefined],
    ['arn:aws:bedrock:eu-west-1:123456789012:application-inference-profile/a1b2c3d4e5f6', undefined],
    ['arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-sonnet-4-5-20250929-v1:0', 3.3],
  ])('of %s is %s', (name, input) => expect(price(name)).toBe(input));

  test('of an address is what the user says', () => {
    const free = { m: { price: { input: 0, output: 0 } } };
    const own = new Catalogue([
      { providers: { box: { apis: { openai: 'http://127.0.0.1:9100/v1' } } }, models: { box: free, vllm: free } },
    ]);
    for (const name of ['box/m', 'http://127.0.0.1:9100/v1/m', 'http://127.0.0.1:8000/v1/m'])
      expect(priceAt(resolveModel(name, { catalogue: own })), name).toEqual({ input: 0, output: 0 });
  });

  test('of a listed variant is its own', () =>
    expect(facts('openrouter/anthropic/claude-sonnet-5:batch')?.price?.input).toBeLessThan(
      facts('openrouter/anthropic/claude-sonnet-5')?.price?.input ?? 0,
    ));

  test('the window of a free variant is not that of the paid model', () => {
    expect(facts('openrouter/openai/gpt-4o:free')).toMatchObject({ tools: true });
    expect(facts('openrouter/openai/gpt-4o:free')?.context).toBeUndefined();
    expect(facts('openrouter/openai/gpt-4o:nitro')?.context).toBe(facts('openrouter/openai/gpt-4o')?.context);
  });
});
