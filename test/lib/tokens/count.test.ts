// Whole requests: what recorded providers reported, and the parts that texts do not have.
import { describe, expect, test } from 'vitest';
import type { Message } from '../../../src/lib/conversation/types.ts';
import { formatNamed } from '../../../src/lib/dialects/table.ts';
import type { Format } from '../../../src/lib/dialects/types.ts';
import { isObject, type JsonObject } from '../../../src/lib/json/values.ts';
import { Calibration } from '../../../src/lib/tokens/calibrate.ts';
import { Counter, counterFor } from '../../../src/lib/tokens/count.ts';
import { familyOf } from '../../../src/lib/tokens/families.ts';
import { imageSize } from '../../../src/lib/tokens/image-size.ts';
import { accepted, CORPORA } from '../../fixtures.ts';
import { countTokens } from '../../tokens.ts';

/** Requests without media or tools of the provider, with the prompt tokens that came back. */
function reported(folder: string, format: Format): { ours: number; theirs: number; plain: boolean }[] {
  return accepted(folder).flatMap(({ request, response }) => {
    const usage = isObject(response) && isObject(response.usage) ? response.usage : undefined;
    const theirs = Number(usage?.prompt_tokens ?? usage?.input_tokens);
    const text = JSON.stringify(request);
    if (
      !(theirs > 0) ||
      /"(image|image_url|document|file|input_audio|thinking|redacted_thinking|cache_control)"|_tool_|_20/.test(text)
    )
      return [];
    const { [format.messagesKey]: natives, ...body } = request as JsonObject;
    const { head, messages } = format.readHead(body);
    const all = [...messages, ...(natives as JsonObject[]).map((native) => format.readMessage(native))];
    const ours = countTokens(head.model, { head, messages: all }, format.name);
    return [
      {
        ours,
        theirs,
        plain: head.tools === undefined && all.every(({ parts }) => parts.every((part) => part.type === 'text')),
      },
    ];
  });
}

const openai = formatNamed('openai') as Format;
const anthropic = formatNamed('anthropic') as Format;

describe.skipIf(CORPORA === undefined)('recorded requests', () => {
  test('plain ones to OpenAI are counted to the token, or one or two', () => {
    const plain = reported('openai-chat', openai).filter((one) => one.plain && one.theirs > 12);
    expect(plain.length).toBeGreaterThan(10);
    for (const { ours, theirs } of plain) expect(Math.abs(ours - theirs)).toBeLessThanOrEqual(2);
  });

  test.each([
    ['openai-chat', openai, 0.3],
    ['anthropic-messages', anthropic, 0.45],
  ] as const)('those of %s with tools are close', (folder, format, margin) => {
    const all = reported(folder, format).filter(({ theirs }) => theirs > 60);
    expect(all.length).toBeGreaterThan(20);
    const off = all.map(({ ours, theirs }) => ours / theirs - 1).sort((a, b) => a - b);
    expect(Math.abs(off[off.length >> 1] as number)).toBeLessThan(0.15);
    expect(off.filter((share) => Math.abs(share) > margin).length).toBeLessThan(off.length / 10);
  });
});

test.each([
  ['gpt-4o-mini', 'gpt-4o'],
  ['openai/gpt-4.1', 'gpt-4o'],
  ['gpt-5.2-codex', 'gpt-5'],
  ['o3-mini', 'gpt-5'],
  ['openai/o4-mini', 'gpt-5'],
  ['gpt-4-turbo-2024-04-09', 'gpt-4'],
  ['gpt-3.5-turbo', 'gpt-4'],
  ['openai/gpt-oss-120b', 'gpt-oss'],
  ['claude-3-5-sonnet-20241022', 'claude'],
  ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude'],
  ['claude-opus-4-20250514', 'claude'],
  ['claude-opus-4-7', 'claude-4-7'],
  ['anthropic/claude-opus-4.8', 'claude-4-7'],
  ['claude-sonnet-5', 'claude-4-7'],
  ['gemini-3-pro-preview', 'gemini'],
  ['qwen3-coder:480b', 'others'],
  ['nobody-knows', 'gpt-4o'],
])('%s counts like %s', (model, family) => expect(familyOf(model).name).toBe(family));

test('a model that nobody knows counts like its dialect, if that has only one maker', () => {
  expect(familyOf('unknown', 'anthropic').name).toBe('gpt-4o');
  expect(familyOf(undefined, 'gemini').name).toBe('gemini');
  expect(familyOf(undefined, 'openai').name).toBe('gpt-4o');
});

