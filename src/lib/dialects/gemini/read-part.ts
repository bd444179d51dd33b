// Parts: exactly one of them is data, the others say more about it. https://ai.google.dev/api/caching#Part

import type {
  Form,
  MediaKind,
  MediaPart,
  Part,
  Source,
  ToolCallPart,
  ToolResultPart,
} from '../../conversation/types.ts';
import { asObject, isObject, type Json, type JsonObject } from '../../json/values.ts';
import { withoutId } from '../codec/call-ids.ts';
import { residual } from '../codec/residual.ts';
import { type CallIds, NO_ID } from './call-ids.ts';
import { kindOfFile } from './mime.ts';
import { GEMINI } from './name.ts';
import { unwrap } from './result.ts';
import { toCamel } from './spelling.ts';
import type { BlobFields, CallFields, FileFields, PartFields, ResponseFields } from './types.ts';

/** What the part holds, and what else it says. */
interface Opened {
  readonly data: unknown;
  readonly more: JsonObject;
  readonly form: (mark?: string) => Form;
}

/** A part without data, or with more than one, is kept whole. */
export function readPart(native: unknown, ids: CallIds, index = 0): Part {
  const whole = asObject<JsonObject>(native, `parts[${index}]`);
  const { value, names } = toCamel(whole);
  const { text, inlineData, fileData, functionCall, functionResponse, executableCode, ...others } = value as PartFields;
  const { codeExecutionResult, toolCall, toolResponse, audioTranscription, ...modifiers } = others;
  const { thought, thoughtSignature, videoMetadata, mediaResolution, partMetadata, mediaProcessing, ...last } =
    modifiers;
  const { speechMetadata, ...rest } = last;
  const called = { functionCall, functionResponse, executableCode, codeExecutionResult, toolCall, toolResponse };
  const found = Object.entries({ text, inlineData, fileData, ...called, audioTranscription }).filter(
    ([, v]) => v !== undefined,
  );
  const [kind, data] = found[0] ?? ['', undefined];
  const signed = { thoughtSignature, videoMetadata, mediaResolution, partMetadata, mediaProcessing, speechMetadata };
  const opened: Opened = {
    data,
    more: residual(GEMINI, rest, { ...signed, thought })?.[GEMINI] ?? {},
    form: (mark = '') => ({ [GEMINI]: [mark, ...names].join(' '), ...(mark.includes(NO_ID) && withoutId(GEMINI)) }),
  };
  const part = found.length === 1 ? readers.get(kind)?.(opened, ids) : undefined;
  return part ?? { type: 'native', format: GEMINI, value: whole };
}

const readers = new Map<string, (part: Opened, ids: CallIds) => Part | undefined>([
  ['text', readText],
  ['inlineData', readBlob],
  ['fileData', readFile],
  ['functionCall', readCall],
  ['functionResponse', readResponse],
  ['executableCode', readCode],
  ['codeExecutionResult', readOutcome],
  ['toolCall', readToolCall],
  ['toolResponse', readToolResponse],
]);

const keep = (more: JsonObject) => (Object.keys(more).length > 0 ? { [GEMINI]: more } : undefined);

/** A thought is told by its mark; `false` is a mark too, and says nothing. */
function readText({ data, more, form }: Opened): Part | undefined {
  if (typeof data !== 'string') return undefined;
  const { thought, ...others } = more;
  if (thought === true) return { type: 'reasoning', text: data, form: form(), ext: keep(others) };
  return { type: 'text', text: data, form: form(), ext: keep(more) };
}

function readBlob({ data, more, form }: Opened): Part | undefined {
  const { mimeType, data: bytes, displayName, ...rest }: BlobFields = asObject(data, 'inlineData');
  if (typeof bytes !== 'string' || !isText(mimeType)) return undefined;
  const source: Source = { type: 'data', data: bytes, mime: mimeType };
  const left = residual(GEMINI, rest)?.[GEMINI];
  return media(kindOf(mimeType), source, displayName, form(), { ...more, ...(left && { inlineData: left }) });
}

function readFile({ data, more, form }: Opened): Part | undefined {
  const { mimeType, fileUri, displayName, ...rest }: FileFields = asObject(data, 'fileData');
  if (typeof fileUri !== 'string' || !isText(mimeType)) return undefined;
  const source: Source = isStored(fileUri)
    ? { type: 'file', id: fileUri, mime: mimeType, vendor: 'google' }
    : { type: 'url', url: fileUri, mime: mimeType };
  const left = residual(GEMINI, rest)?.[GEMINI];
  const kind = mimeType === undefined ? kindOfFile(fileUri) : kindOf(mimeType);
  return media(kind, source, displayName, form(), { ...more, ...(left && { fileData: left }) });
}

const isText = (value: unknown): boolean => value === undefined || typeof value === 'string';

