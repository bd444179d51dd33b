// What is written for the four APIs is what their official clients' types allow, by an independent validator.
import type { ValidateFunction } from 'ajv';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { adaptTo } from '../../src/lib/constraints/adapt/adapt.ts';
import { Converter } from '../../src/lib/conversion/convert.ts';
import { Losses } from '../../src/lib/conversion/losses.ts';
import { formatNamed } from '../../src/lib/dialects/table.ts';
import type { Format } from '../../src/lib/dialects/types.ts';
import { isObject, type Json, type JsonObject } from '../../src/lib/json/values.ts';
import { accepted, CORPORA, fixture, streams } from '../fixtures.ts';
import { asOpenAI, conversation } from '../laws/generate.ts';
import { API_NAMES, type ApiName, complaints, validator } from '../schemas.ts';

const check = new Map<string, ValidateFunction>();

beforeAll(async () => {
  for (const api of API_NAMES)
    for (const kind of ['Request', 'Reply'] as const) check.set(`${api} ${kind}`, await validator(api, kind));
}, 300_000);

const named = (name: string): Format => formatNamed(name) as Format;

function convert(value: JsonObject, from: string, to: string): JsonObject {
  const converter = new Converter({ to: named(to), from, losses: new Losses(), now: () => 0, adapt: adaptTo() });
  const [rec] = [...converter.push({ value }), ...converter.end()];
  const { _meta, ...native } = JSON.parse(JSON.stringify(rec?.value)) as JsonObject;
  return withoutMeta(native);
}

/** What the programs keep for themselves never reaches a provider. */
function withoutMeta(body: JsonObject): JsonObject {
  const strip = (message: Json): Json => {
    if (!isObject(message)) return message;
    const { _meta, ...rest } = message;
    return rest;
  };
  const lists = ['messages', 'contents', 'input'].filter((key) => Array.isArray(body[key]));
  return { ...body, ...Object.fromEntries(lists.map((key) => [key, (body[key] as Json[]).map(strip)])) };
}

function complaintsAbout(value: JsonObject, api: string, kind: 'Request' | 'Reply'): string[] {
  const validate = check.get(`${api} ${kind}`) as ValidateFunction;
  return validate(value) ? [] : complaints(validate).slice(0, 3);
}

/** Readable reasoning goes into a field that compatible servers have agreed on, and OpenAI's own types do not have. */
function withoutReasoning(body: JsonObject): JsonObject {
  const strip = (message: unknown) => {
    const { reasoning_content: _, ...rest } = message as JsonObject;
    return rest;
  };
  if (Array.isArray(body.messages)) return { ...body, messages: body.messages.map(strip) };
  if (!Array.isArray(body.choices)) return body;
  return {
    ...body,
    choices: (body.choices as JsonObject[]).map((choice) => ({ ...choice, message: strip(choice.message) })),
  };
}

const written = (value: JsonObject, from: string, to: string, kind: 'Request' | 'Reply'): string[] => {
  const out = convert(value, from, to);
  return complaintsAbout(to === 'openai' ? withoutReasoning(out) : out, to, kind);
};

test('the validator refuses what is wrong', () => {
  const good = { model: 'm', max_tokens: 1, messages: [{ role: 'user', content: 'a' }] };
  expect(complaintsAbout(good, 'anthropic', 'Request')).toEqual([]);
  expect(complaintsAbout({ ...good, messages: [{ role: 'tool', content: 'a' }] }, 'anthropic', 'Request')).not.toEqual(
    [],
  );
  expect(complaintsAbout({ ...good, n: 1 }, 'anthropic', 'Request')).not.toEqual([]);
  expect(complaintsAbout({ contents: [{ parts: [{ texts: 'a' }] }] }, 'gemini', 'Request')).not.toEqual([]);
});

describe('made up', () => {
  const head = {
    model: 'gpt-5',
    max_tokens: 100,
    temperature: 0.5,
    stop: ['a'],
    tools: ['Read', 'Write', 'Bash'].map((name) => ({
      type: 'function',
      function: { name, description: name, parameters: { type: 'object', properties: {} } },
    })),
    tool_choice: { type: 'function', function: { name: 'Read' } },
    parallel_tool_calls: false,
    reasoning_effort: 'low',
    response_format: { type: 'json_schema', json_schema: { name: 'a', schema: { type: 'object' }, strict: true } },
  };
  for (const to of API_NAMES)
    test(`any conversation for ${to}`, () => {
      fc.assert(
        fc.property(conversation, (spoken) => {
          const request = { ...head, messages: asOpenAI(spoken) };
          expect(
            to === 'openai' ? complaintsAbout(request, to, 'Request') : written(request, 'openai', to, 'Request'),
          ).toEqual([]);
        }),
      );
    });
});

describe('fixtures', () => {
  for (const from of API_NAMES)
    for (const to of API_NAMES.filter((name) => name !== from))
      test(`replies of ${from} for ${to}`, () => {
        const replies = [...fixture(from, 'replies'), ...streams(from).map(({ reply }) => reply)];
        for (const { _meta, ...reply } of replies)
          expect({ reply, complaints: written(reply, from, to, 'Reply') }).toEqual({ reply, complaints: [] });
      });
});

const FOLDERS: { readonly [api in ApiName]: string } = {
  anthropic: 'anthropic-messages',
  openai: 'openai-chat',
  'openai-responses': 'openai-responses',
  gemini: 'gemini-generate-content',
};

describe.skipIf(CORPORA === undefined)('recorded', () => {
  for (const [from, folder] of Object.entries(FOLDERS))
    for (const to of API_NAMES.filter((name) => name !== from)) {
      test(`${folder}: every accepted request for ${to}`, () => {
        // Gemini's URL has the model.
        const bad = accepted(folder).flatMap(({ id, request }) => {
          const body = { ...(from === 'gemini' ? { model: 'm' } : {}), ...(request as JsonObject) };
          const found = written(body, from, to, 'Request');
          return found.length > 0 ? [{ id, found }] : [];
        });
        expect(bad).toEqual([]);
      });
      test(`${folder}: every reply for ${to}`, () => {
        const bad = accepted(folder).flatMap(({ id, response }) => {
          if (!isObject(response) || named(from).recognise(response)?.kind !== 'reply') return [];
          const found = written(response, from, to, 'Reply');
          return found.length > 0 ? [{ id, found }] : [];
        });
        expect(bad).toEqual([]);
      });
    }
});
