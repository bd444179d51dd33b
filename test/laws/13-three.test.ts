// Law 13: A→B→C→A keeps texts, calls, results and order, whatever is carried on the way. A sample of all ways; all of them with AI_LAWS=all.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { adaptTo } from '../../src/lib/constraints/adapt/adapt.ts';
import type { Message, Part } from '../../src/lib/conversation/types.ts';
import { writeCarried } from '../../src/lib/conversion/carried.ts';
import { Converter } from '../../src/lib/conversion/convert.ts';
import { Losses } from '../../src/lib/conversion/losses.ts';
import type { Format } from '../../src/lib/dialects/types.ts';
import type { JsonObject } from '../../src/lib/json/values.ts';
import { APIS, fixture } from '../fixtures.ts';
import { asOpenAI, conversation } from './generate.ts';
import { asJson } from './same.ts';

type Stream = readonly JsonObject[];

const ALL = process.env.AI_LAWS === 'all';

/** Which of the three steps carry. */
const CARRIES: readonly (readonly [boolean, boolean, boolean])[] = [
  [false, false, false],
  [true, false, false],
  [true, true, false],
  [false, true, false],
  [true, true, true],
];

interface Way {
  readonly by: readonly [Format, Format];
  readonly carry: (typeof CARRIES)[number];
  /** Whether each step is told what it reads. */
  readonly told?: boolean;
}

const waysFrom = (a: Format): Way[] =>
  APIS.flatMap((b) =>
    APIS.flatMap((c) => (a === b || b === c || c === a ? [] : CARRIES.map((carry): Way => ({ by: [b, c], carry })))),
  );

/** The same few of a list each time, and each time it is asked for the next ones. */
function sampled<T>(items: readonly T[], many: number, seed: number): readonly T[] {
  if (ALL) return items;
  const step = 7919;
  return Array.from({ length: many }, (_, i) => items[((seed * many + i) * step) % items.length] as T);
}

function convert(stream: Stream, from: Format | undefined, to: Format, carry: boolean): JsonObject[] {
  const converter = new Converter({
    adapt: adaptTo(),
    ...(from && { from: from.name }),
    to,
    carry,
    losses: new Losses(),
  });
  const out = [...stream.flatMap((value) => converter.push({ value })), ...converter.end()];
  return out.map((rec) => asJson(rec.value) as JsonObject);
}

/** There and back, and what the steps in between wrote. */
function around(stream: Stream, a: Format, { by: [b, c], carry, told = true }: Way): JsonObject[] {
  const second = convert(convert(stream, a, b, carry[0]), told ? b : undefined, c, carry[1]);
  return convert(second, told ? c : undefined, a, carry[2]);
}

const named = ({ by: [b, c], carry }: Way): string => `${b.name}${carry[0] ? '*' : ''} ${c.name}${carry[1] ? '*' : ''}`;

type Gist = readonly (readonly [string, ...unknown[]])[];

/** What is said, in order; neighbouring texts of one role are one, and a call is known by its place. */
function gist(format: Format, records: Stream): Gist {
  const places = new Map<string, number>();
  const told: [string, ...unknown[]][] = [];
  for (const message of records.flatMap((value) => messagesIn(format, value)))
    for (const part of message.parts)
      for (const next of say(message, part, places)) {
        const last = told.at(-1);
        if (last?.length === 2 && next.length === 2 && last[0] === next[0]) last[1] = `${last[1]}${next[1]}`;
        else told.push(next);
      }
  return told;
}

function messagesIn(format: Format, value: JsonObject): readonly Message[] {
  const kind = format.recognise(value)?.kind;
  if (kind === 'head') return format.readHead(value).messages;
  if (kind === 'reply') return [format.readReply(value)];
  return kind === 'message' ? [format.readMessage(value)] : [];
}

