// Content blocks to parts. One reader for every block type that the API's types name.

import type { Form, Part, TextPart, ToolResultPart } from '../../conversation/types.ts';
import { asArray, asObject, asString, isObject, type Json, type JsonObject } from '../../json/values.ts';
import { ifNull, residual } from '../codec/residual.ts';
import { readCache } from './cache.ts';
import { readCitation } from './citations.ts';
import { ANTHROPIC } from './name.ts';
import { readUsual } from './read-usual.ts';
import { readSource } from './sources.ts';
import type { Block, BlockOf } from './types.ts';

/** `content` of a message or a tool result: a string, a list of blocks, or nothing. */
export function readContent(content: string | readonly unknown[] | undefined): Part[] {
  if (content === undefined) return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return asArray(content, 'content').map(readBlock);
}

export function readBlock(native: unknown, index = 0): Part {
  const block = isObject(native) ? native : asObject<JsonObject>(native, `content[${index}]`);
  const usual = readUsual(block);
  if (usual) return usual;
  const reader = typeof block.type === 'string' ? readers.get(block.type) : undefined;
  return reader ? reader(block as never) : { type: 'native', format: ANTHROPIC, value: block };
}

type Readers = { readonly [T in Block['type']]: ((block: BlockOf<T>) => Part) | null };

/** null: of use to this API alone, kept whole. */
const table: Readers = {
  text: readText,
  image: readImage,
  document: readDocument,
  search_result: readSearchResult,
  thinking: readThinking,
  redacted_thinking: readRedacted,
  tool_use: readToolUse,
  tool_result: readToolResult,
  server_tool_use: readServerToolUse,
  mcp_tool_use: readMcpToolUse,
  mcp_tool_result: readProviderResult,
  web_search_tool_result: readProviderResult,
  web_fetch_tool_result: readProviderResult,
  advisor_tool_result: readProviderResult,
  code_execution_tool_result: readProviderResult,
  bash_code_execution_tool_result: readProviderResult,
  text_editor_code_execution_tool_result: readProviderResult,
  tool_search_tool_result: readProviderResult,
  container_upload: null,
  compaction: null,
  fallback: null,
  tool_addition: null,
  tool_removal: null,
  mcp_tool_listing: null,
};
const readers = new Map(Object.entries(table).filter(([, reader]) => reader !== null));

function readText(block: BlockOf<'text'>): TextPart {
  const { type: _, text, citations, cache_control, ...rest } = block;
  const cache = readCache(cache_control);
  return {
    type: 'text',
    text: asString(text, 'text'),
    citations: citations ? asArray(citations, 'citations').map(readCitation) : undefined,
    cache,
    ext: residual(ANTHROPIC, rest, { citations: ifNull(citations), cache_control: cache ? undefined : cache_control }),
  };
}

function readImage(block: BlockOf<'image'>): Part {
  const { type: _, source: native, cache_control, transformations, ...rest } = block;
  const { source, ext } = readSource(native, readContent);
  const cache = readCache(cache_control);
  const more = { ...ext?.[ANTHROPIC], transformations, cache_control: cache ? undefined : cache_control };
  return { type: 'media', kind: 'image', source, cache, ext: residual(ANTHROPIC, rest, more) };
}

function readDocument(block: BlockOf<'document'>): Part {
  const { type: _, source: native, cache_control, title, context, citations, ...rest } = block;
  const { source, ext, string } = readSource(native, readContent);
  const cache = readCache(cache_control);
  const more = {
    ...ext?.[ANTHROPIC],
    context,
    citations,
    title: ifNull(title),
    cache_control: cache ? undefined : cache_control,
  };
  return {
    type: 'media',
    kind: 'document',
    source,
    name: title ?? undefined,
    cache,
    ext: residual(ANTHROPIC, rest, more),
    form: source.type === 'parts' ? formOf(string ? '' : []) : undefined,
  };
}

function readSearchResult(block: BlockOf<'search_result'>): Part {
  const { type, content, source, title, cache_control, citations, ...rest } = block;
  const cache = readCache(cache_control);
  const more = { type, source, citations, cache_control: cache ? undefined : cache_control };
  const parts = readContent(content);
  return {
    type: 'media',
    kind: 'document',
    source: { type: 'parts', parts },
    name: title,
    cache,
    ext: residual(ANTHROPIC, rest, more),
  };
}

