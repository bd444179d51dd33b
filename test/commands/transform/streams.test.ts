// Streamed replies of every API, read by the program as event streams and as lines of events.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/lib/json/values.ts';
import { eventOf, FrameParser } from '../../../src/lib/streams/aws-event-stream.ts';
import { eventFrame } from '../../aws-frames.ts';
import { APIS, streams } from '../../fixtures.ts';
import { asLines, readOut } from '../../laws/generate.ts';
import { run } from '../../run.ts';

const asText = (events: readonly JsonObject[]) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');

/** The reply in Chat's dialect, read as `from` where that is said. */
async function asOpenAI(stdin: string, from?: string): Promise<unknown> {
  const argv = ['--to', 'openai', '-q', ...(from === undefined ? [] : ['--from', from])];
  const { stdout, stderr } = await run('ai-transform', argv, { stdin });
  const [reply] = readOut(stdout);
  return { choices: reply?.choices, stderr };
}

for (const { name } of APIS.filter(({ name }) => name !== 'openai'))
  describe(name, () => {
    test.each(streams(name))('$name tells the reply', async ({ events, reply }) => {
      const whole = await asOpenAI(asLines([reply]), name);
      expect(await asOpenAI(asText(events), name)).toEqual(whole);
      expect(await asOpenAI(asText(events))).toEqual(whole);
      // A chunk of Gemini's is a reply by itself.
      if (name !== 'gemini') expect(await asOpenAI(asLines(events))).toEqual(whole);
    });
  });

describe('framing', () => {
  const events = streams('bedrock').map((stream) => stream.events);
  const frames = (list: readonly JsonObject[]) => Buffer.concat(list.map(eventFrame));

  test("AWS's frames are read, wherever they are cut", async () => {
    for (const list of events) {
      const lines = await run('ai-transform', ['--to', 'openai', '-q'], { stdin: asLines(list) });
      const bytes = frames(list);
      for (const size of [1, 7, 100, bytes.length]) {
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
          bytes.subarray(i * size, (i + 1) * size),
        );
        expect(await run('ai-transform', ['--to', 'openai', '-q'], { stdin: chunks })).toEqual(lines);
      }
    }
  });

  test('a stream of Bedrock goes on as the bytes it came in', async () => {
    for (const list of events) {
      const out: Buffer[] = [];
      const stdin = frames(list);
      await run('ai-transform', ['--sse'], { stdin, onStdout: (bytes) => out.push(Buffer.from(bytes)) });
      expect(new FrameParser().push(Buffer.concat(out)).map(eventOf)).toEqual(
        new FrameParser().push(stdin).map(eventOf),
      );
    }
  });

  test('frames that are damaged or cut are an error, and are told as one', async () => {
    const bytes = frames(events[0] ?? []);
    const damaged = Buffer.from(bytes);
    damaged[damaged.length - 10] = 0;
    for (const stdin of [damaged, bytes.subarray(0, -5), bytes.subarray(0, 5)]) {
      const { status, stdout } = await run('ai-transform', ['--to', 'openai', '--sse', '-q'], { stdin });
      expect(status).toBe(65);
      expect(stdout.includes('[DONE]')).toBe(false);
    }
  });

  test('a stream that breaks off is told once', async () => {
    const [first] = streams('openai').map((stream) => stream.events);
    const stdin = asText(first?.slice(0, 3) ?? []);
    const { stdout, status } = await run('ai-transform', ['--from', 'openai', '--to', 'ollama', '--sse', '-q'], {
      stdin,
    });
    expect(status).toBe(65);
    expect(readOut(stdout).filter(({ error }) => error !== undefined)).toHaveLength(1);
  });

  test("Ollama's stream is a line for each event", async () => {
    const { stdout } = await run('ai-transform', ['--to', 'ollama', '--sse', '-q'], { stdin: frames(events[0] ?? []) });
    const lines = readOut(stdout);
    expect(lines.at(-1)?.done).toBe(true);
    expect(lines.slice(0, -1).every(({ done }) => done === false)).toBe(true);
  });
});
