// Long arguments of old calls: a file that was written, a patch, a script. Their beginning and their size stay.

import type { Part, ToolCallPart } from '../../../lib/conversation/types.ts';
import type { Json, JsonObject } from '../../../lib/json/values.ts';
import { clearedArgument } from '../placeholder.ts';
import { withParts } from '../transcript.ts';
import type { Place, Trim } from './types.ts';

/** A string longer than this is cut to its first characters. */
export const LONG = 400;
const KEPT = 120;

const DEEPEST = 12;

export const longArguments: Trim = {
  kind: 'trim',
  name: 'arguments',
  summary: 'cut long arguments of old calls',
  apply(message, place) {
    const parts = message.parts.map((part) => shorten(part, place));
    return parts.every((part, i) => part === message.parts[i]) ? message : withParts(message, parts);
  },
};

function shorten(part: Part, place: Place): Part {
  if (part.type !== 'tool_call' || part.by === 'provider' || place.rule(part.name) === 'keep') return part;
  if (part.input !== undefined) {
    const input = shortJson(part.input, 0);
    return input === part.input ? part : withInput(part, input);
  }
  const text = part.custom && part.text !== undefined ? shortString(part.text) : part.text;
  return text === part.text ? part : { ...part, text };
}

/** A call with another input; how the old one was spelled says nothing of it. */
export function withInput({ form: _, ...call }: ToolCallPart, input: Json): ToolCallPart {
  return { ...call, input };
}

function shortJson(value: Json, depth: number): Json {
  if (typeof value === 'string') return shortString(value);
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => shortJson(item, depth + 1));
    return items.every((item, i) => item === value[i]) ? value : items;
  }
  const entries = Object.entries(value).map(
    ([key, item]) => [key, item === undefined ? item : shortJson(item, depth + 1)] as const,
  );
  return entries.every(([key, item]) => item === (value as JsonObject)[key]) ? value : Object.fromEntries(entries);
}

function shortString(text: string): string {
  if (text.length <= LONG) return text;
  return `${text.slice(0, KEPT).toWellFormed()} ${clearedArgument(text)}`;
}