const png = (width: number, height: number): string => {
  const bytes = Buffer.alloc(33);
  bytes.writeUInt32BE(0x89504e47, 0);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes.toString('base64');
};
const image = (data: string, detail?: string): Message => ({
  role: 'user',
  parts: [{ type: 'media', kind: 'image', source: { type: 'data', data, mime: 'image/png' }, detail }],
});

test('an image costs by its pixels, not by its bytes', () => {
  const tokens = (model: string, message: Message) =>
    Math.ceil(counterFor(model).message(message)) - counterFor(model).family.framing.message;
  expect(tokens('gpt-4o', image(png(1024, 1024)))).toBe(85 + 170 * 4);
  expect(tokens('gpt-4o', image(png(1024, 1024), 'low'))).toBe(85);
  expect(tokens('claude-sonnet-4-5', image(png(750, 100)))).toBe(104);
  expect(tokens('gemini-2.5-flash', image(png(300, 300)))).toBe(258);
  expect(tokens('gpt-4o', image(`${png(64, 64)}${'A'.repeat(4_000_000)}`))).toBe(255);
});

test('sizes are read from PNG, JPEG, GIF and WebP, and from nothing else', () => {
  const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');
  expect(imageSize(bytes('ffd8 ffe0 0004 0000 ffc0 0011 08 0120 0240 03'))).toEqual({ width: 0x240, height: 0x120 });
  expect(imageSize(Buffer.concat([Buffer.from('GIF89a'), bytes('4001 f000 0000')]))).toEqual({
    width: 320,
    height: 240,
  });
  const webp = Buffer.concat([Buffer.from('RIFF0000WEBPVP8X'), bytes('0a000000 00000000 ff0300 ff0100 00')]);
  expect(imageSize(webp)).toEqual({ width: 1024, height: 512 });
  for (const other of ['', 'ff', 'ffd8', 'ffd8ffe0ffff', '89504e47', '000000'])
    expect(imageSize(bytes(other))).toBeUndefined();
});

test('tools, system prompt, calls and framing count', () => {
  const head = {
    tools: [
      {
        type: 'function' as const,
        name: 'Read',
        description: 'reads a file',
        schema: { type: 'object', properties: { path: { type: 'string' } } },
      },
    ],
  };
  const asked: Message = { role: 'user', parts: [{ type: 'text', text: 'hi' }] };
  const call: Message = {
    role: 'assistant',
    parts: [{ type: 'tool_call', id: 'x', name: 'Read', input: { path: 'a.c' } }],
  };
  expect(countTokens('gpt-4o', { messages: [asked] })).toBe(1 + 4 + 3);
  expect(countTokens('gpt-4o', { head, messages: [asked] })).toBeGreaterThan(30);
  expect(
    countTokens('claude-sonnet-4-5', { messages: [asked, call] }) -
      countTokens('claude-sonnet-4-5', { messages: [asked] }),
  ).toBeGreaterThan(71);
  expect(counterFor('gpt-4o').text('hello world')).toBe(2);
  expect(Math.ceil(counterFor('claude-sonnet-4-5').text('hello world'))).toBe(3);
});

describe('calibration', () => {
  const answer = (input: number | undefined, model = 'm'): Message => ({
    role: 'assistant',
    parts: [{ type: 'text', text: 'x' }],
    by: { model },
    usage: { input },
  });
  const scaleAfter = (
    prompts: readonly (number | undefined)[],
    tokens: number,
    model?: (i: number) => string,
  ): number => {
    const calibration = new Calibration();
    prompts.forEach((prompt, i) => calibration.add(answer(prompt, model?.(i)), tokens));
    return calibration.scale;
  };

  test('moves towards what was reported', () => {
    const growing = Array.from({ length: 100 }, (_, i) => 5000 + i * 1200);
    expect(scaleAfter(growing, 1000)).toBeGreaterThan(1.1);
    expect(scaleAfter(growing, 1000)).toBeLessThan(1.2);
    expect(scaleAfter(growing.slice(0, 1), 1000)).toBe(1);
  });

  test('does not believe a prompt that shrank, jumped, or belongs to another model', () => {
    expect(scaleAfter([5000, 4000, 3000, 90_000], 1000)).toBe(1);
    expect(scaleAfter([undefined, undefined], 1000)).toBe(1);
    const growing = Array.from({ length: 100 }, (_, i) => 5000 + i * 1200);
    expect(scaleAfter(growing, 1000, (i) => `m${i % 2}`)).toBe(1);
  });

  test('scales everything that is counted', () => {
    const counter = counterFor('claude-sonnet-4-5');
    const message = answer(1);
    expect(counter.scaled(1.5).message(message)).toBeCloseTo(1.5 * counter.message(message));
    expect(new Counter(counter.family, 1.5).head({})).toBeCloseTo(1.5 * counter.head({}));
  });
});
