import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ALIASES, CHAINS } from '../../../src/lib/models/aliases.ts';
import { Catalogue, catalogue } from '../../../src/lib/models/catalogue.ts';
import { resolveAll, resolveModel } from '../../../src/lib/models/resolve.ts';

const meant = (name: string, names = {}) => {
  const { provider, model } = resolveModel(name, names);
  return `${provider.name}/${model}`;
};

/** Providers that must be there by this name. */
const NAMES =
  `openai openai-codex anthropic openrouter google google-vertex azure amazon-bedrock deepseek groq fireworks together deepinfra
  cerebras mistral xai grok-subscription perplexity cohere zai zai-coding zhipuai moonshotai moonshotai-cn kimi-coding minimax minimax-coding
  alibaba alibaba-coding alibaba-token-plan volcengine baseten huggingface sambanova nebius novita featherless chutes hyperbolic lambda nvidia
  github-models github-copilot cloudflare-workers-ai cloudflare-ai-gateway vercel litellm-proxy opencode opencode-go poe siliconflow xiaomi
  meta venice requesty nano-gpt scaleway ovhcloud upstage inference-net parasail writer aimlapi modelscope stepfun wandb digitalocean databricks
  snowflake-cortex friendli helicone zenmux 302ai aihubmix ollama-cloud ollama lmstudio vllm mlx llama.cpp jan sakana typesafe`.split(
    /\s+/,
  );

test.each(NAMES)('%s resolves by its name, whatever the separator', (name) => {
  for (const separator of ['/', '@', ':']) expect(meant(`${name}${separator}some-model`)).toBe(`${name}/some-model`);
});

test('every prefix of every provider resolves', () => {
  for (const { name, prefixes = [] } of catalogue().providers.values())
    for (const prefix of prefixes) expect(meant(`${prefix}/some-model`)).toBe(`${name}/some-model`);
});

test('every base URL of every provider resolves, but where two have the same', () => {
  const shared = new Set(['openai-codex', 'minimax-coding', 'mlx']);
  for (const { name, apis } of catalogue().providers.values())
    for (const url of Object.values(apis))
      if (!url.includes('{') && !shared.has(name)) expect(meant(`${url}/some-model`), url).toBe(`${name}/some-model`);
});

test('every start of a name that a vendor owns resolves', () => {
  for (const { name, names = [] } of catalogue().providers.values())
    for (const start of names) expect(meant(`${start}9-9`), start).toBe(`${name}/${start}9-9`);
});

