// Where a name goes: a tag to the server of this machine that has it, what a cloud has named to its place.
import { describe, expect, test } from 'vitest';
import { faultServer, json } from '../../fault-server.ts';
import { run } from '../../run.ts';
import { ASK, fresh, records, reply } from './asking.ts';

const NOWHERE = 'http://127.0.0.1:9';
const OTHERS = Object.fromEntries(
  ['OLLAMA_HOST', 'LMSTUDIO_BASE_URL', 'LLAMACPP_BASE_URL', 'VLLM_BASE_URL', 'JAN_BASE_URL', 'MLX_BASE_URL'].map(
    (name) => [name, NOWHERE],
  ),
);
const KEYS = { OPENAI_API_KEY: 'k', DASHSCOPE_API_KEY: 'k', OLLAMA_API_KEY: 'k', AI_STATE: 'off' };

const server = () =>
  faultServer((response, asked) =>
    json(
      200,
      asked.path.endsWith('/models') ? { data: [{ id: 'qwen3:8b' }] } : { ...reply('here'), model: 'qwen3:8b' },
    )(response, asked),
  );

describe('a tag', () => {
  test.each([
    ['OLLAMA_HOST', 'ollama', ''],
    ['LMSTUDIO_BASE_URL', 'lmstudio', '/v1'],
  ])('is asked of the server that has it: %s', async (variable, provider, path) => {
    await using here = await server();
    const env = { ...OTHERS, ...KEYS, [variable]: `${here.url.replace(/\/v1$/, '')}${path}` };
    const routed = await run('ai-route', ['-m', 'qwen3:8b', '--budget', '1'], { stdin: ASK, env });
    expect([routed.stderr, records(routed.stdout)[0]]).toEqual([
      '',
      expect.objectContaining({ model: 'qwen3:8b', _meta: { route: expect.objectContaining({ provider }) } }),
    ]);
    const { _meta } = records((await run('ai-route', ['-m', 'qwen3:8b'], { stdin: ASK, env })).stdout)[0];
    expect(_meta.route.estimate.usd).toBe(0);
    // Ollama's own API is another, which this server does not speak.
    if (provider === 'ollama') return;
    const argv = ['-n', '-m', 'qwen3:8b', '--budget', 'call=0.01'];
    const { stdout, stderr } = await run('ai-complete', argv, { stdin: ASK, env });
    expect([stderr, records(stdout)[0]?._meta]).toEqual(['', expect.objectContaining({ provider, cost: { usd: 0 } })]);
  });

  test('that the servers here have not is refused with the choices', async () => {
    await using here = await server();
    const env = { ...OTHERS, ...KEYS, LMSTUDIO_BASE_URL: `${here.url.replace(/\/v1$/, '')}/v1` };
    for (const program of ['ai-complete', 'ai-route']) {
      const { status, stderr } = await run(program, ['-m', 'llama3.2:3b'], { stdin: ASK, env });
      expect([status, stderr]).toEqual([
        78,
        expect.stringMatching(/lmstudio has no such model .*ollama\/llama3\.2:3b/),
      ]);
    }
    expect(here.asked.every(({ path }) => path.endsWith('/models'))).toBe(true);
  });
});

describe('what a cloud has named goes to its place', () => {
  const env = {
    AWS_BEARER_TOKEN_BEDROCK: 'k',
    AWS_REGION: 'us-east-1',
    GOOGLE_VERTEX_ACCESS_TOKEN: 't',
    HOME: fresh(),
  };
  const arn = 'arn:aws:bedrock:eu-west-1:123456789012:application-inference-profile/a1b2c3';

  test.each([
    [arn, `https://bedrock-runtime.eu-west-1.amazonaws.com/model/${encodeURIComponent(arn)}/converse`],
    [
      'projects/mine/locations/europe-west4/publishers/google/models/gemini-2.5-pro',
      'https://europe-west4-aiplatform.googleapis.com/v1/projects/mine/locations/europe-west4/publishers/google/models/gemini-2.5-pro:generateContent',
    ],
    [
      'projects/mine/locations/europe-west1/publishers/anthropic/models/claude-sonnet-4-5@20250929',
      'https://europe-west1-aiplatform.googleapis.com/v1/projects/mine/locations/europe-west1/publishers/anthropic/models/claude-sonnet-4-5@20250929:rawPredict',
    ],
  ])('%s', async (name, url) => {
    const { stdout, status } = await run('ai-complete', ['--dry-run', '-m', name], { stdin: ASK, env });
    expect([status, decodeURIComponent(records(stdout)[0]?.url)]).toEqual([0, decodeURIComponent(url)]);
    const routed = (await run('ai-route', ['-m', name], { stdin: ASK, env })).stdout;
    const piped = await run('ai-complete', ['--dry-run'], { stdin: routed, env });
    expect(decodeURIComponent(records(piped.stdout)[0]?.url)).toBe(decodeURIComponent(url));
  });
});
