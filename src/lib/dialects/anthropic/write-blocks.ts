// Parts to content blocks.

import type {
  Lose,
  MediaPart,
  Part,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from '../../conversation/types.ts';
import type { Json, JsonObject } from '../../json/values.ts';
import { nameOf } from '../codec/fields.ts';
import { own } from '../codec/residual.ts';
import { writeCache } from './cache.ts';
import { writeCitations } from './citations.ts';
import { ANTHROPIC } from './name.ts';
import { writeSource } from './sources.ts';

export function writeBlocks(parts: readonly Part[], lose: Lose): JsonObject[] {
  const blocks: JsonObject[] = [];
  for (const part of parts) {
    const block = writeBlock(part, lose);
    if (block !== undefined) blocks.push(block);
  }
  return blocks;
}

/** One part as a block; undefined if Anthropic has nothing for it, which is said. */
function writeBlock(part: Part, lose: Lose): JsonObject | undefined {
  switch (part.type) {
    case 'text':
      return writeText(part, lose);
    case 'reasoning':
      return writeReasoning(part, lose);
    case 'media':
      return writeMedia(part, lose);
    case 'tool_call':
      return writeToolCall(part, lose);
    case 'tool_result':
      return writeToolResult(part, lose);
    case 'refusal':
      lose('refusal', 'written as text: a refusal is a stop reason here', 'changed');
      return { type: 'text', text: part.text };
    case 'native':
      if (part.format === ANTHROPIC) return part.value as JsonObject;
      lose(nameOf(part.value), 'only its own API can use it');
      return undefined;
  }
}

function writeText(part: TextPart, lose: Lose): JsonObject {
  const kept = own(part.ext, ANTHROPIC);
  if (kept === undefined && part.citations === undefined && part.cache === undefined)
    return { type: 'text', text: part.text };
  const citations = part.citations && writeCitations(part.citations, lose);
  return { ...kept, type: 'text', text: part.text, ...optional({ citations, cache_control: writeCache(part.cache) }) };
}

/** Thinking goes back only where it was made: without its signature, or with another API's, it is refused. */
function writeReasoning(part: ReasoningPart, lose: Lose): JsonObject | undefined {
  const kept = own(part.ext, ANTHROPIC);
  if (part.form?.[ANTHROPIC] === undefined) {
    lose('reasoning', 'the API rejects thinking that it did not sign');
    return undefined;
  }
  if (part.redacted !== undefined && part.text === undefined)
    return { ...kept, type: 'redacted_thinking', data: part.redacted };
  if (part.signature !== undefined)
    return { ...kept, type: 'thinking', thinking: part.text ?? '', signature: part.signature };
  lose('reasoning', 'the API rejects thinking without a signature');
  return undefined;
}

function writeMedia(part: MediaPart, lose: Lose): JsonObject | undefined {
  const kept = own(part.ext, ANTHROPIC);
  if (part.kind === 'audio' || part.kind === 'video') {
    lose(part.kind, 'the API has no content block for it');
    return undefined;
  }
  if (part.detail !== undefined) lose('detail', 'images have one resolution');
  const cache = optional({ cache_control: writeCache(part.cache) });
  if (kept?.type === 'search_result' && part.source.type === 'parts')
    return {
      ...kept,
      type: 'search_result',
      title: part.name,
      content: writeBlocks(part.source.parts, lose),
      ...cache,
    };
  if (part.source.type === 'file' && part.source.vendor !== 'anthropic') {
    lose(part.kind, 'a file id is valid only at its own provider');
    return undefined;
  }
  const source = writeSource(part, ({ parts }) => writeInner(parts, part.form?.[ANTHROPIC], lose));
  if (part.kind === 'image') return { ...kept, type: 'image', source, ...cache };
  return { ...kept, type: 'document', source, ...optional({ title: part.name }), ...cache };
}

function writeToolCall(part: ToolCallPart, lose: Lose): JsonObject | undefined {
  const kept = own(part.ext, ANTHROPIC);
  if (part.by === 'provider' && kept === undefined) {
    lose('provider tool call', 'only the provider that ran it can read it');
    return undefined;
  }
  const input = part.input ?? argumentsAsObject(part, lose);
  if (kept === undefined && part.cache === undefined) return { type: 'tool_use', id: part.id, name: part.name, input };
  const cache = optional({ cache_control: writeCache(part.cache) });
  return { type: 'tool_use', ...kept, id: part.id, name: part.name, input, ...cache };
}

/** Free text goes under the key that a custom tool's schema gets; text that is no JSON is kept beside it. */
function argumentsAsObject(part: ToolCallPart, lose: Lose): Json {
  if (part.custom) return { input: part.text ?? '' };
  if (part.text === undefined) return {};
  lose('arguments', 'they are not JSON: kept as {"_raw": …}', 'changed');
  return { _raw: part.text };
}

function writeToolResult(part: ToolResultPart, lose: Lose): JsonObject | undefined {
  const kept = own(part.ext, ANTHROPIC);
  if (part.by === 'provider') {
    if (kept !== undefined) return { ...kept, tool_use_id: part.callId };
    lose('provider tool result', 'only the provider that created it can read it');
    return undefined;
  }
  const content = writeInner(part.parts, part.form?.[ANTHROPIC], lose);
  if (kept === undefined && part.cache === undefined && part.error === undefined && content !== undefined)
    return { type: 'tool_result', tool_use_id: part.callId, content };
  const cache = optional({ cache_control: writeCache(part.cache) });
  return {
    ...kept,
    type: 'tool_result',
    tool_use_id: part.callId,
    ...optional({ content, is_error: part.error }),
    ...cache,
  };
}

const EMPTY = new Map<string | undefined, Json | undefined>([
  ['absent', undefined],
  ['null', null],
  ['blocks', []],
]);

/** A content, spelled as it was; one that comes from another format as simply as can be. An empty list is refused, so it is not made. */
export function writeInner(parts: readonly Part[], form: string | undefined, lose: Lose): Json | undefined {
  if (parts.length === 0) return EMPTY.has(form) ? EMPTY.get(form) : '';
  const text = form === 'blocks' ? undefined : onlyText(parts);
  if (text !== undefined) return text;
  const blocks = writeBlocks(parts, lose);
  return blocks.length === 0 ? '' : blocks;
}

/** The text, if it is all there is. */
function onlyText(parts: readonly Part[]): string | undefined {
  const [first] = parts;
  if (parts.length !== 1 || first?.type !== 'text') return undefined;
  return first.citations || first.cache || own(first.ext, ANTHROPIC) ? undefined : first.text;
}

/** The fields that have a value. */
export function optional(fields: { readonly [field: string]: Json | undefined }): JsonObject | undefined {
  let found: JsonObject | undefined;
  for (const key in fields)
    if (fields[key] !== undefined) {
      found ??= {};
      found[key] = fields[key];
    }
  return found;
}
