// What a provider or a model wants otherwise than its dialect has it, as the catalogue knows: done to the body on its way out.

import type { Lose } from '../conversation/types.ts';
import { isObject, type Json, type JsonObject } from '../json/values.ts';
import type { Quirks } from '../models/types.ts';

const LIMITS = ['max_tokens', 'max_completion_tokens'];

/** The body as this provider and model take it. What they do not take is left out and said. */
export function withQuirks(body: JsonObject, quirks: Quirks, lose: Lose): JsonObject {
  const fields = Object.entries(body).flatMap(([name, value]) => {
    const refused = refusal(name, body, quirks);
    if (refused !== undefined) {
      lose(name, refused);
      return [];
    }
    return [[quirks.rename?.[name] ?? limitNamed(name, body, quirks), fieldAs(name, value, quirks, lose)] as const];
  });
  const shaped: JsonObject = Object.fromEntries(fields);
  const listed =
    quirks.tools_with_history && shaped.tools === undefined && hasCalls(shaped.messages) ? { tools: [] } : {};
  const stripped = quirks.strip ? (without(shaped, new Set(quirks.strip)) as JsonObject) : shaped;
  return { ...stripped, ...listed };
}

function refusal(name: string, body: JsonObject, quirks: Quirks): string | undefined {
  if (quirks.unsupported?.includes(name)) return 'the provider does not take it';
  if (name === 'temperature' && quirks.temperature === false) return 'the model has none';
  if (name === 'store' && quirks.store === false) return 'the provider does not take it';
  if (name === 'reasoning_effort' && quirks.reasoning_effort === false) return 'the provider does not take it';
  if (LIMITS.includes(name) && quirks.max_tokens_field !== undefined && name !== quirks.max_tokens_field)
    return body[quirks.max_tokens_field] === undefined ? undefined : `it has ${quirks.max_tokens_field}`;
  return undefined;
}

/** The two names of one parameter. */
const limitNamed = (name: string, _: JsonObject, { max_tokens_field: wanted }: Quirks): string =>
  wanted !== undefined && LIMITS.includes(name) ? wanted : name;

function fieldAs(name: string, value: Json | undefined, quirks: Quirks, lose: Lose): Json | undefined {
  const [least, most] = quirks.temperature_range ?? [];
  if (name === 'temperature' && typeof value === 'number' && least !== undefined && most !== undefined) {
    const taken = Math.min(most, Math.max(least, value));
    if (taken !== value) lose(name, `the provider takes ${least} to ${most}`);
    return taken;
  }
  if (name === 'messages' && quirks.developer_role === false && Array.isArray(value))
    return value.map((message) =>
      isObject(message) && message.role === 'developer' ? { ...message, role: 'system' } : message,
    );
  if (name === 'tools' && quirks.strict_tools === false) return without(value ?? null, new Set(['strict']));
  return value;
}

const hasCalls = (messages: Json | undefined): boolean =>
  Array.isArray(messages) && messages.some((message) => isObject(message) && message.tool_calls !== undefined);

function without(value: Json, names: ReadonlySet<string>): Json {
  if (Array.isArray(value)) return value.map((inner) => without(inner, names));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !names.has(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, inner === undefined ? inner : without(inner, names)]));
}
