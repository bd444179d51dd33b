// Bytes in the alphabet that Gemini takes as well as the standard one: what leaves for another API is in the standard one.
import { describe, expect, test } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../../src/lib/json/values.ts';
import { faultServer, json } from '../../fault-server.ts';
import { asLines, readOut } from '../../laws/generate.ts';
import { run } from '../../run.ts';

/** A JPEG's first bytes, and bytes that use both of the letters in question; the length wants padding. */
const BYTES = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0xfb, 0xef, 0xbe, 0xff, 0xfe, 0x01, 0x02]);
const STANDARD = BYTES.toString('base64');
const SAFE = BYTES.toString('base64url');

const SPELLINGS: readonly (readonly [string, string])[] = [
  ['the alphabet for URLs', SAFE],
  ['the alphabet for URLs, padded', `${SAFE}=`],
  ['no padding', STANDARD.replaceAll('=', '')],
  ['lines', `${STANDARD.slice(0, 6)}\r\n${STANDARD.slice(6)}\n`],
  ['both alphabets', `${STANDARD.slice(0, 8)}${SAFE.slice(8)}`],
  ['an address', `data:image/jpeg;base64,${SAFE}`],
];

const OTHERS = ['anthropic', 'openai', 'openai-responses', 'bedrock', 'mistral', 'cohere', 'ollama'];
const LOGS = ['claude-code', 'codex', 'pi', 'html'];

const gemini = (data: string): JsonObject[] => [
  { role: 'user', parts: [{ text: 'What is it?' }, { inlineData: { mimeType: 'image/jpeg', data } }] },
  { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'look', args: {} } }] },
  {
    role: 'user',
    parts: [
      {
        functionResponse: {
          id: 'c1',
          name: 'look',
          response: { output: 'seen' },
          parts: [{ inlineData: { mimeType: 'image/jpeg', data } }],
        },
      },
    ],
  },
];

/** Each text that ends with the bytes, in whatever spelling. */
function bytesIn(value: Json | undefined): string[] {
  if (typeof value === 'string') return /_9j_|\/9j\//.test(value) ? [value.replace(/^data:[^,]*,/, '')] : [];
  if (Array.isArray(value)) return value.flatMap(bytesIn);
  return isObject(value) ? Object.values(value).flatMap(bytesIn) : [];
}

describe.each(SPELLINGS)('%s', (_, data) => {
  test.each(OTHERS)('in a conversation of Gemini for %s', async (to) => {
    const { stdout, status } = await run('ai-transform', ['-q', '--to', to], { stdin: asLines(gemini(data)) });
    expect(status).toBe(0);
    const found = bytesIn(readOut(stdout));
    expect(found.length).toBeGreaterThan(0);
    expect(new Set(found)).toEqual(new Set([STANDARD]));
    const checked = await run('ai-transform', ['--check', '--from', to], { stdin: stdout });
    expect(checked.stdout).not.toContain('media-source');
  });

  test.each(LOGS)('in a conversation of Gemini as %s', async (to) => {
    const { stdout, status } = await run('ai-transform', ['-q', '--to', to], { stdin: asLines(gemini(data)) });
    expect(status).toBe(0);
    expect(stdout).not.toContain(SAFE);
    expect(stdout).toContain(STANDARD);
  });

  test('is what Gemini itself gets again, as it came', async () => {
    const stdin = asLines(gemini(data));
    expect((await run('ai-transform', ['-q', '--to', 'gemini'], { stdin })).stdout).toBe(stdin);
    const carried = await run('ai-transform', ['-q', '--to', 'anthropic', '--carry'], { stdin });
    expect((await run('ai-transform', ['-q', '--to', 'gemini'], { stdin: carried.stdout })).stdout).toBe(stdin);
  });

  test('in requests', async () => {
    await using server = await faultServer(json(200, {}));
    for (const model of ['anthropic/claude-sonnet-4-5', 'openai/gpt-4o', 'cohere/command-a-vision']) {
      const argv = ['-q', '-m', model, '--base-url', server.url, '--retries', '0'];
      await run('ai-complete', argv, { stdin: asLines(gemini(data)), env: { AI_API_KEY: 'k' } });
      const found = bytesIn(JSON.parse(server.asked.at(-1)?.body ?? 'null'));
      expect(new Set(found), model).toEqual(new Set([STANDARD]));
    }
  });
});

/** An image as each API spells it. */
const IMAGES: { readonly [api: string]: (data: string) => JsonObject } = {
  anthropic: (data) => ({ type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data } }),
  openai: (data) => ({ type: 'image_url', image_url: { url: `data:image/jpeg;base64,${data}` } }),
  'openai-responses': (data) => ({ type: 'input_image', image_url: `data:image/jpeg;base64,${data}` }),
  bedrock: (data) => ({ image: { format: 'jpeg', source: { bytes: data } } }),
  mistral: (data) => ({ type: 'image_url', image_url: `data:image/jpeg;base64,${data}` }),
  cohere: (data) => ({ type: 'image_url', image_url: { url: `data:image/jpeg;base64,${data}` } }),
};

describe.each(Object.entries(IMAGES))('%s', (api, image) => {
  const message = (data: string): string => asLines([{ role: 'user', content: [image(data)] }]);

  test('--check names data that is not in the standard alphabet, and --repair mends it', async () => {
    for (const data of [SAFE, STANDARD.replaceAll('=', '')]) {
      const { stdout, status } = await run('ai-transform', ['--from', api, '--check'], { stdin: message(data) });
      expect([status, stdout]).toEqual([1, expect.stringContaining('media-source')]);
      const mended = await run('ai-transform', ['-q', '--from', api, '--repair'], { stdin: message(data) });
      expect(bytesIn(readOut(mended.stdout))).toEqual([STANDARD]);
    }
    const fine = await run('ai-transform', ['--from', api, '--check'], { stdin: message(STANDARD) });
    expect(fine.stdout).not.toContain('media-source');
  });

  test('its own records stay as they came', async () => {
    const { stdout } = await run('ai-transform', ['-q', '--from', api, '--to', api], { stdin: message(SAFE) });
    expect(stdout).toBe(message(SAFE));
  });
});
