// Content blocks to parts. One reader for every kind of block that the API's types name.

import type { Cache, Part, ToolResultPart } from '../../conversation/types.ts';
import { asArray, asObject, asString, isObject, type Json, type JsonObject } from '../../json/values.ts';
import { readInput } from '../codec/arguments.ts';
import { residual } from '../codec/residual.ts';
import { readCitations } from './citations.ts';
import { BEDROCK } from './name.ts';
import { readDocument, readMedia, readTextOnly } from './read-media.ts';
import type {
  BlockKind,
  CacheFields,
  GuardFields,
  GuardTextFields,
  ReasoningFields,
  ReasoningTextFields,
  SearchResultFields,
  ToolResultFields,
  ToolUseFields,
} from './types.ts';

/** Blocks to parts; a cache point becomes the breakpoint of the part before it. `path` names the list in errors. Throws a ShapeError. */
export function readContent(native: unknown, path = 'content'): Part[] {
  const parts: Part[] = [];
  asArray<unknown>(native, path).forEach((item, index) => {
    const block = asObject<JsonObject>(item, `${path}[${index}]`);
    const cache = readCache(block);
    const before = parts.at(-1);
    if (cache && before && before.type !== 'native' && !before.cache) parts[parts.length - 1] = { ...before, cache };
    else parts.push(readBlock(block));
  });
  return parts;
}

/** The breakpoint that a block is, if it says no more than the view can. */
export function readCache(block: JsonObject): Cache | undefined {
  if (!isObject(block.cachePoint) || Object.keys(block).length > 1) return undefined;
  const { type, ttl, ...rest } = block.cachePoint as CacheFields;
  if (type !== 'default' || Object.keys(rest).length > 0) return undefined;
  return ttl === undefined ? {} : typeof ttl === 'string' ? { ttl } : undefined;
}

/** What stands beside the key of a union: nothing that the types know. */
type Rest = Record<never, never>;

/** null: of use to this API alone, kept whole. */
const table: { readonly [K in BlockKind]: ((value: unknown, rest: Rest) => Part | undefined) | null } = {
  text: readText,
  json: readJson,
  image: (value, rest) => readMedia('image', value, rest),
  audio: (value, rest) => readMedia('audio', value, rest),
  video: (value, rest) => readMedia('video', value, rest),
  document: readDocument,
  toolUse: readToolUse,
  toolResult: readToolResult,
  reasoningContent: readReasoning,
  citationsContent: readCitations,
  searchResult: readSearchResult,
  guardContent: readGuard,
  cachePoint: null,
  toolAddition: null,
  toolRemoval: null,
};
const readers = new Map(Object.entries(table));

export function readBlock(block: JsonObject): Part {
  for (const kind in block) {
    const reader = readers.get(kind);
    if (!reader) continue;
    const { [kind]: value, ...rest } = block;
    const part = reader(value, rest);
    if (part) return part;
  }
  return { type: 'native', format: BEDROCK, value: block };
}

function readText(value: unknown, rest: Rest): Part {
  return { type: 'text', text: asString(value, 'text'), ext: residual(BEDROCK, rest) };
}

/** What a tool gave as JSON is text to other APIs. */
function readJson(value: unknown, rest: Rest): Part {
  return { type: 'text', text: JSON.stringify(value), form: JSON_TEXT, ext: residual(BEDROCK, rest) };
}

const JSON_TEXT = { [BEDROCK]: 'json' };

function readToolUse(value: unknown, rest: Rest): Part {
  const { toolUseId, name, input, type, ...more } = asObject<ToolUseFields>(value, 'toolUse');
  const inner = residual(BEDROCK, more, { type })?.[BEDROCK];
  const said = { id: asString(toolUseId, 'toolUse.toolUseId'), name: asString(name, 'toolUse.name') };
  const ext = residual(BEDROCK, rest, { toolUse: inner });
  const by = type === 'server_tool_use' ? { by: 'provider' as const } : {};
  if (!isObject(input)) return { type: 'tool_call', ...said, ...by, input: input as Json, form: NO_OBJECT, ext };
  return { type: 'tool_call', ...said, ...by, ...readInput(input), ext };
}

/** An input that is no object, from this API itself. */
const NO_OBJECT = { [BEDROCK]: 'input' };

