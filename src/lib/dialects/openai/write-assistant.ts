// Assistant messages: content, refusal, reasoning, calls and annotations, each in its field.

import { writeMeta } from '../../conversation/meta.ts';
import type { Citation, Lose, Message, Part, ToolCallPart } from '../../conversation/types.ts';
import type { JsonObject } from '../../json/values.ts';
import { writeArguments } from '../codec/arguments.ts';
import { own } from '../codec/residual.ts';
import { OPENAI } from './name.ts';
import { writeContent } from './write-parts.ts';

export function writeAssistant(group: readonly Message[], lose: Lose): JsonObject {
  const [first] = group;
  const parts = group.length === 1 && first ? first.parts : group.flatMap((message) => message.parts);
  const form = group.length === 1 ? first?.form?.[OPENAI] : undefined;
  const inContent = parts.filter(isContent);
  const spelled = inContent.length === 0 && (form === undefined || form === 'string') ? 'null' : form;
  const content = writeContent(inContent, spelled, lose);
  sayLost(parts, lose);
  if (content !== undefined && group.length === 1 && first && isUsual(first)) {
    const calls = parts.filter(isCall);
    return calls.length === 0
      ? { role: 'assistant', content }
      : { role: 'assistant', content, tool_calls: calls.map(writeCall) };
  }
  return {
    ...Object.assign({}, ...group.map((message) => own(message.ext, OPENAI))),
    role: 'assistant',
    ...(first?.name !== undefined && { name: first.name }),
    ...writeReasoning(parts),
    ...(content !== undefined && { content }),
    ...writeRefusal(parts),
    ...writeAnnotations(inContent, lose),
    ...writeCalls(parts.filter(isCall)),
    ...writeMeta(group),
  };
}

/** Nothing but texts and calls that any format has. */
function isUsual({ parts, name, ext, meta, id, by, stop, usage }: Message): boolean {
  if (name !== undefined || meta !== undefined || ext?.[OPENAI] !== undefined) return false;
  if (id !== undefined || by !== undefined || stop !== undefined || usage !== undefined) return false;
  return parts.every((part) =>
    part.type === 'text' ? part.citations === undefined : part.type === 'tool_call' && part.ext?.[OPENAI] === undefined,
  );
}

function isContent(part: Part): boolean {
  if (part.type === 'refusal') return part.form?.[OPENAI] === 'part';
  return part.type === 'text' || part.type === 'media' || part.type === 'native';
}

const isCall = (part: Part): part is ToolCallPart => part.type === 'tool_call' && part.by !== 'provider';

function sayLost(parts: readonly Part[], lose: Lose): void {
  for (const part of parts) {
    if ((part.type === 'tool_call' || part.type === 'tool_result') && part.by === 'provider')
      lose(`provider ${part.type.replace('_', ' ')}`, 'only the provider that ran it can read it');
    if (part.type === 'tool_call' && part.cache) lose('cache_control', 'a call has no breakpoint');
    if (part.type === 'reasoning' && (part.signature !== undefined || part.redacted !== undefined))
      lose('reasoning signature', 'only the provider that created it can read it');
  }
}

/** Readable reasoning goes into the field that compatible servers read. */
function writeReasoning(parts: readonly Part[]): JsonObject | undefined {
  let found: JsonObject | undefined;
  for (const part of parts) {
    if (part.type !== 'reasoning' || part.text === undefined) continue;
    if (part.text === '' && part.form?.[OPENAI] === undefined) continue;
    for (const field of part.form?.[OPENAI]?.split(' ') ?? ['reasoning_content'])
      found = { ...found, [field]: `${found?.[field] ?? ''}${part.text}` };
  }
  return found;
}

function writeRefusal(parts: readonly Part[]): JsonObject | undefined {
  const refusals = parts.filter((part) => part.type === 'refusal' && part.form?.[OPENAI] !== 'part');
  return refusals.length > 0
    ? { refusal: refusals.map((part) => (part.type === 'refusal' ? part.text : '')).join('') }
    : undefined;
}

/** Where a citation has no place of its own, the text that it stands at is the place. Offsets count from the beginning of all texts. */
function writeAnnotations(parts: readonly Part[], lose: Lose): JsonObject | undefined {
  let offset = 0;
  const placed: Citation[] = [];
  for (const part of parts) {
    if (part.type !== 'text') continue;
    for (const citation of part.citations ?? []) {
      const { url, start = 0, end = part.text.length } = citation;
      if (url === undefined) lose('citations', 'an annotation needs a URL');
      else placed.push({ ...citation, start: offset + start, end: offset + end });
      sayRest(citation, lose);
    }
    offset += part.text.length;
  }
  return placed.length > 0 ? { annotations: placed.map(writeAnnotation) } : undefined;
}

/** An annotation is a page and a place. */
function sayRest({ url, quote, ext = {} }: Citation, lose: Lose): void {
  if (url === undefined) return;
  if (quote !== undefined) lose('citations: quote', 'an annotation has none');
  for (const [format, fields] of Object.entries(ext))
    if (format !== OPENAI && format !== 'openai-responses')
      for (const field in fields) if (field !== 'type') lose(`citations: ${field}`, `only ${format} has it`);
}

function writeAnnotation({ url, title, start, end, ext }: Citation): JsonObject {
  const { url_citation, ...kept } = own(ext, OPENAI) ?? {};
  return {
    ...kept,
    type: 'url_citation',
    url_citation: { ...(url_citation as JsonObject), url, title, start_index: start, end_index: end },
  };
}

/** Dialects that spell arguments as text too: what they wrote is kept to the letter. */
const RELATIVES = ['openai-responses'];

function writeCalls(calls: readonly ToolCallPart[]): JsonObject | undefined {
  const [first] = calls;
  if (first === undefined) return undefined;
  const old = own(first.ext, OPENAI)?.function_call as JsonObject | undefined;
  if (old) return { function_call: { ...old, name: first.name, arguments: writeArguments(first, OPENAI, RELATIVES) } };
  return { tool_calls: calls.map(writeCall) };
}

function writeCall(call: ToolCallPart): JsonObject {
  const { id, name } = call;
  const kept = own(call.ext, OPENAI);
  if (kept === undefined && !call.custom)
    return { id, type: 'function', function: { name, arguments: writeArguments(call, OPENAI, RELATIVES) } };
  if (call.custom) {
    const { custom, ...others } = kept ?? {};
    return { ...others, id, type: 'custom', custom: { ...(custom as JsonObject), name, input: call.text ?? '' } };
  }
  const { function: fn, type = 'function', ...others } = kept ?? {};
  const about = { ...(fn as JsonObject), name, arguments: writeArguments(call, OPENAI, RELATIVES) };
  return { id, ...(type !== null && { type }), ...others, function: about };
}
