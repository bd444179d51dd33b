// Parts of the view to parts of the API: one datum each, and its signature with it.

import type { Lose, MediaPart, Part, TextPart, ToolCallPart, ToolResultPart } from '../../conversation/types.ts';
import { equal, isObject, type Json, type JsonObject } from '../../json/values.ts';
import { bytesOf } from '../codec/data-url.ts';
import { documentText } from '../codec/document-text.ts';
import { nameOf } from '../codec/fields.ts';
import { own } from '../codec/residual.ts';
import { type CallIds, NO_ID } from './call-ids.ts';
import { mimeOf, usualMime } from './mime.ts';
import { GEMINI } from './name.ts';
import { type Wrapping, wrap } from './result.ts';
import { fromCamel } from './spelling.ts';

/** One part, in the spelling that it came in; undefined if there is none for it, which is said. */
export function writePart(part: Part, ids: CallIds, lose: Lose): JsonObject | undefined {
  if (part.type === 'native') {
    if (part.format === GEMINI) return part.value as JsonObject;
    lose(nameOf(part.value), 'only its own API can use it');
    return undefined;
  }
  const [, ...names] = part.form?.[GEMINI]?.split(' ') ?? [];
  const native = writeCamel(part, ids, lose);
  return native && fromCamel(native, names);
}

/** What the part was marked with when it was read; undefined for one that comes from another dialect. */
const markOf = (part: Exclude<Part, { type: 'native' }>): string | undefined => part.form?.[GEMINI]?.split(' ')[0];

function writeCamel(part: Exclude<Part, { type: 'native' }>, ids: CallIds, lose: Lose): JsonObject | undefined {
  const kept = own(part.ext, GEMINI);
  const foreign = markOf(part) === undefined;
  if (part.cache) lose('cache_control', 'the API caches automatically, or by the name of a cache');
  switch (part.type) {
    case 'text':
      return writeText(part, kept, foreign, lose);
    case 'refusal':
      lose('refusal', 'written as text: a refusal is a finish reason here');
      return part.text === '' ? undefined : { text: part.text };
    case 'reasoning':
      if (part.signature !== undefined || part.redacted !== undefined)
        lose('reasoning signature', 'only the provider that created it can read it');
      return part.text === undefined || (foreign && part.text === '')
        ? undefined
        : { ...kept, text: part.text, thought: true };
    case 'media':
      return writeMedia(part, kept, lose);
    case 'tool_call':
      return part.by === 'provider' ? writeProvided(part, kept, lose) : writeCall(part, kept, ids, lose);
    case 'tool_result':
      return part.by === 'provider' ? writeAnswer(part, kept, lose) : writeResponse(part, kept, ids, lose);
  }
}

/** A text without characters is refused, unless it carries a signature. */
function writeText(part: TextPart, kept: JsonObject | undefined, foreign: boolean, lose: Lose): JsonObject | undefined {
  if (part.citations) lose('citations', 'a part has none');
  return foreign && part.text === '' ? undefined : { ...kept, text: part.text };
}

function writeMedia(part: MediaPart, kept: JsonObject | undefined, lose: Lose): JsonObject | undefined {
  const { source, kind, name } = part;
  if (part.detail !== undefined) lose('detail', 'the resolution is set for the whole request');
  const text = documentText(part, lose);
  if (text !== undefined) return { ...kept, text };
  const { inlineData, fileData, ...more } = kept ?? {};
  const foreign = markOf(part) === undefined;
  if (foreign && name !== undefined) lose(`${kind}: name`, 'files have none');
  const named = name === undefined || foreign ? {} : { displayName: name };
  const bytes = bytesOf(source);
  if (bytes) {
    const mimeType = bytes.mime ?? (foreign ? usualMime(kind) : undefined);
    return {
      ...more,
      inlineData: {
        ...(inlineData as JsonObject),
        ...(mimeType !== undefined && { mimeType }),
        data: bytes.data,
        ...named,
      },
    };
  }
  if (source.type === 'file' && source.vendor !== 'google') {
    lose(kind, 'a file id is valid only at its own provider');
    return undefined;
  }
  const fileUri = source.type === 'file' ? source.id : source.type === 'url' ? source.url : '';
  const mimeType =
    'mime' in source && source.mime !== undefined ? source.mime : foreign ? mimeOf(fileUri, kind) : undefined;
  return {
    ...more,
    fileData: { ...(fileData as JsonObject), ...(mimeType !== undefined && { mimeType }), fileUri, ...named },
  };
}

