// Conversion cases of other projects' tests (AI_CORPORA/transform/cases.jsonl): met where they state a rule, departed from where they state a taste.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { adaptTo } from '../../src/lib/adapters/table.ts';
import { Converter } from '../../src/lib/formats/convert.ts';
import { Losses } from '../../src/lib/formats/losses.ts';
import { formatNamed } from '../../src/lib/formats/table.ts';
import { isObject, type Json, type JsonObject } from '../../src/lib/ir/json.ts';
import { CORPORA, readLines } from '../fixtures.ts';
import { asJson } from '../laws/same.ts';

interface Upstream {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly kind: string;
  readonly input: Json;
  readonly expected: Json;
  readonly assert: string;
  readonly note: string;
}

/** The cases' words for a dialect, and the model that they mean by it. */
const DIALECTS: { readonly [name: string]: readonly [format: string, model?: string] } = {
  'anthropic-messages': ['anthropic'],
  'anthropic-messages(system placement)': ['anthropic'],
  'openai-chat': ['openai'],
  'openai-chat-r1': ['openai'],
};

/** Cases that state a taste, or something that is wrong: each with its reason, as src/README.md has them. */
export const DEPARTURES: { readonly [id: string]: string } = {
  'litellm-0013':
    'the note in front of a former system message is worded otherwise: <system> tags, which the way back knows',
  'litellm-0047':
    'thinking_blocks are an extension of LiteLLM alone; signatures travel with --carry, or as reasoning_details to OpenRouter',
  'litellm-0091': 'an effort that was switched off is no thinking at all',
  'litellm-0103': 'a budget must be below max_tokens, which is raised for it',
  'litellm-0105': 'an unknown effort is dropped and said; --strict makes it an error',
  'litellm-0106': 'an unknown effort is dropped and said; --strict makes it an error',
  'litellm-0186': 'it is no record, but a piece of one',
  'litellm-0192': 'an image in a result is shown in a message of the user, not written as the text of a data: URL',
  'roo-code-0008': 'its function for ids is the case’s own',
  'roo-code-0010': '"(empty)" in place of an empty result is made up for one server',
  'roo-code-0011': '"(empty)" in place of an empty result is made up for one server',
  'roo-code-0012': '"(empty)" in place of an empty result is made up for one server',
  'roo-code-0013': 'an empty text is taken by the API and stays',
  'roo-code-0014': 'an empty text is taken by the API and stays',
  'roo-code-0020': 'an id is cut there, and so two can become one; here it is a hash that is checked',
  'roo-code-0059': 'messages of the assistant in a row are one turn, and are joined: calls and results stay together',
  'roo-code-0025': 'ids in reasoning_details are the server’s own and pass unchanged',
};

const lines = CORPORA === undefined ? [] : (readLines(join(CORPORA, 'transform/cases.jsonl')) as unknown as Upstream[]);
const judged = lines.filter(({ from, to, kind }) => {
  const pair = [DIALECTS[from], DIALECTS[to]];
  return pair.every((dialect) => dialect && formatNamed(dialect[0])) && kind !== 'stream';
});

describe.skipIf(CORPORA === undefined)('upstream cases', () => {
  test('there are some', () => expect(judged.length).toBeGreaterThan(40));

  test.each(judged.map((found) => [found.id, found.note, found] as const))('%s: %s', (id, _, found) => {
    if (DEPARTURES[id] !== undefined) return;
    const check = BY_HAND[id];
    const { out, expected } = converted(found);
    if (check) check(out);
    else if (isRoles(expected)) expect(out.map((message) => message.role)).toEqual(expected.roles);
    else if (found.assert.startsWith('full') && found.kind !== 'response') expect(plain(out)).toEqual(plain(expected));
    else expect(plain(out)).toMatchObject(plain(expected) as object);
  });

  test('every departure is a case, and no case is departed from without need', () => {
    const ids = new Set(lines.map(({ id }) => id));
    expect(Object.keys(DEPARTURES).filter((id) => !ids.has(id))).toEqual([]);
  });
});

const isRoles = (value: Json): value is { roles: string[] } => isObject(value) && Array.isArray(value.roles);

