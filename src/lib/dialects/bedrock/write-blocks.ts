// Parts to content blocks.

import type {
  Cache,
  Lose,
  Part,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from '../../conversation/types.ts';
import { isObject, type Json, type JsonObject } from '../../json/values.ts';
import { inputOf } from '../codec/arguments.ts';
import { lookup, nameOf, optional } from '../codec/fields.ts';
import { own } from '../codec/residual.ts';
import { writeCitations } from './citations.ts';
import type { DocumentNames } from './document-names.ts';
import { BEDROCK } from './name.ts';
import { NOTHING, STATUS } from './read-blocks.ts';
import { writeMedia } from './write-media.ts';

/** Blocks, each with its cache point behind it. */
export function writeBlocks(parts: readonly Part[], names: DocumentNames, lose: Lose): JsonObject[] {
  return parts.flatMap((part) => {
    const block = writeBlock(part, names, lose);
    if (block === undefined) return [];
    const cache = part.type === 'native' ? undefined : part.cache;
    return cache ? [block, writeCache(cache)] : [block];
  });
}

export function writeCache({ ttl }: Cache): JsonObject {
  return { cachePoint: { type: 'default', ...(ttl !== undefined && { ttl: lookup(TTL, ttl) ?? ttl }) } };
}

/** OpenAI's lifetimes, as the nearest of the API's that is not longer. */
const TTL: { readonly [ttl: string]: string } = { '30m': '5m', '12h': '1h', '24h': '1h', in_memory: '5m' };

/** One part as a block; undefined if the API has nothing for it, which is said. */
function writeBlock(part: Part, names: DocumentNames, lose: Lose): JsonObject | undefined {
  switch (part.type) {
    case 'text':
      return writeText(part, lose);
    case 'reasoning':
      return writeReasoning(part, lose);
    case 'media':
      return writeMedia(part, names, lose);
    case 'tool_call':
      return writeToolUse(part, lose);
    case 'tool_result':
      return writeToolResult(part, names, lose);
    case 'refusal':
      lose('refusal', 'written as text: a refusal is a stop reason here');
      return { text: part.text };
    case 'native':
      if (part.format === BEDROCK) return part.value as JsonObject;
      lose(nameOf(part.value), 'only its own API can use it');
      return undefined;
  }
}

function writeText(part: TextPart, lose: Lose): JsonObject {
  const { text, form } = part;
  const cited = writeCitations(part, lose);
  if (cited) return cited;
  const kept = own(part.ext, BEDROCK);
  if (form?.[BEDROCK] === 'guardContent') {
    const { text: inner, ...beside } = (kept?.guardContent ?? {}) as JsonObject;
    return { ...kept, guardContent: { ...beside, text: { ...(inner as JsonObject), text } } };
  }
  const json = form?.[BEDROCK] === 'json' ? parsed(text) : undefined;
  return json === undefined ? { ...kept, text } : { ...kept, json };
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Claude's reasoning goes along with its signature; another's, or one without, would be refused. */
function writeReasoning({ text, signature, redacted, form, ext }: ReasoningPart, lose: Lose): JsonObject | undefined {
  const { reasoningContent, ...kept } = own(ext, BEDROCK) ?? {};
  const { reasoningText, ...beside } = (reasoningContent ?? {}) as JsonObject;
  const signed = form?.anthropic !== undefined && (signature !== undefined || redacted !== undefined);
  if (!signed && form?.[BEDROCK] === undefined) {
    lose('reasoning', 'the API rejects reasoning that Claude did not sign');
    return undefined;
  }
  if (redacted !== undefined && text === undefined)
    return { ...kept, reasoningContent: { ...beside, redactedContent: redacted } };
  const inner = { ...(reasoningText as JsonObject), ...optional({ text, signature }) };
  return { ...kept, reasoningContent: { ...beside, reasoningText: inner } };
}

function writeToolUse(part: ToolCallPart, lose: Lose): JsonObject | undefined {
  const { toolUse, ...kept } = own(part.ext, BEDROCK) ?? {};
  if (part.by === 'provider' && toolUse === undefined) {
    lose('provider tool call', 'only the provider that ran it can read it');
    return undefined;
  }
  const isOwn = part.form?.[BEDROCK] !== undefined && part.text === undefined;
  const input = isOwn ? part.input : inputOf(part, lose);
  const said = { toolUseId: part.id, name: part.name, ...(input !== undefined && { input }) };
  return { ...kept, toolUse: { ...(toolUse as JsonObject), ...said } };
}

function writeToolResult(part: ToolResultPart, names: DocumentNames, lose: Lose): JsonObject | undefined {
  const { toolResult, ...kept } = own(part.ext, BEDROCK) ?? {};
  if (part.by === 'provider' && toolResult === undefined) {
    lose('provider tool result', 'only the provider that created it can read it');
    return undefined;
  }
  const inner = toolResult as JsonObject | undefined;
  const content = writeResultContent(part, names, lose);
  const before = inner?.status ?? (part.form?.[STATUS] === 'absent' ? undefined : 'success');
  const status = part.error ? 'error' : before;
  const said = { toolUseId: part.callId, ...optional({ content, status }) };
  return { ...kept, toolResult: { ...inner, ...said } };
}

/** Texts, files and JSON. A text that is empty is refused there too. */
function writeResultContent(
  { parts, form }: ToolResultPart,
  names: DocumentNames,
  lose: Lose,
): JsonObject[] | undefined {
  const spelled = form?.[BEDROCK];
  if (spelled !== undefined && parts.length === 0)
    return spelled === 'absent' ? undefined : spelled === 'blocks' ? [] : NOTHING;
  const foreign = spelled === undefined;
  const blocks = parts.flatMap((part) => {
    if (foreign && part.type === 'text' && part.text === '') return [];
    if (part.type === 'native' || part.type === 'text' || part.type === 'media')
      return writeInner(part, names, foreign, lose);
    lose(part.type.replace('_', ' '), 'a result contains only text and files');
    return [];
  });
  return blocks.length === 0 ? NOTHING : blocks;
}

function writeInner(part: Part, names: DocumentNames, foreign: boolean, lose: Lose): JsonObject[] {
  if (!foreign || part.type === 'native' || !part.cache) return writeBlocks([part], names, lose);
  lose('cache_control', 'a result has no breakpoints inside');
  return writeBlocks([{ ...part, cache: undefined }], names, lose);
}

/** Whether a message holds a document. */
export const isDocument = (block: unknown): boolean => isObject(block) && isObject(block.document);
