// A stream that is cut anywhere gives the whole answer or none.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Message } from '../../../src/lib/conversation/types.ts';
import type { Endpoint } from '../../../src/lib/dialects/endpoint.ts';
import { FORMATS, formatNamed } from '../../../src/lib/dialects/table.ts';
import type { Format } from '../../../src/lib/dialects/types.ts';
import type { JsonObject } from '../../../src/lib/json/values.ts';
import { AttemptFailed } from '../../../src/lib/providers/errors.ts';
import { readAnswer } from '../../../src/lib/providers/exchange.ts';
import { ConnectionError } from '../../../src/lib/providers/http.ts';
import { eventFrame } from '../../aws-frames.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures');
const TYPES = { sse: 'text/event-stream', lines: 'application/x-ndjson', aws: 'application/vnd.amazon.eventstream' };

interface Case {
  readonly name: string;
  readonly api: string;
  readonly bytes: Buffer;
}

const lines = (text: string) => text.split('\n').filter((line) => line.trim() !== '');

function framed(api: string, events: readonly string[]): Buffer {
  const framing = formatNamed(api)?.framing;
  if (framing === 'aws') return Buffer.concat(events.map((event) => eventFrame(JSON.parse(event))));
  if (framing === 'lines') return Buffer.from(events.map((event) => `${event}\n`).join(''));
  const named = (event: string) => {
    const { type } = JSON.parse(event) as JsonObject;
    return typeof type === 'string' ? `event: ${type}\ndata: ${event}\n\n` : `data: ${event}\n\n`;
  };
  const done = api === 'openai' || api === 'mistral' ? 'data: [DONE]\n\n' : '';
  return Buffer.from(events.map(named).join('') + done);
}

const spoken = FORMATS.flatMap(({ name, endpoint }) => (endpoint ? [name] : []));

const fixtures: Case[] = spoken.flatMap((api) =>
  globSync(`${api}/stream-*.jsonl`, { cwd: FIXTURES }).map((file) => ({
    name: file,
    api,
    bytes: framed(api, lines(readFileSync(join(FIXTURES, file), 'utf8'))),
  })),
);

async function read(api: string, body: AsyncIterable<Uint8Array>): Promise<Message | AttemptFailed> {
  const reading = {
    provider: 'p',
    format: formatNamed(api) as Format,
    endpoint: formatNamed(api)?.endpoint as Endpoint,
    now: () => 0,
    mask: (text: string) => text,
  };
  try {
    return (await readAnswer({ headers: { 'content-type': TYPES[reading.format.framing ?? 'sse'] }, body }, reading))
      .reply;
  } catch (error) {
    if (error instanceof AttemptFailed) return error;
    if (error instanceof ConnectionError) return new AttemptFailed('unreachable', error.message);
    throw error;
  }
}

async function* upTo(bytes: Buffer, cut: number, lost: boolean): AsyncGenerator<Uint8Array> {
  yield bytes.subarray(0, cut);
  if (lost) throw new ConnectionError('cut');
}

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** What an answer is right by. Token counts may come after the words, and be lost with the end. */
const words = ({ parts, stop }: Message) => ({ parts, stop });

async function cutEverywhere({ api, bytes }: Case, step: number): Promise<{ wrong: number[]; whole: number }> {
  const right = await read(api, inPieces(bytes, bytes.length));
  if (right instanceof AttemptFailed) throw right;
  const wrong: number[] = [];
  let whole = 0;
  for (let cut = 0; cut < bytes.length; cut += step)
    for (const lost of [false, true]) {
      const got = await read(api, upTo(bytes, cut, lost));
      if (got instanceof AttemptFailed) continue;
      whole += 1;
      if (JSON.stringify(words(got)) !== JSON.stringify(words(right))) wrong.push(cut);
    }
  return { wrong, whole };
}

describe.each(fixtures)('$name', (fixture) => {
  test('cut at every byte, it gives the whole answer or none', async () => {
    const { wrong, whole } = await cutEverywhere(fixture, 1);
    expect(wrong).toEqual([]);
    expect(whole).toBeLessThan(fixture.bytes.length);
  });

  test('it does not matter how it comes in pieces', async () => {
    const right = await read(fixture.api, inPieces(fixture.bytes, fixture.bytes.length));
    for (const size of [1, 2, 3, 7, 64]) expect(await read(fixture.api, inPieces(fixture.bytes, size))).toEqual(right);
  });
});

const CORPORA = process.env.AI_CORPORA;
const RECORDED: { readonly [folder: string]: string } = {
  'anthropic-messages': 'anthropic',
  'bedrock-converse': 'bedrock',
  'cohere-v2-chat': 'cohere',
  'gemini-generate-content': 'gemini',
  'mistral-chat': 'mistral',
  'openai-chat': 'openai',
  'openai-chat-deepseek': 'openai',
  'openai-chat-groq': 'openai',
  'openai-chat-openrouter': 'openai',
  'openai-responses': 'openai-responses',
};

/** Recorded bodies that are streams of server-sent events, small enough to be cut often. */
function* recorded(): Generator<Case> {
  for (const [folder, api] of Object.entries(RECORDED)) {
    if (!spoken.includes(api)) continue;
    for (const file of globSync(`exchanges/${folder}/exchanges-*.jsonl`, { cwd: CORPORA as string }))
      for (const line of lines(readFileSync(join(CORPORA as string, file), 'utf8'))) {
        if (!line.includes('data: ')) continue;
        const { id, status, response } = JSON.parse(line) as { id: string; status: number; response: unknown };
        if (status !== 200 || typeof response !== 'string' || !/^(event|data):/.test(response)) continue;
        if (response.length < 60_000) yield { name: id, api, bytes: Buffer.from(response) };
      }
  }
}

describe.skipIf(CORPORA === undefined || !existsSync(CORPORA))('recorded streams', () => {
  test('cut at many places, none gives a wrong answer', async () => {
    const wrong: string[] = [];
    let streams = 0;
    for (const one of recorded()) {
      if ((await read(one.api, inPieces(one.bytes, one.bytes.length))) instanceof AttemptFailed) continue;
      streams += 1;
      const found = await cutEverywhere(one, Math.max(1, Math.ceil(one.bytes.length / 150)));
      wrong.push(...found.wrong.map((cut) => `${one.name} at ${cut}`));
    }
    expect(wrong).toEqual([]);
    expect(streams).toBeGreaterThan(10);
  }, 300_000);
});
