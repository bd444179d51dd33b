// Replies of other formats as whole replies and streams of the APIs that took over Chat's shapes, and of Bedrock.
import { describe, expect, test } from 'vitest';
import type { Message, Part } from '../../../src/lib/conversation/types.ts';
import type { StreamEvent } from '../../../src/lib/dialects/codec/stream.ts';
import { formatNamed } from '../../../src/lib/dialects/table.ts';
import type { Format } from '../../../src/lib/dialects/types.ts';
import { isObject, type JsonObject } from '../../../src/lib/json/values.ts';
import { accepted, CORPORA } from '../../fixtures.ts';
import { gist } from '../../gist.ts';
import { expectSame } from '../../laws/same.ts';

const lose = () => {};
const HERE = ['bedrock', 'mistral', 'ollama', 'cohere'].map((name) => formatNamed(name) as Format);

/** What an answer says, without the spelling of any format. */
function said(parts: readonly Part[]): unknown {
  return parts
    .filter((part) => part.type !== 'text' || part.text !== '')
    .map((part) => {
      const { ext, form, ...rest } = part as Part & { ext?: unknown; form?: unknown };
      return rest;
    });
}

function read(format: Format, events: readonly StreamEvent[]): { message: Message } {
  const reader = format.openStream();
  for (const { data } of events) if (isObject(data)) reader.push(data);
  return { message: reader.end() };
}

/** A reply that every API can say. */
const ANSWER: Message = {
  role: 'assistant',
  id: 'r1',
  by: { model: 'm' },
  parts: [
    { type: 'reasoning', text: 'Hm.' },
    { type: 'text', text: 'I look: ✓' },
    { type: 'tool_call', id: 'aaaaaaaa1', name: 'Read', input: { path: 'a.txt', deep: [{ n: 1.5 }] } },
    { type: 'tool_call', id: 'aaaaaaaa2', name: 'Now', input: {} },
  ],
  stop: { reason: 'tool_calls' },
  usage: { input: 10, cacheRead: 5, output: 7 },
};

describe('a reply of another format', () => {
  test.each(HERE.map((format) => [format.name, format] as const))('%s', (name, format) => {
    const { message } = read(format, format.writeStream?.(ANSWER, lose) ?? []);
    const kept = ANSWER.parts.filter((part) => name !== 'bedrock' || part.type !== 'reasoning');
    expectSame(said(message.parts), said(kept));
    expect(message.stop?.reason).toBe('tool_calls');
    expect(message.usage?.output).toBe(7);
    const { input = 0, cacheRead = 0 } = message.usage ?? {};
    expect(input + cacheRead).toBe(15);
  });
});

describe.skipIf(CORPORA === undefined)('replies that were recorded', () => {
  const FOLDERS = {
    'anthropic-messages': 'anthropic',
    'openai-chat': 'openai',
    'openai-chat-groq': 'openai',
    'bedrock-converse': 'bedrock',
    'mistral-chat': 'mistral',
    'cohere-v2-chat': 'cohere',
  };
  for (const [folder, name] of Object.entries(FOLDERS))
    for (const to of HERE.filter((format) => format.name !== name))
      test(`${folder} → ${to.name}, whole and streamed`, () => {
        const from = formatNamed(name) as Format;
        const natives = accepted(folder).map(({ response }) => response as JsonObject);
        const replies = natives.filter((native) => isObject(native) && from.recognise(native)?.kind === 'reply');
        expect(replies.length).toBeGreaterThan(0);
        for (const native of replies) {
          const reply = from.readReply(native);
          const whole = to.readReply(JSON.parse(JSON.stringify(to.writeReply(reply, lose))));
          const streamed = read(to, to.writeStream?.(reply, lose) ?? []).message;
          expect(gist([whole])).toEqual(gist([reply]));
          expect(gist([streamed])).toEqual(gist([reply]));
          expect(streamed.usage?.output).toBe(reply.usage?.output);
          const { input = 0, cacheRead = 0, cacheWrite = 0 } = streamed.usage ?? {};
          const before = reply.usage ?? {};
          expect(input + cacheRead + cacheWrite).toBe(
            (before.input ?? 0) + (before.cacheRead ?? 0) + (before.cacheWrite ?? 0),
          );
        }
      });
});
