import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadZod, validate } from '../../../src/lib/config/zod.ts';
import { ALIASES } from '../../../src/lib/models/aliases.ts';
import { Catalogue, catalogue, modelNamed, providerNamed } from '../../../src/lib/models/catalogue.ts';
import { ModelFile } from '../../../src/lib/models/data.ts';
import { DIALECTS, userModelsSchema } from '../../../src/lib/models/schema.ts';

const DATA = join(import.meta.dirname, '../../../src/lib/models/data');
const read = (name: string) => JSON.parse(readFileSync(join(DATA, name), 'utf8'));

describe('the data files', () => {
  test('say who lists a model, however often they are asked', () => {
    const often = new ModelFile();
    for (let n = 0; n < 100; n++) often.mentioning('gpt-4o');
    const ids = [...often.providers.flatMap((provider) => often.ids(provider).slice(0, 2)), 'gpt-4o', 'no such model'];
    for (const id of ids) expect([id, often.mentioning(id)]).toEqual([id, new ModelFile().mentioning(id)]);
    expect(often.mentioning('gpt-4o')).toContain('openai');
  });

  test('are as the schema says', async () => {
    const schema = userModelsSchema(await loadZod(), new Catalogue());
    const { providers } = read('providers.json');
    const { models } = read('models.json');
    expect(() => validate(schema, { providers }, 'providers.json')).not.toThrow();
    for (const [provider, rows] of Object.entries(models))
      expect(() => validate(schema, { providers, models: { [provider]: rows } }, provider)).not.toThrow();
  });

  test('models.json has one provider a line, so that one can be parsed alone', () => {
    const lines = readFileSync(join(DATA, 'models.json'), 'utf8').trimEnd().split('\n');
    const providers = lines.slice(1, -1).map((line) => JSON.parse(`{${line.replace(/,$/, '')}}`));
    expect(Object.assign({}, ...providers)).toEqual(read('models.json').models);
  });

  test('every provider of a model is known, and speaks the dialect that the model names', () => {
    for (const model of catalogue().all()) {
      const provider = catalogue().providers.get(model.provider);
      expect(provider, model.provider).toBeDefined();
      if (model.api) expect(Object.keys(provider?.apis ?? {})).toContain(model.api);
    }
  });

  test('no prefix is two providers’', () => {
    const seen = new Map<string, string>();
    for (const { name, prefixes = [] } of catalogue().providers.values())
      for (const prefix of new Set([name, ...prefixes])) {
        expect(seen.get(prefix), prefix).toBeUndefined();
        seen.set(prefix, name);
      }
  });

  test('at least 40 providers speak a dialect that there is, at an https address or on this machine', () => {
    const all = [...catalogue().providers.values()];
    expect(all.length).toBeGreaterThanOrEqual(83);
    for (const { apis, kind } of all)
      for (const [api, url] of Object.entries(apis)) {
        expect(DIALECTS).toContain(api);
        if (kind !== 'local' && !url.startsWith('http://127.0.0.1')) expect(url).toMatch(/^https:/);
      }
  });

  test('a row whose sources differ keeps what the other says', () => {
    const disputed = catalogue()
      .all()
      .filter((model) => model.disputed);
    expect(disputed.length).toBeGreaterThan(50);
    expect(modelNamed('mistral-large-latest')?.disputed).toEqual({ price: { genai: { input: 2, output: 6 } } });
  });

  test('every alias stands for models that are listed', () => {
    for (const name of Object.values(ALIASES).flat()) {
      const [provider = '', id = ''] = name.split(/\/(.*)/s);
      expect(catalogue().models(provider).has(id), name).toBe(true);
    }
  });
});

