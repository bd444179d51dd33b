// Ollama's tests of its own conversions (AI_CORPORA/transform/cases.jsonl): conditions in Go that must not hold, asked of our records.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { adaptTo } from '../../src/lib/constraints/adapt/adapt.ts';
import { Converter } from '../../src/lib/conversion/convert.ts';
import { Losses } from '../../src/lib/conversion/losses.ts';
import { formatNamed } from '../../src/lib/dialects/table.ts';
import { isObject, type Json, type JsonObject } from '../../src/lib/json/values.ts';
import { CORPORA, readLines } from '../fixtures.ts';
import { asJson } from '../laws/same.ts';

interface Case {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly note: string;
  readonly input: Json;
  readonly expected: { readonly go_fail_if?: readonly string[] };
}

const DIALECTS: { readonly [name: string]: string } = {
  'anthropic-messages': 'anthropic',
  'openai-chat': 'openai',
  'openai-responses': 'openai-responses',
  ollama: 'ollama',
};

/** Conditions that state a taste, each with its reason; src/README.md has them in short. */
const DEPARTURES: { readonly [id: string]: string } = {
  'ollama-0007': 'a result whose call is not in the request becomes a text of the user',
  'ollama-0008': 'a result whose call is not in the request becomes a text of the user',
  'ollama-0041': 'a call that its provider ran is dropped and named: nobody would answer it',
  'ollama-0042': 'a call that its provider ran is dropped and named: nobody would answer it',
  'ollama-0043': 'a call that its provider ran is dropped and named: nobody would answer it',
  'ollama-0044': 'a call that its provider ran is dropped and named: nobody would answer it',
  'ollama-0056': 'text and images of one message stay in one message',
  'ollama-0060': 'logprobs are named as lost: each API spells its own',
  'ollama-0113': 'encrypted_content is ciphertext for all but the server that wrote it: it is no thinking to show',
  'ollama-0116': 'encrypted_content is ciphertext for all but the server that wrote it: it is no thinking to show',
  'ollama-0117': 'encrypted_content is ciphertext for all but the server that wrote it: it is no thinking to show',
};

/** What is no record, but the argument of a function. */
const PIECES = new Set(['ollama-0019', 'ollama-0039', 'ollama-0040']);

/** What Go code in an input stands for. */
function resolved(value: Json): Json {
  if (Array.isArray(value)) return value.map(resolved);
  if (!isObject(value)) return value;
  const { __go: code } = value;
  if (typeof code !== 'string')
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolved(inner as Json)]));
  const text = /^textContent\((".*")\)$/.exec(code)?.[1];
  if (text !== undefined) return JSON.parse(text);
  if (code === 'prefix + image') return `data:image/png;base64,${PIXEL}`;
  return Number.isFinite(Number(code)) ? Number(code) : PIXEL;
}

/** A reply of Ollama's as Go holds it: its counts in a struct, and what else the function is given beside it. */
function replyIn({ resp, Metrics, ...rest }: JsonObject): JsonObject {
  if (isObject(resp)) return replyIn({ ...resp, created_at: '2009-02-13T23:31:30Z' });
  if (!isObject(Metrics)) return rest;
  return { model: 'm', done: true, message: { role: 'assistant', content: '' }, ...rest, ...Metrics };
}

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

function convert(from: string, to: string, value: JsonObject): JsonObject[] {
  const options = { from, to: formatNamed(to), losses: new Losses(), adapt: adaptTo() };
  const converter = new Converter(options);
  return [...converter.push({ value }), ...converter.end()].map((rec) => asJson(rec.value) as JsonObject);
}