describe('names', () => {
  test.each([
    ['claude-sonnet-4-5', 'anthropic/claude-sonnet-4-5'],
    ['claude-sonnet-4-5-20250929', 'anthropic/claude-sonnet-4-5-20250929'],
    ['claude-sonnet-5-5-20991231', 'anthropic/claude-sonnet-5-5-20991231'],
    ['gpt5.2', 'openai/gpt-5.2'],
    ['claude haiku 4.5', 'anthropic/claude-haiku-4-5'],
    ['claude-sonnet', 'anthropic/claude-sonnet-5-5'],
    ['mistral-large', 'mistral/mistral-large-latest'],
    ['gpt-terra', 'openai/gpt-6.1-terra'],
    ['or/anthropic/claude-sonnet-4.5', 'openrouter/anthropic/claude-sonnet-4.5'],
    ['or@claude-sonnet-4-5', 'openrouter/anthropic/claude-sonnet-4.5'],
    ['bedrock/claude-sonnet-4-5', 'amazon-bedrock/anthropic.claude-sonnet-4-5-20250929-v1:0'],
    ['minimax/minimax-m3', 'minimax/MiniMax-M3'],
    ['ollama:llama3:8b', 'ollama/llama3:8b'],
    ['fl/some/model', 'featherless/some/model'],
    ['@cf/meta/llama-3.3-70b-instruct-fp8-fast', 'cloudflare-workers-ai/@cf/meta/llama-3.3-70b-instruct-fp8-fast'],
    ['llama-3.3-70b-versatile', 'groq/llama-3.3-70b-versatile'],
    ['claude-opus-9', 'anthropic/claude-opus-9'],
    ['gpt-6-nova', 'openai/gpt-6-nova'],
    ['claude-sonnet-4.6', 'anthropic/claude-sonnet-4-6'],
    ['anthropic/claude-sonnet', 'anthropic/claude-sonnet-5-5'],
    ['openai/gpt-99-ultra', 'openai/gpt-99-ultra'],
    ['openai/m-1', 'openai/m-1'],
    ['openrouter/x', 'openrouter/x'],
    ['azure/gpt4o', 'azure/gpt4o'],
    ['sonnet 4.6 anthropic', 'anthropic/claude-sonnet-4-6'],
    ['groq llama 70b', 'groq/llama-3.3-70b-versatile'],
  ])('%s is %s', (name, wanted) => expect(meant(name)).toBe(wanted));

  test.each([
    ['claude-sonet-4-5', /did you mean anthropic\/claude-sonnet-4-5, \S+, \S+\? or write PROVIDER\/MODEL/],
    ['gtp-4o', /did you mean openai\/gpt-4o, /],
    ['gpt-4oo', /did you mean openai\/gpt-4o, /],
    ['o1-mni', /did you mean openai\/o\d-mini, /],
    ['claude-nonexistent', /did you mean anthropic\/claude-\S+, /],
    ['lama3', /did you mean \S*llama-3\S*, /],
    ['anthropic/claude-sonet', /did you mean anthropic\/claude-sonnet-5, /],
    ['openai/gpt-4oo', /did you mean openai\/gpt-4o, /],
    ['openrouter/anthropic/claude-sonet-4.5', /did you mean openrouter\/anthropic\/claude-sonnet-4.5, /],
    ['nosuch', /did you mean \S+, \S+, \S+\?/],
  ])('%s is answered with the nearest three', (name, hint) => {
    expect(() => resolveModel(name)).toThrow(`cannot find the model "${name}"`);
    try {
      resolveModel(name);
    } catch (error) {
      expect(error).toMatchObject({ status: 78, hint: expect.stringMatching(hint) });
    }
  });

  test.each(['gemini flash lite', 'gpt-oss-120b', 'claude'])('%s is ambiguous: the candidates are told', (name) =>
    expect(() => resolveModel(name)).toThrow(
      /cannot tell which model .* is meant: the name matches \S+\/\S+, \S+\/\S+/,
    ),
  );

  test('of a name that only resellers use, a key at hand settles it', () => {
    const hasKey = ({ name }: { name: string }) => name === 'github-copilot';
    expect(meant('claude-sonnet-4.6', { hasKey })).toBe('github-copilot/claude-sonnet-4.6');
  });

  test('any text is a model or is refused, and never more', () => {
    const parts = fc.constantFrom(
      ...'claude gpt o llama sonnet - / @ : . 4 5 20250929 http:// openrouter azure mini \u{1F4A9} \0 % é'.split(' '),
    );
    const names = fc.oneof(
      fc.string(),
      fc.string({ unit: 'grapheme' }),
      fc.array(parts).map((some) => some.join('')),
    );
    fc.assert(
      fc.property(names, (name) => {
        try {
          expect(resolveModel(name).model).not.toBe('');
        } catch (error) {
          expect(error).toMatchObject({ status: 78 });
        }
      }),
      { numRuns: 300 },
    );
  });

  test('a provider is no model', () => {
    expect(() => resolveModel('anthropic')).toThrow('anthropic is a provider, not a model');
    expect(() => resolveModel('ollama')).toThrow('ollama is a provider, not a model');
  });

  test('every model of every provider resolves by PROVIDER/MODEL', () => {
    for (const { provider, id } of catalogue().all()) expect(meant(`${provider}/${id}`)).toBe(`${provider}/${id}`);
  });

  test('a key at hand settles which of several resellers is meant, and never the maker', () => {
    const hasKey = ({ name }: { name: string }) => name === 'cerebras' || name === 'openrouter';
    expect(meant('gpt-oss-120b', { hasKey })).toBe('cerebras/gpt-oss-120b');
    expect(meant('claude-sonnet-4-5', { hasKey })).toBe('anthropic/claude-sonnet-4-5');
  });

  test('a long or strange name is refused in linear time', () => {
    for (const name of ['a'.repeat(1e6), `gpt-${'-'.repeat(1e6)}`, '\0', '💥', '   '])
      expect(() => resolveModel(name)).toThrow();
  }, 5_000);
});