describe('look-ups', () => {
  test('a provider by its name or a prefix, whatever the case', () => {
    for (const name of ['openrouter', 'or', 'OpenRouter']) expect(providerNamed(name)?.name).toBe('openrouter');
    expect(providerNamed('__proto__')).toBeUndefined();
  });

  test('a model with its dates, prices and limits', () => {
    expect(modelNamed('claude-sonnet-4-5-20250929')?.context).toBe(200_000);
    expect(modelNamed('claude-haiku-4-5-20990101')?.context).toBe(200_000);
    expect(modelNamed('claude-haiku-4-5', 'anthropic')?.price).toEqual({
      input: 1,
      output: 5,
      cache_read: 0.1,
      cache_write: 1.25,
      cache_write_1h: 2,
    });
    expect(modelNamed('constructor', 'anthropic')).toBeUndefined();
  });
});

describe("a user's models.json", () => {
  const check = async (file: unknown) => validate(userModelsSchema(await loadZod(), new Catalogue()), file, 'my.json');

  test('adds providers and models, and overrides fields', async () => {
    const user = await check({
      default: 'box/llama',
      providers: { box: { kind: 'local', apis: { openai: 'http://box:8000/v1' }, prefixes: ['b'] } },
      models: { box: { '*': { tools: true }, llama: { context: 8192, price: { input: 0, output: 0 } } } },
      overrides: { 'anthropic/claude-haiku-4-5': { context: 100_000 } },
    });
    const own = new Catalogue([user]);
    expect(own.provider('b')?.url).toBe('http://box:8000/v1');
    expect(own.model('llama', 'box')).toMatchObject({ context: 8192, tools: true });
    expect(own.model('claude-haiku-4-5', 'anthropic')).toMatchObject({ context: 100_000, output: 64_000 });
    expect(own.listing('llama')).toContain('box');
  });

  test.each([
    [
      { models: { openai: { x: { price: { input: -1 } } } } },
      'models.openai.x.price.input: expected a number of at least 0',
    ],
    [{ models: { openai: { x: { context: 'big' } } } }, 'models.openai.x.context: expected a number'],
    [{ models: { openai: { x: { input: ['smell'] } } } }, 'models.openai.x.input[0]: expected "text", "image"'],
    [{ models: { openai: { x: { ctx: 5 } } } }, 'models.openai.x.ctx: no such setting'],
    [{ models: { nosuch: {} } }, 'models.nosuch: expected the name of a provider'],
    [
      { models: { openai: { x: { quirks: { develper_role: false } } } } },
      'models.openai.x.quirks.develper_role: no such setting (did you mean "developer_role"?)',
    ],
    [
      { overrides: { 'openai/gpt-4o': { quirks: { unsuported: ['seed'] } } } },
      'overrides["openai/gpt-4o"].quirks.unsuported: no such setting (did you mean "unsupported"?)',
    ],
    [
      { providers: { openai: { quirks: { max_tokens_field: 'max_token' } } } },
      'providers.openai.quirks.max_tokens_field: expected "max_tokens", "max_completion_tokens"',
    ],
    [{ providers: { openai: { quirks: { reasoning_format: 'qwen' } } } }, 'quirks.reasoning_format: no such setting'],
    [{ providers: { openai: { limits: { images: 5 } } } }, 'providers.openai.limits: no such setting'],
    [{ providers: { box: { apis: { openai: 'box:8000' } } } }, 'providers.box.apis.openai: expected a URL such as'],
    [{ providers: { box: { apis: { soap: 'http://b/v1' } } } }, 'providers.box.apis.soap'],
    [{ providers: { box: { kind: 'local' } } }, 'providers.box: expected "apis"'],
    [{ overrides: { 'openai/nosuch': {} } }, 'overrides["openai/nosuch"]: expected PROVIDER/MODEL of a known model'],
    [{ default: 'nosuch' }, 'default: expected PROVIDER/MODEL of a known model'],
    [[], 'the whole: expected an object'],
  ])('%j is refused: %s', async (file, message) => {
    await expect(check(file)).rejects.toMatchObject({ place: 'my.json', status: 78 });
    await expect(check(file)).rejects.toThrow(message);
  });
});