/** Files of an account: uploaded ones, and those in its storage. */
const isStored = (uri: string): boolean =>
  uri.startsWith('gs://') || uri.startsWith('https://generativelanguage.googleapis.com/') || !/^https?:/.test(uri);

function media(kind: MediaKind, source: Source, name: string | undefined, form: Form, more: JsonObject): MediaPart {
  return { type: 'media', kind, source, ...(name !== undefined && { name }), form, ext: keep(more) };
}

function kindOf(mime: string | undefined): MediaKind {
  const [kind] = mime?.split('/') ?? [];
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'document';
}

/** A piece of a streamed call is none yet. `{"_raw": "…"}` stands for arguments that are no JSON (see write-part.ts). */
function readCall({ data, more, form }: Opened, ids: CallIds): ToolCallPart | undefined {
  const { id, name, args, partialArgs, willContinue, ...rest }: CallFields = asObject(data, 'functionCall');
  if (typeof name !== 'string' || (args !== undefined && !isObject(args)) || partialArgs !== undefined)
    return undefined;
  const left = residual(GEMINI, rest, { willContinue })?.[GEMINI];
  const raw = args?._raw;
  const text = typeof raw === 'string' && Object.keys(args ?? {}).length === 1;
  const marks = [...(typeof id === 'string' ? [] : [NO_ID]), ...(args === undefined ? ['-args'] : [])];
  return {
    type: 'tool_call',
    id: typeof id === 'string' ? id : ids.next(name),
    name,
    ...(text ? { text: raw } : { input: (args ?? {}) as Json }),
    form: form(marks.join(',')),
    ext: keep({ ...more, ...(left && { functionCall: left }) }),
  };
}

function readResponse({ data, more, form }: Opened, ids: CallIds): ToolResultPart | undefined {
  const fields: ResponseFields = asObject(data, 'functionResponse');
  const { id, name, response, parts, willContinue, scheduling, ...rest } = fields;
  if (typeof name !== 'string' || (response !== undefined && !isObject(response))) return undefined;
  const { wrapping, parts: texts } = unwrap(response);
  const shown = Array.isArray(parts) ? parts.map((part, i) => readPart(part, ids, i)) : [];
  if (shown.some((part) => part.type !== 'media')) return undefined;
  const left = residual(GEMINI, rest, { willContinue, scheduling, parts: shown.length === 0 ? parts : undefined });
  return {
    type: 'tool_result',
    callId: typeof id === 'string' ? id : ids.next(name),
    name,
    parts: [...texts, ...shown],
    ...(wrapping === 'error' && { error: true }),
    form: form([wrapping, ...(typeof id === 'string' ? [] : [NO_ID])].join(',')),
    ext: keep({ ...more, ...(left && { functionResponse: left[GEMINI] as JsonObject }) }),
  };
}

/** Code that the provider ran, and what came of it. */
function readCode({ data, more, form }: Opened): ToolCallPart {
  const { id, ...input } = asObject<JsonObject>(data, 'executableCode');
  const mark = form(['executableCode', ...unless(id, NO_ID)].join(','));
  return { ...PROVIDED, id: textOf(id), name: 'code_execution', input, form: mark, ext: keep(more) };
}

function readToolCall({ data, more, form }: Opened): ToolCallPart {
  const { id, toolType, args, ...rest } = asObject<JsonObject>(data, 'toolCall');
  const absent = [...unless(id, NO_ID), ...unless(toolType, '-type'), ...(args === undefined ? ['-args'] : [])];
  const kept = Object.keys(rest).length > 0 ? { ...more, toolCall: rest } : more;
  const about = { id: textOf(id), name: textOf(toolType), input: args ?? {} };
  return { ...PROVIDED, ...about, form: form(['toolCall', ...absent].join(',')), ext: keep(kept) };
}

const PROVIDED = { type: 'tool_call', by: 'provider' } as const;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const unless = (value: unknown, mark: string): string[] => (typeof value === 'string' ? [] : [mark]);

function readOutcome({ data, more, form }: Opened): ToolResultPart {
  const { id, ...outcome } = asObject<JsonObject>(data, 'codeExecutionResult');
  return answered(id, { ...more, codeExecutionResult: outcome }, 'codeExecutionResult', form);
}

function readToolResponse({ data, more, form }: Opened): ToolResultPart {
  const { id, ...answer } = asObject<JsonObject>(data, 'toolResponse');
  return answered(id, { ...more, toolResponse: answer }, 'toolResponse', form);
}

function answered(id: unknown, more: JsonObject, kind: string, form: Opened['form']): ToolResultPart {
  const mark = form([kind, ...unless(id, NO_ID)].join(','));
  return { type: 'tool_result', by: 'provider', callId: textOf(id), parts: [], form: mark, ext: keep(more) };
}
