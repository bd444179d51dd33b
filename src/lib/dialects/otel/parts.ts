// Parts of messages. https://github.com/open-telemetry/semantic-conventions-genai/blob/main/docs/gen-ai/gen-ai-input-messages.json

import type { Lose, MediaKind, MediaPart, Part, Source } from '../../conversation/types.ts';
import { asObject, isObject, type Json, type JsonObject } from '../../json/values.ts';
import { lookup, nameOf } from '../codec/fields.ts';
import { own, residual } from '../codec/residual.ts';
import { OTEL } from './name.ts';

export function readPart(native: unknown, index: number): Part {
  const part = asObject<JsonObject>(native, `parts[${index}]`);
  const reader = lookup(READERS, part.type);
  return (
    reader?.(part) ?? {
      type: 'native',
      format: OTEL,
      value: part,
    }
  );
}

/** undefined: the part lacks what its type says, and stays as it is. */
const READERS: { readonly [type: string]: (part: JsonObject) => Part | undefined } = {
  text: (part) => readText(part, 'text'),
  reasoning: (part) => readText(part, 'reasoning'),
  tool_call: readCall,
  tool_call_response: readResponse,
  blob: readMedia,
  uri: readMedia,
  file: readMedia,
};

const unnamed = (rest: JsonObject): Record<never, never> => rest;

function readText({ type: _, content, ...rest }: JsonObject, type: 'text' | 'reasoning'): Part | undefined {
  if (typeof content !== 'string') return undefined;
  return { type, text: content, ext: residual(OTEL, unnamed(rest)) };
}

function readCall({ type: _, id, name, arguments: given, ...rest }: JsonObject): Part | undefined {
  if (typeof name !== 'string') return undefined;
  const form = id === undefined ? 'no id' : id === null ? 'null' : undefined;
  return {
    type: 'tool_call',
    id: typeof id === 'string' ? id : '',
    name,
    ...(typeof given === 'string' ? { text: given } : { input: given ?? {} }),
    ext: residual(OTEL, unnamed(rest)),
    form: {
      [OTEL]: `${form ?? 'id'} ${given === undefined ? 'no arguments' : given === null ? 'null arguments' : ''}`,
    },
  };
}

/** What a tool answered: text, or any JSON, which then is shown as text. */
function readResponse({ type: _, id, response, result, ...rest }: JsonObject): Part | undefined {
  const answer = response === undefined ? result : response;
  const text = typeof answer === 'string' ? answer : answer === undefined ? undefined : JSON.stringify(answer);
  const key = response === undefined && result !== undefined ? 'result' : 'response';
  const ids = id === undefined ? 'no id' : id === null ? 'null' : 'id';
  const raw = typeof answer === 'string' || answer === undefined ? undefined : { answer };
  return {
    type: 'tool_result',
    callId: typeof id === 'string' ? id : '',
    parts: text === undefined ? [] : [{ type: 'text', text }],
    ext: residual(OTEL, unnamed(rest), raw),
    form: { [OTEL]: `${key} ${ids}` },
  };
}

function readMedia(part: JsonObject): Part | undefined {
  const { type, modality, mime_type, content, uri, file_id, ...rest } = part;
  const mime = typeof mime_type === 'string' ? { mime: mime_type } : undefined;
  const source: Source | undefined =
    type === 'blob' && typeof content === 'string'
      ? { type: 'data', data: content, ...mime }
      : type === 'uri' && typeof uri === 'string'
        ? { type: 'url', url: uri, ...mime }
        : type === 'file' && typeof file_id === 'string'
          ? { type: 'file', id: file_id, ...mime }
          : undefined;
  if (source === undefined) return undefined;
  const kind: MediaKind = modality === 'image' || modality === 'audio' || modality === 'video' ? modality : 'document';
  const odd = kind === 'document' && modality !== 'document' ? { modality } : undefined;
  return {
    type: 'media',
    kind,
    source,
    ext: residual(OTEL, unnamed(rest), { ...odd, mime_type: mime_type === null ? null : undefined }),
  };
}

