// Streams of LiteLLM's tests (AI_CORPORA/transform/cases.jsonl), told live to Anthropic's clients.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatNamed } from '../../src/lib/dialects/table.ts';
import type { Format } from '../../src/lib/dialects/types.ts';
import type { JsonObject } from '../../src/lib/json/values.ts';
import { CORPORA, readLines } from '../fixtures.ts';
import { live } from '../told.ts';

const cases = CORPORA === undefined ? [] : readLines(join(CORPORA, 'transform/cases.jsonl'));

/** The events that Anthropic's API would have sent. */
function told(id: string): JsonObject[] {
  const found = cases.find((each) => each.id === id);
  const [from, to] = ['openai', 'anthropic'].map((name) => formatNamed(name) as Format);
  return live(from as Format, to as Format, found?.input as JsonObject[]).told.map(({ data }) => data as JsonObject);
}

const starts = (events: readonly JsonObject[]): unknown[] =>
  events.flatMap(({ content_block: block }) => (block ? [(block as JsonObject).type] : []));
const texts = (events: readonly JsonObject[]): string =>
  events.map(({ delta }) => ((delta as JsonObject | undefined)?.text as string | undefined) ?? '').join('');

/** Thinking without a signature is not told: no request could hold it. What is told stands in blocks of its own kind. */
describe.skipIf(CORPORA === undefined)('streams of LiteLLM’s tests', () => {
  test('litellm-0194: content and finish_reason in one chunk', () => {
    const events = told('litellm-0194');
    expect(texts(events)).toBe('Hello, the answer is 2.');
    expect(events.at(-2)).toMatchObject({ usage: { input_tokens: 10, output_tokens: 5 } });
  });
  test('litellm-0195: the usage comes after the reason, and counts the cache once', () => {
    expect(told('litellm-0195').at(-2)).toMatchObject({
      usage: { input_tokens: 70, output_tokens: 5, cache_read_input_tokens: 30, cache_creation_input_tokens: 20 },
    });
  });
  test('litellm-0196, 0197: reasoning and text in one chunk', () => {
    expect(texts(told('litellm-0196'))).toBe('Hi there!');
    expect(starts(told('litellm-0197'))).toEqual(['text']);
  });
  test('litellm-0201: text between calls, and one id for two calls', () => {
    const events = told('litellm-0201');
    expect(starts(events).filter((type) => type === 'tool_use')).toHaveLength(3);
    expect(starts(events).filter((type) => type === 'text')).toHaveLength(2);
  });
  test('litellm-0202: the first event begins a message, the last one ends it', () => {
    const events = told('litellm-0202');
    expect([events[0]?.type, events.at(-1)?.type, texts(events)]).toEqual([
      'message_start',
      'message_stop',
      'The answer is 4.',
    ]);
  });
});
