// Tool calls in a text: `<tool_call>{…}</tool_call>` anywhere, and a JSON fence that ends the text.
import { isObject, type Json } from '../../lib/ir/json.ts';
import type { Part } from '../../lib/ir/types.ts';

export interface Found {
  readonly format: 'hermes' | 'fence';
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly input: Json;
}

const OPEN = '<tool_call>';
const CLOSE = '</tool_call>';

/** The calls of a text, in order. `known` tells which tools there are; a fence is a call only if it names one of them. */
export function scan(text: string, known: (name: string) => boolean): Found[] {
  const found = scanTags(text);
  return found.length > 0 ? found : scanFence(text, known);
}

function scanTags(text: string): Found[] {
  const found: Found[] = [];
  for (let at = text.indexOf(OPEN); at >= 0; ) {
    const inner = at + OPEN.length;
    const close = text.indexOf(CLOSE, inner);
    if (close < 0) break;
    const call = readCall(text.slice(inner, close));
    const end = close + CLOSE.length;
    if (call) found.push({ format: 'hermes', start: at, end, ...call });
    at = text.indexOf(OPEN, call ? end : inner);
  }
  return found;
}

function scanFence(text: string, known: (name: string) => boolean): Found[] {
  const trimmed = text.trimEnd();
  if (!trimmed.endsWith('\n```')) return [];
  const start = trimmed.lastIndexOf('```', trimmed.length - 4);
  if (start < 0 || (start > 0 && text[start - 1] !== '\n')) return [];
  const body = trimmed.indexOf('\n', start);
  const label = trimmed.slice(start + 3, body).trim();
  if (label !== '' && label !== 'json' && label !== 'tool_call') return [];
  const call = readCall(trimmed.slice(body, -3));
  return call && known(call.name) ? [{ format: 'fence', start, end: trimmed.length, ...call }] : [];
}

function readCall(text: string): { name: string; input: Json } | undefined {
  try {
    const value: Json = JSON.parse(text);
    if (!isObject(value) || typeof value.name !== 'string' || value.name === '') return undefined;
    return { name: value.name, input: value.arguments ?? value.parameters ?? {} };
  } catch {
    return undefined;
  }
}

/** The text's parts with the calls in their places; blank text between them goes. */
export function splitText(text: string, found: readonly Found[], idOf: (call: Found, index: number) => string): Part[] {
  const parts: Part[] = [];
  let at = 0;
  const say = (piece: string) => {
    const kept = piece.trim();
    if (kept !== '') parts.push({ type: 'text', text: kept });
  };
  found.forEach((call, index) => {
    say(text.slice(at, call.start));
    parts.push({ type: 'tool_call', id: idOf(call, index), name: call.name, input: call.input });
    at = call.end;
  });
  say(text.slice(at));
  return parts;
}
