// What every dialect can say of a conversation: its texts, calls and results, turn by turn.

import type { Message, Part } from '../src/lib/conversation/types.ts';
import type { Format } from '../src/lib/dialects/types.ts';
import { isObject, type Json, type JsonObject } from '../src/lib/json/values.ts';

export interface Turn {
  readonly who: string;
  readonly results: unknown[];
  readonly texts: string;
  readonly calls: unknown[];
}

/** The messages of a whole request, those in its head included. */
export function messagesOf(format: Format, request: JsonObject): Message[] {
  const { [format.messagesKey]: messages, ...body } = request;
  return [...format.readHead(body).messages, ...(messages as JsonObject[]).map((native) => format.readMessage(native))];
}

/** Neighbouring messages of one side are one turn to every API. Ids that a format does not write down are left out with `ids: false`. */
export function gist(messages: readonly Message[], ids = true): Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    const who = WHO[message.role] ?? message.role;
    const said = sayings(message.parts, ids);
    if (said.texts === '' && said.calls.length + said.results.length === 0) continue;
    const last = turns.at(-1);
    if (last?.who === who) turns[turns.length - 1] = join(last, said);
    else turns.push({ who, ...said });
  }
  return turns;
}

const WHO: { readonly [role: string]: string } = { developer: 'system', tool: 'user' };

type Said = Omit<Turn, 'who'>;

const join = (a: Turn, b: Said): Turn => ({
  who: a.who,
  results: [...a.results, ...b.results],
  texts: a.texts + b.texts,
  calls: [...a.calls, ...b.calls],
});

function sayings(parts: readonly Part[], ids: boolean): Said {
  const calls = parts.filter((part) => part.type === 'tool_call').filter(({ by }) => by === undefined);
  const results = parts.filter((part) => part.type === 'tool_result').filter(({ by }) => by === undefined);
  return {
    texts: parts.map(textIn).join(''),
    calls: calls.map(({ id, name, input, text }) => [ids && id, name, input ?? asJson(text)]),
    results: results.map(({ callId, parts: inner }) => [ids && callId, inner.map(textIn).join('')]),
  };
}

function asJson(text: string | undefined): Json | undefined {
  try {
    return text === undefined || text === '' ? {} : JSON.parse(text);
  } catch {
    return text;
  }
}

/** A document that is text is text where there are no documents. */
function textIn(part: Part): string {
  if (part.type === 'text' || part.type === 'refusal') return part.text;
  if (part.type !== 'media') return '';
  if (part.source.type === 'text') return part.source.text;
  return part.source.type === 'parts' ? part.source.parts.map(textIn).join('\n') : '';
}

/** How many parts of each kind there are, those within results included: what must not vanish without a word. */
export function inventory(messages: readonly Message[]): Map<string, number> {
  const counts = new Map<string, number>();
  const count = (kind: string) => counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const walk = (part: Part): void => {
    if (part.type === 'media' && part.source.type !== 'text' && part.source.type !== 'parts') count(part.kind);
    if (part.type === 'reasoning') count('reasoning');
    if ('by' in part && part.by === 'provider') count(`provider ${part.type.replace('_', ' ')}`);
    if (part.type === 'native' && isObject(part.value)) count(String(part.value.type ?? Object.keys(part.value)[0]));
    if (part.type === 'tool_result' && part.by === undefined) part.parts.forEach(walk);
  };
  for (const message of messages) message.parts.forEach(walk);
  return counts;
}
