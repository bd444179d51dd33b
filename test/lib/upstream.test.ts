// Conversion cases of other projects' tests (AI_CORPORA/transform/cases.jsonl): met where they state a rule, departed from where they state a taste.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { adaptTo } from '../../src/lib/constraints/adapt/adapt.ts';
import { Converter } from '../../src/lib/conversion/convert.ts';
import { Losses } from '../../src/lib/conversion/losses.ts';
import { formatNamed } from '../../src/lib/dialects/table.ts';
import { isObject, type Json, type JsonObject } from '../../src/lib/json/values.ts';
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
  'openai-responses': ['openai-responses'],
  'openrouter-gemini': ['openai', 'google/gemini-3-pro'],
  gemini: ['gemini'],
  'bedrock-converse': ['bedrock'],
  mistral: ['mistral'],
  ollama: ['ollama'],
};

/** Cases that state a taste, or something that is wrong: each with its reason, as src/README.md has them. */
export const DEPARTURES: { readonly [id: string]: string } = {
  'litellm-0013':
    'the note in front of a former system message is worded otherwise: <system> tags, which the way back knows',
  'litellm-0047':
    'thinking_blocks are an extension of LiteLLM alone; signatures travel with --carry, or as reasoning_details to OpenRouter',
  'litellm-0065': 'data without its padding is padded, as the APIs want it',
  'litellm-0091': 'an effort that was switched off is no thinking at all',
  'litellm-0103': 'a budget must be below max_tokens, which is raised for it',
  'litellm-0105': 'an unknown effort is dropped and said; --strict makes it an error',
  'litellm-0106': 'an unknown effort is dropped and said; --strict makes it an error',
  'litellm-0186': 'it is no record, but a piece of one',
  'litellm-0192': 'an image in a result is shown in a message of the user, not written as the text of a data: URL',
  'roo-code-0002': 'data without its padding is padded, as the APIs want it',
  'roo-code-0048': 'data without its padding is padded, as the APIs want it',
  'roo-code-0049': 'data without its padding is padded, as the APIs want it',
  'roo-code-0008': 'its function for ids is the case’s own',
  'roo-code-0010': '"(empty)" in place of an empty result is made up for one server',
  'roo-code-0011': '"(empty)" in place of an empty result is made up for one server',
  'roo-code-0012': '"(empty)" in place of an empty result is made up for one server',
  'roo-code-0013': 'an empty text is taken by the API and stays',
  'roo-code-0014': 'an empty text is taken by the API and stays',
  'roo-code-0020': 'an id is cut there, and so two can become one; here it is a hash that is checked',
  'roo-code-0059': 'messages of the assistant in a row are one turn, and are joined: calls and results stay together',
  'litellm-0027': 'where nothing was said, nothing is',
  'litellm-0118': 'the call is signed, and not its result',
  'litellm-0181': 'an unknown effort is dropped and said; --strict makes it an error',
  'litellm-0182': 'an unknown effort is dropped and said; --strict makes it an error',
  'litellm-0183': 'an unknown effort is dropped and said; --strict makes it an error',
  'roo-code-0044': 'ids in reasoning_details are the server’s own and pass unchanged',
  'roo-code-0080': 'several texts stay several chunks',
  'roo-code-0081': 'fields are spelled as the API has them, and not its client; an id is a hash that is checked',
  'roo-code-0134':
    'a block for a signature is Roo Code’s own; signatures travel with --carry, or in OpenAI’s extra_content',
  'roo-code-0135': 'a result is {"output": …}, as Gemini’s documentation has it, and stands first in its turn',
  'roo-code-0136': 'a result without content is one too: its call must be answered',
  'roo-code-0137': 'a result is {"output": …}, as Gemini’s documentation has it',
  'roo-code-0138': 'an image stands in the result that shows it, where Gemini 3 takes it',
  'roo-code-0139': 'an image stands in the result that shows it, where Gemini 3 takes it',
  'roo-code-0142': 'a result whose call is not there is named after its id, and is no error',
  'roo-code-0154': 'a long id ends with another hash',
  'roo-code-0156': 'a long id ends with another hash',
  'roo-code-0187': '"(empty)" in place of an empty result is made up for one server',
  'roo-code-0192': 'the input of Anthropic’s calls is a value: a text in its place is a JSON text',
  'roo-code-0025': 'ids in reasoning_details are the server’s own and pass unchanged',
};

