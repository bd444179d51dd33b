// Real requests, to each dialect and back: nothing crashes, no rule of the target is broken, what every dialect can say is equal, and what got lost
// is named.
import { describe, expect, test } from 'vitest';
import { adaptTo } from '../../../src/lib/constraints/adapt/adapt.ts';
import { check } from '../../../src/lib/constraints/rules/check.ts';
import type { Message } from '../../../src/lib/conversation/types.ts';
import { Converter } from '../../../src/lib/conversion/convert.ts';
import { Losses } from '../../../src/lib/conversion/losses.ts';
import { formatNamed } from '../../../src/lib/dialects/table.ts';
import type { Format } from '../../../src/lib/dialects/types.ts';
import { apart } from '../../../src/lib/dialects/types.ts';
import { equal, type JsonObject } from '../../../src/lib/json/values.ts';
import { accepted, CORPORA, ollamaExamples } from '../../fixtures.ts';
import { gist, inventory } from '../../gist.ts';
import { VIOLATIONS } from '../../violations.ts';

const APIS = ['openai', 'openai-responses', 'anthropic', 'gemini', 'bedrock', 'mistral', 'ollama', 'cohere'] as const;

const named = (name: string): Format => formatNamed(name) as Format;

interface Read {
  readonly head: ReturnType<Format['readHead']>['head'];
  readonly messages: readonly Message[];
  readonly inHead: number;
}

/** A whole request, with the messages that its head holds. */
function read(name: string, request: JsonObject): Read {
  const format = named(name);
  const { body, messages } = apart(request, format);
  const { head, messages: system } = format.readHead(body);
  const rest = messages.map((native) => format.readMessage(native as JsonObject));
  return { head, messages: [...system, ...rest], inHead: system.length };
}

function convert(request: JsonObject, from: string, to: string): { request: JsonObject; losses: Losses } {
  const losses = new Losses();
  const converter = new Converter({ from, to: named(to), losses, adapt: adaptTo() });
  const out = [...converter.push({ value: request }), ...converter.end()];
  expect(out).toHaveLength(1);
  return { request: JSON.parse(JSON.stringify(out[0]?.value)), losses };
}

/** What was put in because the API wants it is no part of the conversation. */
const said = ({ messages }: Read): Message[] => messages.filter(({ meta }) => meta?.filler !== true);

/** Kinds of parts of which the target has fewer, without a loss that names them. */
function vanished(before: Read, after: Read, losses: Losses): string[] {
  const counts = inventory(said(after));
  const isNamed = (kind: string) => losses.all.some(({ field }) => field.startsWith(kind));
  const kinds = [...inventory(said(before))]
    .filter(([kind, count]) => kind !== 'reasoning' && count > (counts.get(kind) ?? 0) && !isNamed(kind))
    .map(([kind]) => kind);
  const isThought = thoughts(before) === thoughts(after) || isNamed('reasoning') || isNamed('thinking');
  return isThought ? kinds : [...kinds, 'reasoning'];
}

const thoughts = (request: Read): string =>
  said(request)
    .flatMap(({ parts }) => parts.map((part) => (part.type === 'reasoning' ? (part.text ?? '') : '')))
    .join('')
    .replaceAll(/\s/g, '');

const CORPUS: { readonly [folder: string]: (typeof APIS)[number] } = {
  'anthropic-messages': 'anthropic',
  'openai-chat': 'openai',
  'openai-chat-compat': 'openai',
  'openai-chat-deepseek': 'openai',
  'openai-chat-groq': 'openai',
  'openai-chat-openrouter': 'openai',
  'openai-responses': 'openai-responses',
  'openai-responses-compat': 'openai-responses',
  'gemini-generate-content': 'gemini',
  'bedrock-converse': 'bedrock',
  'mistral-chat': 'mistral',
  'cohere-v2-chat': 'cohere',
};

const requestsOf = (folder: string): [unknown, JsonObject][] =>
  accepted(folder).map(({ id, request }) => [id, request as JsonObject]);

/** What was changed on the way, and said: no reason to look at the order, or at texts with marks around them. */
const wasMoved = (losses: Losses): boolean =>
  losses.all.some(
    ({ field, fate }) =>
      (fate === 'moved' || fate === 'changed') && ['system', 'tool result', 'document'].includes(field),
  );

describe.skipIf(CORPORA === undefined)('accepted requests', () => {
  for (const [folder, from] of Object.entries(CORPUS))
    for (const to of APIS.filter((name) => name !== from))
      test(`${folder} → ${to} → ${from}`, () => {
        const requests = requestsOf(folder);
        expect(requests.length).toBeGreaterThan(0);
        const wrong: unknown[] = [];
        for (const [id, request] of requests) {
          const there = convert(request, from, to);
          const [before, after] = [read(from, request), read(to, there.request)];
          const back = read(from, convert(there.request, to, from).request);
          const moved = wasMoved(there.losses);
          const same = (one: Read): boolean => moved || equal(gist(said(one), false), gist(said(before), false));
          const problems = [
            ...vanished(before, after, there.losses).map((kind) => `${kind} vanished`),
            ...(VIOLATIONS[to]?.(there.request) ?? []),
            ...check({ format: to, ...after }).map(({ rule, what }) => `${rule}: ${what}`),
            ...(same(after) ? [] : ['it says something else']),
            ...(same(back) ? [] : ['it comes back with something else']),
          ];
          if (problems.length > 0) wrong.push({ id, problems });
        }
        expect(wrong).toEqual([]);
      });

  for (const to of APIS.filter((name) => name !== 'ollama'))
    test(`Ollama's examples → ${to} → ollama`, () => {
      for (const request of ollamaExamples('request')) {
        const there = convert(request, 'ollama', to);
        const back = convert(there.request, to, 'ollama');
        const before = gist(said(read('ollama', request)), false);
        expect(gist(said(read('ollama', back.request)), false)).toEqual(before);
        expect(VIOLATIONS[to]?.(there.request) ?? []).toEqual([]);
      }
    });
});