/** What is signed or encrypted is of use to its maker alone: the mark says that it was made here. */
const MADE_HERE = { [ANTHROPIC]: 'thinking' };

function readThinking(block: BlockOf<'thinking'>): Part {
  const { type: _, thinking, signature, ...rest } = block;
  const text = asString(thinking, 'thinking');
  return { type: 'reasoning', text, signature, form: MADE_HERE, ext: residual(ANTHROPIC, rest) };
}

function readRedacted(block: BlockOf<'redacted_thinking'>): Part {
  const { type: _, data, ...rest } = block;
  return { type: 'reasoning', redacted: asString(data, 'data'), form: MADE_HERE, ext: residual(ANTHROPIC, rest) };
}

function readToolUse(block: BlockOf<'tool_use'>): Part {
  const { type: _, id, name, input, cache_control, caller, toolset_name, ...rest } = block;
  const cache = readCache(cache_control);
  return {
    type: 'tool_call',
    id: asString(id, 'tool_use.id'),
    name: asString(name, 'tool_use.name'),
    ...readInput(input as Json),
    cache,
    ext: residual(ANTHROPIC, rest, { caller, toolset_name, cache_control: cache ? undefined : cache_control }),
  };
}

/** `{"_raw": …}` stands for arguments that are no JSON (see write-blocks.ts). */
function readInput(input: Json): { input: Json } | { text: string } {
  const raw = isObject(input) ? input._raw : undefined;
  return typeof raw === 'string' && Object.keys(input as JsonObject).length === 1 ? { text: raw } : { input };
}

function readToolResult(block: BlockOf<'tool_result'>): Part {
  const { type: _, tool_use_id, content, is_error, cache_control, toolset_name, ...rest } = block;
  const cache = readCache(cache_control);
  return {
    type: 'tool_result',
    callId: asString(tool_use_id, 'tool_use_id'),
    parts: readContent(content ?? undefined),
    error: is_error,
    cache,
    ext: residual(ANTHROPIC, rest, { toolset_name, cache_control: cache ? undefined : cache_control }),
    form: formOf(content),
  };
}

const STRING = { [ANTHROPIC]: 'string' };
const ABSENT = { [ANTHROPIC]: 'absent' };
const NULL = { [ANTHROPIC]: 'null' };
const BLOCKS = { [ANTHROPIC]: 'blocks' };

/** How a content was spelled: `absent`, `null`, `string` or `blocks`. */
export function formOf(content: unknown): Form {
  if (content === null) return NULL;
  return content === undefined ? ABSENT : typeof content === 'string' ? STRING : BLOCKS;
}

function readServerToolUse(block: BlockOf<'server_tool_use'>): Part {
  const { type, id, name, input, cache_control, caller, ...rest } = block;
  const call = {
    id: asString(id, 'server_tool_use.id'),
    name: asString(name, 'server_tool_use.name'),
    input: input as Json,
  };
  return {
    type: 'tool_call',
    by: 'provider',
    ...call,
    ext: residual(ANTHROPIC, rest, { type, caller, cache_control }),
  };
}

function readMcpToolUse(block: BlockOf<'mcp_tool_use'>): Part {
  const { type, id, name, input, server_name, cache_control, ...rest } = block;
  const call = { id: asString(id, 'mcp_tool_use.id'), name: asString(name, 'mcp_tool_use.name'), input: input as Json };
  return {
    type: 'tool_call',
    by: 'provider',
    ...call,
    ext: residual(ANTHROPIC, rest, { type, server_name, cache_control }),
  };
}

type ResultType = Exclude<Extract<Block['type'], `${string}_tool_result`>, 'tool_result'>;

/** What the provider's own tools answered. Only its text, where it has any, means something elsewhere. */
function readProviderResult(block: BlockOf<ResultType>): ToolResultPart {
  const { type, tool_use_id, content, cache_control, ...rest } = block as BlockOf<ResultType> & { content?: unknown };
  const { is_error, caller, ...unknown } = rest as { is_error?: boolean; caller?: unknown };
  const kept = { type, content, is_error, caller, cache_control };
  const callId = asString(tool_use_id, 'tool_use_id');
  return { type: 'tool_result', by: 'provider', callId, parts: [], ext: residual(ANTHROPIC, unknown, kept) };
}
