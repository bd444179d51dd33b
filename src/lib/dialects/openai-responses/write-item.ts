// Calls, results and reasoning to items.
import { parseArguments } from '../../conversation/parse-arguments.ts';
import type { Lose, ReasoningPart, ToolCallPart, ToolResultPart } from '../../conversation/types.ts';
import { equal, type Json, type JsonObject } from '../../json/values.ts';
import { writeArguments } from '../codec/arguments.ts';
import { own } from '../codec/residual.ts';
import { callKind, type ResultKind, resultKind } from './kinds.ts';
import { RESPONSES } from './name.ts';
import { BETWEEN } from './read-item.ts';
import { writeContent, writeSource } from './write-content.ts';

/** Ids of the items of a reply, by their kind; a request from elsewhere has none: an id must be one that the API gave. */
export type NewId = (prefix: string) => string;

export function writeCall(call: ToolCallPart, lose: Lose, newId?: NewId): JsonObject | undefined {
  const kept = own(call.ext, RESPONSES);
  const kind = callKind(kept?.type);
  if (kind) {
    const input = kind.text ? writeArguments(call, RESPONSES) : call.input === undefined ? call.text : call.input;
    const spelled = call.form?.[RESPONSES];
    const field = kind.input.find((name) => name === spelled) ?? kind.input[0] ?? 'input';
    const id = call.id === '' && Object.hasOwn(kept ?? {}, kind.id) ? {} : { [kind.id]: call.id };
    return { ...kept, ...id, ...(kind.name === undefined && { name: call.name }), [field]: input };
  }
  if (call.by === 'provider') {
    lose('provider tool call', 'only the provider that ran it can read it');
    return undefined;
  }
  if (call.cache) lose('cache_control', 'a call has no breakpoint');
  const made = newId && kept?.id === undefined ? { id: newId(call.custom ? 'ctc' : 'fc'), status: 'completed' } : {};
  const about = { ...made, ...kept, call_id: call.id, name: call.name };
  if (call.custom) return { type: 'custom_tool_call', ...about, input: call.text ?? '' };
  const text = writeArguments(call, RESPONSES, RELATIVES);
  return { type: 'function_call', ...about, ...(text !== undefined && { arguments: text }) };
}

/** Dialects that spell arguments as text too: what they wrote is kept to the letter. */
const RELATIVES = ['openai'];

export function writeResult(result: ToolResultPart, lose: Lose, newId?: NewId): JsonObject | undefined {
  const kept = own(result.ext, RESPONSES);
  const [spelled, idField] = (result.form?.[RESPONSES] ?? '').split(' ');
  if (result.by === 'provider' && kept?.type === undefined) {
    lose('provider tool result', 'only the provider that created it can read it');
    return undefined;
  }
  const type =
    (kept?.type as string | undefined) ?? (result.custom ? 'custom_tool_call_output' : 'function_call_output');
  const kind = resultKind(type) as ResultKind;
  if (result.cache) lose('cache_control', 'a result has no breakpoint');
  if (result.error && kept?.status !== 'failed') lose('is_error', 'results have no such field');
  const id =
    result.callId === '' && Object.hasOwn(kept ?? {}, 'call_id') ? {} : { [idField ?? 'call_id']: result.callId };
  const output = writeOutput(result, kind, spelled === '' ? undefined : spelled, lose);
  const name = spelled !== '' && result.name !== undefined ? { name: result.name } : {};
  const made = newId && kept?.id === undefined ? { id: newId('fco'), status: 'completed' } : {};
  return { ...made, type, ...kept, ...id, ...name, ...(output !== undefined && { [kind.output]: output }) };
}

function writeOutput(
  result: ToolResultPart,
  { shape }: ResultKind,
  form: string | undefined,
  lose: Lose,
): Json | undefined {
  const [part] = result.parts;
  if (shape === 'screenshot' && part?.type === 'media')
    return { ...own(part.ext, RESPONSES), ...writeSource(part, 'image_url', 'image/png', lose) };
  if (shape === 'json' && form !== 'string') return writeJson(result, form);
  return writeContent(result.parts, form, 'user', lose);
}

/** A value that was told as its JSON text; a text that is none any more is written as it stands. */
function writeJson({ parts }: ToolResultPart, form: string | undefined): Json | undefined {
  const [part] = parts;
  if (part?.type !== 'text') return form === 'null' ? null : form === 'absent' ? undefined : [];
  const read = parseArguments(part.text);
  return 'input' in read && part.text !== '' ? read.input : part.text;
}

/** Reasoning goes back only where it was made: its id and its ciphertext are looked up there. In a reply it is told as a summary. */
export function writeReasoning(part: ReasoningPart, lose: Lose, newId?: NewId): JsonObject | undefined {
  const form = part.form?.[RESPONSES];
  if (form === undefined) {
    if (part.signature !== undefined || part.redacted !== undefined)
      lose('reasoning signature', 'only the provider that created it can read it');
    if (newId && part.text !== undefined) return { id: newId('rs'), type: 'reasoning', summary: summaryOf(part.text) };
    if (part.text !== undefined) lose('reasoning', 'the API accepts only its own reasoning');
    return undefined;
  }
  const [field = 'none', ...lengths] = form.split(' ');
  const kept = own(part.ext, RESPONSES);
  const into = field === 'none' && part.text !== undefined ? 'summary' : field;
  return {
    type: 'reasoning',
    ...kept,
    ...(part.text !== undefined && { [into]: pieces(part.text, lengths.map(Number), KIND[into] ?? 'summary_text') }),
  };
}

const KIND: { readonly [field: string]: string } = { summary: 'summary_text', content: 'reasoning_text' };

const summaryOf = (text: string): JsonObject[] => [{ type: 'summary_text', text }];

/** The pieces that a text was put together from, if it still is; else the text as one. */
function pieces(text: string, lengths: readonly number[], type: string): JsonObject[] {
  const found: string[] = [];
  let at = 0;
  for (const length of lengths) {
    found.push(text.slice(at, at + length));
    at += length + BETWEEN.length;
  }
  const same = found.length > 0 && equal(found.join(BETWEEN), text);
  return (same ? found : [text]).map((piece) => ({ type, text: piece }));
}
