// Real requests, to each dialect and back: nothing crashes, what every dialect can say is equal, and what got lost is named.
import { describe, expect, test } from 'vitest';
import { Converter } from '../../../src/lib/formats/convert.ts';
import { Losses } from '../../../src/lib/formats/losses.ts';
import { formatNamed } from '../../../src/lib/formats/table.ts';
import type { Format } from '../../../src/lib/formats/types.ts';
import type { JsonObject } from '../../../src/lib/ir/json.ts';
import { accepted, CORPORA, ollamaExamples } from '../../fixtures.ts';
import { gist, inventory, messagesOf } from '../../gist.ts';
import { VIOLATIONS } from '../../violations.ts';

const DIALECTS = ['openai', 'anthropic', 'bedrock', 'mistral', 'ollama', 'cohere'] as const;

const named = (name: string): Format => formatNamed(name) as Format;

function convert(request: JsonObject, from: string, to: string): { request: JsonObject; losses: Losses } {
  const losses = new Losses();
  const converter = new Converter({ from, to: named(to), losses });
  const out = [...converter.push({ value: request }), ...converter.end()];
  expect(out).toHaveLength(1);
  return { request: JSON.parse(JSON.stringify(out[0]?.value)), losses };
}

/** Kinds of parts of which the target has fewer, without a loss that names them. */
function vanished(from: string, before: JsonObject, to: string, after: JsonObject, losses: Losses): string[] {
  const counts = inventory(messagesOf(named(to), after));
  return [...inventory(messagesOf(named(from), before))].flatMap(([kind, count]) => {
    const missing = count > (counts.get(kind) ?? 0);
    return missing && !losses.all.some(({ field }) => field.startsWith(kind)) ? [kind] : [];
  });
}

const CORPUS: { readonly [folder: string]: (typeof DIALECTS)[number] } = {
  'anthropic-messages': 'anthropic',
  'openai-chat': 'openai',
  'openai-chat-compat': 'openai',
  'openai-chat-groq': 'openai',
  'openai-chat-openrouter': 'openai',
  'bedrock-converse': 'bedrock',
  'mistral-chat': 'mistral',
  'cohere-v2-chat': 'cohere',
};

const requestsOf = (folder: string): [unknown, JsonObject][] =>
  accepted(folder).map(({ id, request }) => [id, request as JsonObject]);

describe.skipIf(CORPORA === undefined)('accepted requests', () => {
  for (const [folder, from] of Object.entries(CORPUS))
    for (const to of DIALECTS.filter((name) => name !== from))
      test(`${folder} → ${to} → ${from}`, () => {
        const requests = requestsOf(folder);
        expect(requests.length).toBeGreaterThan(0);
        for (const [id, request] of requests) {
          const there = convert(request, from, to);
          const back = convert(there.request, to, from);
          const before = gist(messagesOf(named(from), request));
          expect({ id, gist: gist(messagesOf(named(from), back.request)) }).toEqual({ id, gist: before });
          expect({ id, vanished: vanished(from, request, to, there.request, there.losses) }).toEqual({
            id,
            vanished: [],
          });
          expect({ id, broken: VIOLATIONS[to]?.(there.request) ?? [] }).toEqual({ id, broken: [] });
        }
      });

  for (const to of DIALECTS.filter((name) => name !== 'ollama'))
    test(`Ollama's examples → ${to} → ollama`, () => {
      for (const request of ollamaExamples('request')) {
        const there = convert(request, 'ollama', to);
        const back = convert(there.request, to, 'ollama');
        const before = gist(messagesOf(named('ollama'), request), false);
        expect(gist(messagesOf(named('ollama'), back.request), false)).toEqual(before);
        expect(VIOLATIONS[to]?.(there.request) ?? []).toEqual([]);
      }
    });
});