/** The records that the case's input becomes, and those that it wants. */
function converted({ from, to, kind, input, expected }: Upstream): { out: JsonObject[]; expected: Json } {
  const [source = '', ofSource] = DIALECTS[from] ?? [];
  const [target = '', ofTarget] = DIALECTS[to] ?? [];
  const options =
    isObject(input) && Array.isArray(input.messages)
      ? input
      : Array.isArray(input) && Array.isArray(input[0])
        ? input[1]
        : {};
  const model = ofTarget ?? ofSource ?? (isObject(options) && options.mergeToolResultText ? 'deepseek-r1' : undefined);
  const run = (records: readonly Json[], named = model): JsonObject[] => {
    const converter = new Converter({
      to: formatNamed(target),
      from: source,
      losses: new Losses(),
      adapt: adaptTo({ model: named }),
    });
    return [...records.flatMap((value) => converter.push({ value })), ...converter.end()].map(
      (rec) => asJson(rec.value) as JsonObject,
    );
  };
  if (kind === 'params')
    return {
      out: run([{ model: '', ...(input as JsonObject) }], MODES[String((input as JsonObject).model_mode)]),
      expected,
    };
  if (kind === 'messages') {
    const messages = Array.isArray(input)
      ? Array.isArray(input[0])
        ? input[0]
        : input
      : ((input as JsonObject).messages as Json[]);
    const placed = isObject(input) && input.op !== undefined;
    const named = placed ? (input.supports_mid_conversation_system ? 'claude-opus-4-8' : 'claude-sonnet-4-5') : model;
    return { out: run(messages, named).filter((record) => 'role' in record), expected };
  }
  const out = run([input]);
  return { out: out.slice(0, 1), expected: [expected] };
}

const MODES: { readonly [mode: string]: string } = {
  'adaptive (Opus/Sonnet 4.6+)': 'claude-opus-4-7',
  'budget (Haiku 4.5 / Sonnet 4.5)': 'claude-haiku-4-5',
};

const at = (out: readonly JsonObject[], i: number): JsonObject[] => (out[i]?.content ?? []) as JsonObject[];

/** What a case says in words, or of a place that is its own project's. */
const BY_HAND: { readonly [id: string]: (out: JsonObject[]) => void } = {
  'litellm-0008': (out) =>
    expect(out.flatMap((message) => message.content)).toContainEqual(reminder({ type: 'ephemeral', ttl: '1h' })),
  'litellm-0009': (out) =>
    expect(out.flatMap((message) => message.content)).toContainEqual(reminder({ type: 'ephemeral', ttl: '5m' })),
  'litellm-0010': (out) =>
    expect(out.flatMap((message) => message.content)).toContainEqual(reminder({ type: 'ephemeral' })),
  'litellm-0011': (out) => expect(out.flatMap((message) => message.content)).toContain('<system>\nreminder\n</system>'),
  'litellm-0036': (out) => {
    expect(at(out, 1)).toEqual([
      { type: 'tool_use', id: expect.any(String), name: 'get_weather', input: { location: 'San Francisco' } },
    ]);
    expect(out[2]).toMatchObject({
      role: 'user',
      content: [{ type: 'tool_result', cache_control: { type: 'ephemeral' } }],
    });
  },
  ...Object.fromEntries(
    (
      [
        ['litellm-0092', { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } }],
        ['litellm-0094', { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } }],
        ['litellm-0095', { thinking: { type: 'enabled', budget_tokens: 1024 } }],
        ['litellm-0097', { thinking: { type: 'enabled', budget_tokens: 2048 } }],
        ['litellm-0100', { thinking: { type: 'adaptive' }, output_config: { effort: 'xhigh' } }],
      ] as const
    ).map(([id, wanted]) => [id, (out: JsonObject[]) => expect(out[0]).toMatchObject(wanted)]),
  ),
};

const reminder = (cache_control: Json): JsonObject => ({
  type: 'text',
  text: '<system>\nreminder\n</system>',
  cache_control,
});

/** Spellings that mean the same: a string or a list of one text, no content, an empty one or null, and arguments as values. */
function plain(value: Json | readonly Json[]): Json {
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value as Json;
  const entries = Object.entries(value as JsonObject).flatMap(([key, item]): [string, Json][] => {
    if (key === '_meta' || key === 'cache_control_note') return [];
    if (key === 'content' && (item === null || item === '' || (Array.isArray(item) && item.length === 0))) return [];
    if (key === 'content' && typeof item === 'string') return [[key, [{ type: 'text', text: item }]]];
    if (key === 'arguments' && typeof item === 'string') return [[key, JSON.parse(item || '{}')]];
    return [[key, plain(item ?? null)]];
  });
  return Object.fromEntries(entries);
}