describe('addresses', () => {
  test.each([
    ['http://box:11434/llama3', 'ollama', 'llama3', 'http://box:11434'],
    ['http://box:8000/v1/org/model', 'box:8000', 'org/model', 'http://box:8000/v1'],
    ['http://box:8000/model', 'box:8000', 'model', 'http://box:8000/v1'],
    ['https://box/llm/v2/model', 'box', 'model', 'https://box/llm/v2'],
    ['http://localhost:11434/llama3', 'ollama', 'llama3', undefined],
    ['https://api.groq.com/openai/v1/m', 'groq', 'm', undefined],
    ['https://api.openai.com/v1/chat/completions/m', 'openai', 'm', undefined],
    ['http://box:8000/v1/chat/completions/org/m', 'box:8000', 'org/m', 'http://box:8000/v1'],
    ['http://api.groq.com/openai/v1/m', 'api.groq.com', 'm', 'http://api.groq.com/openai/v1'],
    [
      'https://api.groq.com.evil.example/openai/v1/m',
      'api.groq.com.evil.example',
      'm',
      'https://api.groq.com.evil.example/openai/v1',
    ],
  ])('%s', (name, provider, model, url) => {
    const choice = resolveModel(name);
    expect([choice.provider.name, choice.model, choice.url]).toEqual([provider, model, url]);
    if (url !== undefined) expect(choice.provider.keys).toEqual([]);
  });

  test.each(['http://user:secret@box/m', 'http://box', 'http://', 'https://box/%zz'])('%s is refused', (name) => {
    expect(() => resolveModel(name)).toThrow(/cannot use/);
    expect(() => resolveModel(name)).not.toThrow(/secret/);
  });
});

describe('aliases and chains', () => {
  test.each(Object.keys(ALIASES))('%s stands for its models, in order', (name) =>
    expect(resolveAll(name).map(({ provider, model }) => `${provider.name}/${model}`)).toEqual(ALIASES[name]),
  );

  test.each(Object.entries(CHAINS).filter(([name]) => name !== ''))(
    '%s follows the environment, first %j',
    (name, chain) => {
      for (const [at, variable] of chain.entries()) {
        const later = Object.fromEntries(chain.slice(at + 1).map((other) => [other, 'openai/gpt-4o']));
        const env = { ...later, [variable]: 'xai/grok-4.7' };
        expect(meant(name, { env })).toBe('xai/grok-4.7');
        expect(resolveModel(name, { env }).reason).toContain(variable);
      }
    },
  );

  test("a user's alias goes before everything: environment, built-in aliases, prefixes", () => {
    const aliases = new Map([
      ['opus', ['or/x']],
      ['or/x', ['groq/y']],
    ]);
    const env = { AI_MODEL_OPUS: 'openai/gpt-4o' };
    expect(meant('opus', { aliases, env })).toBe('groq/y');
  });

  test('of an alias’ models, the first whose key is at hand', () => {
    expect(meant('coding', { hasKey: ({ name }: { name: string }) => name === 'zai' })).toBe('zai/glm-5.3');
    expect(meant('coding', { hasKey: () => false })).toBe(ALIASES.coding?.[0]);
  });

  test('an alias that stands for itself is refused', () => {
    const aliases = new Map([
      ['a', ['b']],
      ['b', ['a']],
    ]);
    expect(() => resolveModel('a', { aliases })).toThrow('the alias "a" refers to itself: a → b → a');
    expect(meant('opus', { env: { ANTHROPIC_MODEL: 'opus' } })).toBe('anthropic/claude-opus-5-5');
  });

  test('names are looked for in the user’s models too', () => {
    const own = new Catalogue([
      { providers: { box: { apis: { openai: 'http://b/v1' } } }, models: { box: { zork: {} } } },
    ]);
    expect(meant('zork', { catalogue: own })).toBe('box/zork');
  });
});