/** An id that was made up here because there was none is left out again. */
function idOf(id: string, name: string, mark: string | undefined, ids: CallIds): JsonObject {
  return mark?.includes(NO_ID) && ids.isNext(name, id) ? {} : { id };
}

function writeCall(call: ToolCallPart, kept: JsonObject | undefined, ids: CallIds, lose: Lose): JsonObject {
  const { functionCall, ...more } = kept ?? {};
  const mark = markOf(call);
  const args = argsOf(call, lose);
  const none = mark?.includes('-args') && equal(args, {});
  const id = idOf(call.id, call.name, mark, ids);
  return { ...more, functionCall: { ...(functionCall as JsonObject), ...id, name: call.name, ...(!none && { args }) } };
}

/** Arguments must be an object: free text goes under the key that a custom tool's schema gets, other text beside. */
function argsOf(call: ToolCallPart, lose: Lose): Json {
  if (call.custom) return { input: call.text ?? '' };
  if (isObject(call.input)) return call.input;
  const text = call.input === undefined ? call.text : JSON.stringify(call.input);
  if (markOf(call) === undefined) lose('arguments', 'they are not a JSON object: kept as {"_raw": …}');
  return text === undefined ? {} : { _raw: text };
}

function writeResponse(result: ToolResultPart, kept: JsonObject | undefined, ids: CallIds, lose: Lose): JsonObject {
  const { functionResponse, ...more } = kept ?? {};
  const mark = markOf(result);
  const [wrapping] = (mark?.split(',') ?? []) as (Wrapping | undefined)[];
  const name = result.name ?? result.callId;
  const texts: string[] = [];
  const shown: JsonObject[] = [];
  for (const part of result.parts) {
    if (part.type === 'text') texts.push(part.text);
    else if (part.type === 'media' || part.type === 'native') {
      const native = writePart(part, ids, lose);
      if (typeof native?.text === 'string') texts.push(native.text);
      else if (native) shown.push(native);
    } else lose(part.type, 'a result contains only text and media');
  }
  const response = wrap(texts, result.error === true, wrapping);
  const about = { ...(functionResponse as JsonObject), ...idOf(result.callId, name, mark, ids), name };
  return {
    ...more,
    functionResponse: { ...about, ...(response && { response }), ...(shown.length > 0 && { parts: shown }) },
  };
}

function writeProvided(call: ToolCallPart, kept: JsonObject | undefined, lose: Lose): JsonObject | undefined {
  const [kind, ...absent] = markOf(call)?.split(',') ?? [];
  if (kind === undefined) {
    lose('provider tool call', 'only the provider that ran it can read it');
    return undefined;
  }
  const { toolCall, ...more } = kept ?? {};
  const id = absent.includes(NO_ID) && call.id === '' ? {} : { id: call.id };
  if (kind === 'executableCode') return { ...more, executableCode: { ...id, ...(call.input as JsonObject) } };
  const type = absent.includes('-type') && call.name === '' ? {} : { toolType: call.name };
  const args = absent.includes('-args') && equal(call.input, {}) ? {} : { args: call.input };
  return { ...more, toolCall: { ...(toolCall as JsonObject), ...id, ...type, ...args } };
}

function writeAnswer(result: ToolResultPart, kept: JsonObject | undefined, lose: Lose): JsonObject | undefined {
  const [kind, ...absent] = markOf(result)?.split(',') ?? [];
  if (kind === undefined) {
    lose('provider tool result', 'only the provider that created it can read it');
    return undefined;
  }
  const id = absent.includes(NO_ID) && result.callId === '' ? {} : { id: result.callId };
  return { ...kept, [kind]: { ...id, ...(kept?.[kind] as JsonObject) } };
}