export function writePart(part: Part, lose: Lose): JsonObject[] {
  if ('cache' in part && part.cache) lose('cache_control', 'a trace has no breakpoints');
  switch (part.type) {
    case 'text':
      for (const _ of part.citations ?? []) lose('citations', 'a text has none');
      return [{ type: 'text', content: part.text, ...own(part.ext, OTEL) }];
    case 'refusal':
      lose('refusal', 'it is kept as text');
      return [{ type: 'text', content: part.text }];
    case 'reasoning':
      if (part.signature !== undefined || part.redacted !== undefined)
        lose('reasoning signature', 'only the provider that created it can read it');
      return part.text === undefined ? [] : [{ type: 'reasoning', content: part.text, ...own(part.ext, OTEL) }];
    case 'tool_call':
    case 'tool_result':
      if (part.by === 'provider') {
        lose(`provider ${part.type.replace('_', ' ')}`, 'only the provider that ran it can read it');
        return [];
      }
      return [part.type === 'tool_call' ? writeCall(part) : writeResponse(part, lose)];
    case 'media':
      return writeMedia(part, lose);
    case 'native':
      if (part.format === OTEL) return [part.value as JsonObject];
      lose(nameOf(part.value), 'only its own API can use it');
      return [];
  }
}

function writeCall({ id, name, input, text, ext, form }: Part & { type: 'tool_call' }): JsonObject {
  const spelled = form?.[OTEL] ?? '';
  const ids =
    spelled.startsWith('no id') && id === '' ? {} : { id: spelled.startsWith('null') && id === '' ? null : id };
  const given: Json = input ?? text ?? {};
  const empty = isObject(given) && Object.keys(given).length === 0;
  const nothing = spelled.endsWith('no arguments')
    ? {}
    : spelled.endsWith('null arguments')
      ? { arguments: null }
      : undefined;
  return { type: 'tool_call', ...ids, name, ...((empty && nothing) || { arguments: given }), ...own(ext, OTEL) };
}

function writeResponse(part: Part & { type: 'tool_result' }, lose: Lose): JsonObject {
  const { answer, ...kept } = own(part.ext, OTEL) ?? {};
  const [key = 'response', ...ids] = part.form?.[OTEL]?.split(' ') ?? [];
  const spelled = ids.join(' ');
  const id =
    spelled === 'no id' && part.callId === ''
      ? {}
      : { id: spelled === 'null' && part.callId === '' ? null : part.callId };
  if (part.error) lose('is_error', 'responses have no such field');
  const texts = part.parts.flatMap((each) => (each.type === 'text' ? [each.text] : []));
  for (const each of part.parts) if (each.type !== 'text') sayInner(each, lose);
  const text = texts.join('\n');
  const same = answer !== undefined && JSON.stringify(answer) === text;
  const empty = part.parts.length === 0 && part.form?.[OTEL] !== undefined;
  return { type: 'tool_call_response', ...id, ...(!empty && { [key]: same ? answer : text }), ...kept };
}

function sayInner(part: Part, lose: Lose): void {
  lose(
    part.type === 'media' ? part.kind : part.type === 'native' ? nameOf(part.value) : part.type,
    'responses are text',
  );
}

function writeMedia({ kind, source, name, detail, ext }: MediaPart, lose: Lose): JsonObject[] {
  const kept = own(ext, OTEL);
  if (name !== undefined) lose(`${kind}: name`, 'files have none');
  if (detail !== undefined) lose('detail', 'images have one resolution');
  const about = { modality: kind, ...('mime' in source && source.mime !== undefined && { mime_type: source.mime }) };
  switch (source.type) {
    case 'data':
      return [{ type: 'blob', ...about, content: source.data, ...kept }];
    case 'url':
      return [{ type: 'uri', ...about, uri: source.url, ...kept }];
    case 'file':
      return [{ type: 'file', ...about, file_id: source.id, ...kept }];
    case 'text':
      return [{ type: 'text', content: source.text }];
    case 'parts':
      return source.parts.flatMap((part) => writePart(part, lose));
  }
}