/** The names that the conditions use, in our records. */
function names(out: readonly JsonObject[], request: JsonObject): { readonly [name: string]: unknown } {
  const [first = {}] = out;
  const whole: JsonObject =
    Array.isArray(first.messages) || first.choices || first.stop_reason ? first : { messages: [...out] };
  const messages = (whole.messages ?? []) as JsonObject[];
  const calls = messages.flatMap(({ tool_calls }) => (Array.isArray(tool_calls) ? tool_calls : []));
  const tools = whole.tools as JsonObject[] | undefined;
  return {
    err: undefined,
    result: whole,
    chatReq: whole,
    req: { ...request, input: { items: request.input } },
    messages,
    msg: messages[0],
    asst: messages[1],
    assistantMsg: messages[1],
    toolMsg: messages[2],
    tc: calls[0],
    tool: tools?.[0],
    choice: (whole.choices as JsonObject[] | undefined)?.[0],
    usage: first.usage,
    imgData: PIXEL,
  };
}

/** A path of Go's: `Messages[0].ToolCallID`. undefined for a name that is not here. */
function standsAt(path: string, known: { readonly [name: string]: unknown }): unknown {
  const [root = '', ...steps] = path.split(/\.|\[|\]\.?/).filter(Boolean);
  if (!Object.hasOwn(known, root) || path === 'req[0]') throw new Unknown(root);
  let value = known[root];
  for (const step of steps) {
    const key = /^\d+$/.test(step)
      ? step
      : step
          .replace(/ID$/, '_id')
          .replace(/(?<=[a-z])[A-Z]/g, '_$&')
          .toLowerCase();
    const object = value as JsonObject | undefined;
    value = object?.[key] ?? object?.[step] ?? (key === '_id' ? object?.id : undefined);
  }
  return value;
}

class Unknown extends Error {}

/** Whether a condition holds. Throws Unknown for one about something that is no record. */
function holds(condition: string, known: { readonly [name: string]: unknown }): boolean {
  const either = condition.split(' || ');
  if (either.length > 1) return either.some((each) => holds(each, known));
  if (condition.startsWith('len(req)')) throw new Unknown(condition);
  const [, left = '', sign, right = ''] = /^(.+?) (!=|==) (.+)$/.exec(condition) ?? [];
  if (sign === undefined) throw new Unknown(condition);
  const a = termOf(left, known) ?? (right.startsWith('"') ? '' : undefined);
  const b = termOf(right, known);
  return (JSON.stringify(a) === JSON.stringify(b)) === (sign === '==');
}

function termOf(text: string, known: { readonly [name: string]: unknown }): unknown {
  const [, name, inner = ''] = /^(len|string)\((.+)\)$/.exec(text) ?? [];
  if (name === 'len') return ((termOf(inner, known) ?? '') as string).length;
  if (name === 'string') return termOf(inner, known);
  if (text === 'nil') return undefined;
  if (text.startsWith('"') || /^-?[\d.]+$/.test(text)) return JSON.parse(text);
  return standsAt(text, known);
}

const cases = CORPORA === undefined ? [] : (readLines(join(CORPORA, 'transform/cases.jsonl')) as unknown as Case[]);
const asked = cases.filter(
  ({ id, expected, from, to, input }) =>
    isObject(expected as Json) &&
    expected.go_fail_if &&
    DIALECTS[from] &&
    DIALECTS[to] &&
    isObject(input) &&
    !PIECES.has(id),
);

describe.skipIf(CORPORA === undefined)('conditions of Ollama’s tests', () => {
  let met = 0;
  test.each(asked.map((each) => [each.id, each.note, each] as const))(
    '%s: %s',
    (id, _, { from, to, input, expected }) => {
      const request = replyIn(resolved(input) as JsonObject);
      const [source = '', target = ''] = [DIALECTS[from], DIALECTS[to]];
      const out = convert(source, target, request);
      const known = names(out, request);
      const held = (expected.go_fail_if ?? []).filter((condition) => {
        try {
          const fails = holds(condition, known);
          met += fails ? 0 : 1;
          return fails;
        } catch (error) {
          if (error instanceof Unknown) return false;
          throw error;
        }
      });
      if (DEPARTURES[id] === undefined) expect(held).toEqual([]);
      else expect(held, 'it is met after all').not.toEqual([]);
    },
  );
  test('most of them could be asked', () => expect(met).toBeGreaterThan(80));
});