function say({ role }: Message, part: Part, places: Map<string, number>): [string, ...unknown[]][] {
  if (part.type === 'text' || part.type === 'refusal')
    return part.text === '' ? [] : [[role === 'developer' ? 'system' : role, part.text]];
  if (part.type === 'tool_call' && part.by === undefined) {
    places.set(part.id, places.size);
    return [['call', part.name, argumentsOf(part.input ?? part.text)]];
  }
  if (part.type !== 'tool_result' || ('by' in part && part.by === 'provider')) return [];
  const place = places.get(part.callId);
  const text = part.parts.map((inner) => (inner.type === 'text' ? inner.text : '')).join('');
  return [['result', place, text]];
}

/** What is no object is the same as its text, and nothing is an object without fields. */
function argumentsOf(value: unknown): unknown {
  if (value === undefined || value === null) return {};
  return typeof value === 'object' && !Array.isArray(value)
    ? asJson(value)
    : `${JSON.stringify(value)}`.replace(/^"(.*)"$/, (text) => JSON.parse(text));
}

describe.each(APIS.map((format) => [format.name, format] as const))('%s', (name, a) => {
  const ways = waysFrom(a);

  test('a conversation comes back as it was', () => {
    fc.assert(
      fc.property(conversation, fc.nat(), (spoken, seed) => {
        const [openai] = APIS.filter(({ name }) => name === 'openai') as [Format];
        const chat = asOpenAI(spoken);
        const stream = a === openai ? chat : convert(chat, openai, a, false);
        for (const way of sampled(ways, 8, seed).map((way) => ({ ...way, told: seed % 2 === 0 })))
          expect(gist(a, around(stream, a, way)), named(way)).toEqual(gist(a, stream));
      }),
      { numRuns: ALL ? 3 : 8, seed: 4 },
    );
  }, 600_000);

  const messages = fixture(name, 'messages');
  const alone: readonly Stream[] = [...messages, ...fixture(name, 'replies')].map((record) => [record]);
  const heads = fixture(name, 'heads');
  const together = [...heads.slice(0, 1), ...messages];
  const streams: readonly Stream[] = [...alone, together, [{ ...heads[1], [a.messagesKey]: messages }]];

  test('every fixture keeps its words, calls and results', () => {
    for (const [i, stream] of alone.entries())
      for (const way of sampled(ways, 3, i))
        expectKept(gist(a, around(stream, a, way)), gist(a, stream), `${i} ${named(way)}`);
  }, 600_000);

  test('what was carried has no part in it', () => {
    for (const [i, stream] of streams.entries())
      for (const way of sampled(ways, 3, i))
        expect(gist(a, around(stream, a, way)), `${i} ${named(way)}`).toEqual(
          gist(a, around(stream, a, { ...way, carry: [false, false, false] })),
        );
  }, 600_000);

  test('an answer that ai-complete wrote into it', () => {
    for (const provider of APIS)
      for (const [i, reply] of fixture(provider.name, 'replies').entries()) {
        const written = writeCarried(provider.readReply(reply), provider, a, () => {});
        const stream = [...messages.slice(0, 1), ...written];
        for (const way of sampled(ways, 3, i)) {
          const back = around(stream, a, way);
          expectKept(gist(a, back), gist(a, stream), `${provider.name} ${i} ${named(way)}`);
        }
      }
  }, 600_000);
});

/** Calls are the same, in order. Results and texts are there too: what a dialect shows as text may stand beside them. */
function expectKept(actual: Gist, expected: Gist, way: string): void {
  const only = (list: Gist, wanted: string) => list.filter(([kind]) => kind === wanted);
  expect(only(actual, 'call'), way).toEqual(only(expected, 'call'));
  const left = only(actual, 'result');
  for (const [, place, text] of only(expected, 'result')) {
    const at = left.findIndex(([, its, whole]) => its === place && String(whole).includes(String(text)));
    expect(at, `${way}: result ${place}: ${text} in ${JSON.stringify(left)}`).toBeGreaterThanOrEqual(0);
    left.splice(at, 1);
  }
  const words = (list: Gist) => list.filter(([kind]) => kind !== 'call' && kind !== 'result');
  const all = words(actual)
    .map(([, text]) => text)
    .join('');
  let last = 0;
  for (const [, text] of words(expected)) {
    last = all.indexOf(String(text), last);
    expect(last, `${way}: ${text} in ${all}`).toBeGreaterThanOrEqual(0);
  }
}
