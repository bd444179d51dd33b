// Law 10: A→B→A is equal on texts, calls, results and order; with --carry, on everything, as JSON. For every ordered pair of the table.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { adaptTo } from '../../src/lib/constraints/adapt/adapt.ts';
import type { Message, Part } from '../../src/lib/conversation/types.ts';
import { Converter } from '../../src/lib/conversion/convert.ts';
import type { ConvertOptions } from '../../src/lib/conversion/convert-options.ts';
import { Losses } from '../../src/lib/conversion/losses.ts';
import { formatNamed } from '../../src/lib/dialects/table.ts';
import type { Format } from '../../src/lib/dialects/types.ts';
import { isObject, type Json, type JsonObject } from '../../src/lib/json/values.ts';
import { APIS, accepted, CORPORA, fixture } from '../fixtures.ts';
import { asOpenAI, conversation } from './generate.ts';
import { asJson } from './same.ts';

type Stream = readonly JsonObject[];

/** The records after they were written as lines and read again. */
function convert(stream: Stream, options: Omit<ConvertOptions, 'losses'>): JsonObject[] {
  const converter = new Converter({ adapt: adaptTo(), ...options, losses: new Losses() });
  const out = [...stream.flatMap((value) => converter.push({ value })), ...converter.end()];
  return out.map((rec) => asJson(rec.value) as JsonObject);
}

const rolled = (format: Format, head: JsonObject, messages: Stream): JsonObject => ({
  ...head,
  [format.messagesKey]: [...messages],
});

const pairs = APIS.flatMap((a) => APIS.filter((b) => b !== a).map((b) => [a, b] as const));

/** All that a format's fixtures make: records alone, whole streams, rolled-up lines. */
function streams(format: Format): [string, Stream][] {
  const messages = fixture(format.name, 'messages');
  const heads = fixture(format.name, 'heads');
  const replies = fixture(format.name, 'replies');
  return [
    ...messages.map((message, i): [string, Stream] => [`message ${i + 1}`, [message]]),
    ...heads.map((head, i): [string, Stream] => [`head ${i + 1}`, [head]]),
    ...replies.map((reply, i): [string, Stream] => [`reply ${i + 1}`, [reply]]),
    ['all messages', messages],
    ['all messages behind a head', [...heads.slice(0, 1), ...messages]],
    ['two conversations', [...heads.slice(0, 1), ...messages, ...heads.slice(1, 2), ...messages]],
    ['a rolled-up conversation', [rolled(format, heads[0] ?? {}, messages)]],
    ['replies among messages', [...messages, ...replies]],
    ['a stream with other records', messages.flatMap((message) => [message, { type: 'started' }])],
  ];
}

describe.each(pairs.map(([a, b]) => [a.name, b.name]))('%s → %s and back', (from, via) => {
  const [a, b] = [formatNamed(from) as Format, formatNamed(via) as Format];

  test.each(streams(a))('with --carry, %s', (_, stream) => {
    const there = convert(stream, { from, to: b, carry: true });
    expect(convert(there, { from: via, to: a })).toEqual(stream);
    expect(convert(there, { to: a })).toEqual(stream);
  });

  test('with --carry, any conversation, and twice over', () => {
    fc.assert(
      fc.property(conversation, fc.boolean(), (spoken, roll) => {
        const chat = convert(asOpenAI(spoken), { from: 'openai', to: a });
        const [head, messages] = a.recognise(chat[0] ?? {})?.kind === 'head' ? [chat[0], chat.slice(1)] : [{}, chat];
        const stream = roll ? [rolled(a, head ?? {}, messages)] : chat;
        const there = convert(stream, { from, to: b, carry: true });
        const back = convert(there, { from: via, to: a });
        expect(back).toEqual(stream);
        expect(convert(back, { from, to: b, carry: true })).toEqual(there);
      }),
      { numRuns: 25 },
    );
  });

  test('without it, any conversation says the same', () => {
    fc.assert(
      fc.property(conversation, (spoken) => {
        const stream = convert(asOpenAI(spoken), { from: 'openai', to: a });
        const back = convert(convert(stream, { from, to: b }), { from: via, to: a });
        expect(gist(a, back)).toEqual(gist(a, stream));
      }),
      { numRuns: 25 },
    );
  });

  test('with --carry, an edit in between wins', () => {
    fc.assert(
      fc.property(conversation, fc.nat(), fc.string({ minLength: 1 }), (spoken, at, text) => {
        const stream = convert(asOpenAI(spoken), { from: 'openai', to: a });
        const there = convert(stream, { from, to: b, carry: true });
        const place = at % there.length;
        const edited = there.map((value, i) => (i === place ? replaceText(value, `edited ${text}`) : value));
        const plain = convert(edited.map(withoutCarry), { from: via, to: a });
        expect(gist(a, convert(edited, { from: via, to: a }))).toEqual(gist(a, plain));
      }),
      { numRuns: 25 },
    );
  });
});

