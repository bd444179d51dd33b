// A streamed reply told in another dialect while it comes, and what is said in it.

import type { Message } from '../src/lib/conversation/types.ts';
import type { StreamEvent } from '../src/lib/dialects/codec/stream.ts';
import type { Format } from '../src/lib/dialects/types.ts';
import type { JsonObject } from '../src/lib/json/values.ts';
import { asJson } from './laws/same.ts';

const lose = () => {};

export function live(
  from: Format,
  to: Format,
  events: readonly JsonObject[],
): { told: StreamEvent[]; message: Message } {
  const reader = from.openStream();
  const told: StreamEvent[] = [];
  let writer: ReturnType<NonNullable<Format['openWriter']>> | undefined;
  for (const event of events)
    for (const delta of reader.push(event)) {
      writer ??= to.openWriter?.(reader.known, lose);
      told.push(...(writer?.push(delta) ?? []));
    }
  const message = reader.end();
  writer ??= to.openWriter?.(reader.known, lose);
  return { told: [...told, ...(writer?.end(message) ?? [])], message };
}

/** Texts, calls and the reason, in order; the texts that a dialect puts together are one. */
export function said({ parts, stop, usage }: Message): JsonObject {
  const texts = (type: string) =>
    parts.flatMap((part) => (part.type === type && 'text' in part ? [part.text] : [])).join('');
  const calls = parts.flatMap((part) =>
    part.type === 'tool_call' && part.by !== 'provider' ? [[part.id, part.name, part.input ?? part.text]] : [],
  );
  return asJson({
    text: texts('text'),
    refusal: texts('refusal'),
    calls,
    stop: stop?.reason,
    output: usage?.output,
  }) as JsonObject;
}