/** A result with a type of its own is one of the provider's tools. */
function readToolResult(value: unknown, rest: Rest): ToolResultPart {
  const { toolUseId, content, status, type, ...more } = asObject<ToolResultFields>(value, 'toolResult');
  const known = status === undefined || status === 'success' || status === 'error';
  const inner = residual(BEDROCK, more, { type, status: known ? undefined : status })?.[BEDROCK];
  const parts = content === undefined || isNothing(content) ? [] : readContent(content, 'toolResult.content');
  const spelled = content === undefined ? 'absent' : isNothing(content) ? 'nothing' : 'blocks';
  return {
    type: 'tool_result',
    ...(type !== undefined && { by: 'provider' }),
    callId: asString(toolUseId, 'toolResult.toolUseId'),
    parts,
    ...(status === 'error' && { error: true }),
    form: { [BEDROCK]: spelled, [STATUS]: status ?? 'absent' },
    ext: residual(BEDROCK, rest, { toolResult: inner }),
  };
}

/** Whether a success is said is spelling. */
export const STATUS = `${BEDROCK}:status`;

/** What stands for a result without content, which some models refuse, as all do an empty text. */
export const NOTHING = [{ json: { output: '' } }];

function isNothing(content: unknown): boolean {
  const [only, other] = Array.isArray(content) ? content : [];
  if (other !== undefined || !isObject(only) || !isObject(only.json) || only.json.output !== '') return false;
  return Object.keys(only).length === 1 && Object.keys(only.json).length === 1;
}

function readReasoning(value: unknown, rest: Rest): Part | undefined {
  const { reasoningText, redactedContent, ...more } = asObject<ReasoningFields>(value, 'reasoningContent');
  const beside = residual(BEDROCK, more)?.[BEDROCK];
  if (redactedContent !== undefined) {
    const redacted = asString(redactedContent, 'reasoningContent.redactedContent');
    return { type: 'reasoning', redacted, form: SIGNED, ext: residual(BEDROCK, rest, { reasoningContent: beside }) };
  }
  if (reasoningText === undefined) return undefined;
  const { text, signature, ...inner } = asObject<ReasoningTextFields>(reasoningText, 'reasoningText');
  const extra = residual(BEDROCK, inner)?.[BEDROCK];
  const kept = beside || extra ? { ...beside, ...(extra && { reasoningText: extra }) } : undefined;
  const said = { ...(text !== undefined && { text: asString(text, 'reasoningText.text') }), signature };
  return {
    type: 'reasoning',
    ...said,
    form: signature === undefined ? OWN : SIGNED,
    ext: residual(BEDROCK, rest, { reasoningContent: kept }),
  };
}

const OWN = { [BEDROCK]: 'own' };

/** Only Claude signs here, and Anthropic takes what it signed: https://platform.claude.com/docs/en/build-with-claude/extended-thinking#thinking-encryption */
const SIGNED = { ...OWN, anthropic: 'thinking' };

function readSearchResult(value: unknown, rest: Rest): Part | undefined {
  const { source, title, content, citations, ...more } = asObject<SearchResultFields>(value, 'searchResult');
  const parts = asArray<unknown>(content, 'searchResult.content').map(readTextOnly);
  if (!parts.every((part) => part !== undefined)) return undefined;
  const inner = residual(BEDROCK, more, { source, citations })?.[BEDROCK];
  const ext = residual(BEDROCK, rest, { searchResult: inner ?? {} });
  return { type: 'media', kind: 'document', source: { type: 'parts', parts }, name: title, form: SEARCH, ext };
}

const SEARCH = { [BEDROCK]: 'searchResult' };

/** What a guardrail looks at is content like other content. */
function readGuard(value: unknown, rest: Rest): Part | undefined {
  const { text, image, ...more } = asObject<GuardFields>(value, 'guardContent');
  const beside = residual(BEDROCK, more)?.[BEDROCK];
  if (image !== undefined || text === undefined) return undefined;
  const { text: said, qualifiers, ...inner } = asObject<GuardTextFields>(text, 'guardContent.text');
  const kept = { ...beside, text: residual(BEDROCK, inner, { qualifiers })?.[BEDROCK] ?? {} };
  const ext = residual(BEDROCK, rest, { guardContent: kept });
  return { type: 'text', text: asString(said, 'guardContent.text.text'), form: GUARD, ext };
}

const GUARD = { [BEDROCK]: 'guardContent' };