const RECORDED: { readonly [format: string]: string } = {
  anthropic: 'anthropic-messages',
  openai: 'openai-chat',
  'openai-responses': 'openai-responses',
  gemini: 'gemini-generate-content',
  bedrock: 'bedrock-converse',
  mistral: 'mistral-chat',
  cohere: 'cohere-v2-chat',
};

describe.skipIf(CORPORA === undefined)('recorded requests', () => {
  for (const [a, b] of pairs)
    test.skipIf(RECORDED[a.name] === undefined)(`${a.name} → ${b.name} and back`, () => {
      const requests = accepted(RECORDED[a.name] as string);
      for (const { request } of requests) {
        const stream = [request as JsonObject];
        const there = convert(stream, { from: a.name, to: b, carry: true });
        expect(convert(there, { from: b.name, to: a })).toEqual(stream);
      }
    });
});

/** What every dialect can say: texts by role, calls and results, in order; neighbouring texts of one role are one. */
function gist(format: Format, records: Stream): unknown[] {
  const messages = records.flatMap((value) => messagesIn(format, value));
  const said: [string, ...unknown[]][] = messages.flatMap((message) =>
    message.parts.flatMap((part) => told(message, part)),
  );
  const joined: [string, ...unknown[]][] = [];
  for (const next of said) {
    const last = joined.at(-1);
    if (last?.length === 2 && next.length === 2 && last[0] === next[0]) last[1] = `${last[1]}${next[1]}`;
    else joined.push([...next]);
  }
  return joined;
}

function messagesIn(format: Format, value: JsonObject): readonly Message[] {
  const kind = format.recognise(value)?.kind;
  if (kind === 'head') return format.readHead(value).messages;
  return kind === 'message' ? [format.readMessage(value)] : [];
}

function told({ role }: Message, part: Part): [string, ...unknown[]][] {
  if (part.type === 'text') return part.text === '' ? [] : [[role === 'developer' ? 'system' : role, part.text]];
  if (part.type === 'tool_call') return [['call', part.id, part.name, asJson(part.input ?? part.text)]];
  if (part.type !== 'tool_result') return [];
  return [['result', part.callId, part.parts.map((inner) => (inner.type === 'text' ? inner.text : '')).join('')]];
}

/** The first text of a record, replaced. */
function replaceText(value: JsonObject, text: string): JsonObject {
  let done = false;
  const walk = (node: Json | undefined, key: string): Json => {
    if (typeof node === 'string' && !done && (key === 'text' || key === 'content')) {
      done = true;
      return text;
    }
    if (Array.isArray(node)) return node.map((item) => walk(item, key));
    if (!isObject(node)) return node ?? null;
    return Object.fromEntries(Object.entries(node).map(([k, v]) => [k, k === '_meta' ? v : walk(v, k)]));
  };
  return walk(value, '') as JsonObject;
}

function withoutCarry({ _meta, ...value }: JsonObject): JsonObject {
  const { carry: _, ...meta } = isObject(_meta) ? _meta : {};
  return Object.keys(meta).length > 0 ? { ...value, _meta: meta } : value;
}