/** What a record has one of; without any the input is a piece of one, or an argument of a function. */
const RECORD = ['model', 'messages', 'role', 'input', 'contents', 'message', 'choices', 'content', 'candidates'];

const lines = CORPORA === undefined ? [] : (readLines(join(CORPORA, 'transform/cases.jsonl')) as unknown as Upstream[]);
const judged = lines.filter(({ from, to, kind, input, expected }) => {
  // Conditions in another language, and the inside of a parser.
  if (isObject(expected) && ('go_fail_if' in expected || 'want' in expected)) return false;
  if (kind === 'part' || (isObject(input) && !RECORD.some((field) => field in input))) return false;
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
    const messages = messagesOf(input);
    const placed = isObject(input) && input.op !== undefined;
    const named = placed ? (input.supports_mid_conversation_system ? 'claude-opus-4-8' : 'claude-sonnet-4-5') : model;
    const out = run(messages, named).filter((record) => formatNamed(target)?.recognise(record)?.kind !== 'head');
    return { out, expected: isObject(expected) && Array.isArray(expected.contents) ? expected.contents : expected };
  }
  const out = run([input]);
  return { out: out.slice(0, 1), expected: [expected] };
}

/** The messages of a case: alone, as a list, in a body, or before the other arguments of a function. */
function messagesOf(input: Json): readonly Json[] {
  if (Array.isArray(input))
    return Array.isArray(input[0]) ? input[0] : input.filter((item) => isObject(item) && 'role' in item);
  const { messages } = input as JsonObject;
  return Array.isArray(messages) ? messages : [input];
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
  'litellm-0119': (out) => expect(JSON.stringify(out)).not.toContain('thoughtSignature'),
  'litellm-0120': (out) => expect(responseIn(out)).toMatchObject({ parts: [{ inlineData: { data: '/9j/4AAQ' } }] }),
  'litellm-0121': (out) => expect(responseIn(out)).toMatchObject({ parts: [{ inlineData: { data: '/9j/4AAQ' } }] }),
  'litellm-0122': (out) => expect(responseIn(out)).toMatchObject({ parts: [{ inlineData: { data: '/9j/4AAQ' } }] }),
  'litellm-0123': (out) =>
    expect(responseIn(out)).toMatchObject({ parts: [{ inlineData: { mimeType: 'image/png' } }] }),
  'litellm-0132': (out) =>
    expect(at(out, 0)[0]).toMatchObject({ document: { format: 'pdf', name: expect.stringMatching(/^Document/) } }),
  'litellm-0134': (out) => expect(JSON.stringify(out)).not.toContain('citations'),
  'litellm-0143': (out) => expect(out.filter(({ role }) => role === 'model')).toHaveLength(1),
  'litellm-0152': (out) => expect(out).toEqual([{ role: 'model', parts: [{ text: 'hello' }] }]),
  'litellm-0153': (out) => expect(out).toEqual([{ role: 'model', parts: [{ text: 'hello' }] }]),
  'litellm-0155': (out) => expect(responseIn(out)).toMatchObject({ name: 'shell' }),
  'litellm-0171': (out) => expect(JSON.stringify(out)).not.toContain('thinking'),
  'litellm-0172': (out) => expect(JSON.stringify(out)).not.toContain('thinking'),
  ...Object.fromEntries(
    (
      [
        ['litellm-0175', 'high'],
        ['litellm-0176', 'xhigh'],
        ['litellm-0178', 'max'],
        ['litellm-0180', 'low'],
      ] as const
    ).map(([id, effort]) => [
      id,
      (out: JsonObject[]) =>
        expect(out[0]).toMatchObject({
          outputConfig: { effort },
          additionalModelRequestFields: { thinking: { type: 'adaptive' } },
        }),
    ]),
  ),
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

/** The result in Gemini's contents. */
const responseIn = (out: readonly JsonObject[]): unknown =>
  out.flatMap(({ parts }) => (parts as JsonObject[]).map((part) => part.functionResponse)).find(isObject);

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
    if ((key === 'type' && item === 'message') || (key === 'detail' && item === 'auto')) return [];
    if (key === 'type' && (item === 'input_text' || item === 'output_text')) return [[key, 'text']];
    if (key === 'arguments' && typeof item === 'string') return [[key, JSON.parse(item || '{}')]];
    return [[key, plain(item ?? null)]];
  });
  return Object.fromEntries(entries);
}
