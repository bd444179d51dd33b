import { expect, test } from 'vitest';
import { modelNamed, providerNamed } from '../../../src/lib/models/catalogue.ts';
import { costOf } from '../../../src/lib/models/cost.ts';
import { endpointOf } from '../../../src/lib/models/endpoint.ts';

const noon = Date.UTC(2026, 10, 20, 12);

test('tokens cost their rates, cached ones theirs', () => {
  const price = modelNamed('claude-haiku-4-5', 'anthropic')?.price;
  const usage = { input: 1000, cacheRead: 10_000, cacheWrite: 2000, output: 500 };
  expect(costOf(price, usage, noon)).toBeCloseTo((1000 * 1 + 10_000 * 0.1 + 2000 * 1.25 + 500 * 5) / 1e6, 12);
});

test('a prompt beyond a tier costs the tier’s rates, all of it', () => {
  const price = { input: 1, output: 2, tiers: [{ above: 1000, input: 10, output: 20 }] };
  expect(costOf(price, { input: 1000, output: 1 }, noon)).toBeCloseTo(0.001002, 12);
  expect(costOf(price, { input: 1001, output: 1 }, noon)).toBeCloseTo(0.01003, 12);
  expect(costOf(price, { input: 600, cacheRead: 401, output: 0 }, noon)).toBeCloseTo(0.01001, 12);
});

test('some prices follow the clock', () => {
  const price = modelNamed('deepseek-v4-pro', 'deepseek')?.price;
  const at = (hour: number) => costOf(price, { input: 1e6, output: 0 }, Date.UTC(2026, 10, 20, hour));
  expect([at(0), at(2), at(4), at(7), at(10)]).toEqual([0.66, 1.32, 0.66, 1.32, 0.66]);
});

test('what is not known is not 0', () => {
  expect(costOf(undefined, { input: 1 }, noon)).toBeUndefined();
  expect(costOf({ input: 1 }, { input: 1, output: 1 }, noon)).toBeUndefined();
  expect(costOf({ input: 0, output: 0 }, { input: 5, output: 5 }, noon)).toBe(0);
});

test.each([
  ['azure', { AZURE_RESOURCE_NAME: 'mine' }, 'https://mine.openai.azure.com/openai/v1'],
  ['amazon-bedrock', {}, 'https://bedrock-runtime.us-east-1.amazonaws.com'],
  ['amazon-bedrock', { AWS_REGION: 'eu-west-1' }, 'https://bedrock-runtime.eu-west-1.amazonaws.com'],
  [
    'databricks',
    { DATABRICKS_HOST: 'https://me.cloud.databricks.com/' },
    'https://me.cloud.databricks.com/ai-gateway/mlflow/v1',
  ],
  [
    'google-vertex',
    { GOOGLE_CLOUD_LOCATION: 'global', GOOGLE_CLOUD_PROJECT: 'p' },
    'https://aiplatform.googleapis.com/v1/projects/p/locations/global/publishers/google',
  ],
  [
    'google-vertex',
    { GOOGLE_VERTEX_BASE_URL: 'http://localhost:9', GOOGLE_CLOUD_PROJECT: 'p' },
    'http://localhost:9/v1/projects/p/locations/us-central1/publishers/google',
  ],
  ['openai', { OPENAI_BASE_URL: 'http://localhost:9/v1/' }, 'http://localhost:9/v1'],
  ['anthropic', { ANTHROPIC_BASE_URL: 'https://proxy.example' }, 'https://proxy.example/v1'],
  ['ollama', { OLLAMA_HOST: 'box' }, 'http://box:11434/api'],
  ['ollama', { OLLAMA_HOST: 'box:1' }, 'http://box:1/api'],
])('the address of %s under %j', (name, env, url) => {
  const provider = providerNamed(name);
  expect(provider && endpointOf(provider, env).url).toBe(url);
});

test.each([
  ['azure', {}, 'cannot build the URL of azure: AZURE_RESOURCE_NAME is not set'],
  ['azure', { AZURE_RESOURCE_NAME: 'evil.com/?x=' }, 'AZURE_RESOURCE_NAME is not the name of a host'],
  ['openai', { OPENAI_BASE_URL: 'file:///etc' }, 'OPENAI_BASE_URL is not an http or https URL'],
])('the address of %s under %j is refused', (name, env, message) => {
  const provider = providerNamed(name);
  expect(() => provider && endpointOf(provider, env)).toThrow(message);
});
