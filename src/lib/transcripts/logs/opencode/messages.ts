// Messages and their parts. One message holds all steps of a turn: what the model wrote, the calls and their results.

import type { Lose, Message, Part, Stop, ToolResultPart, Usage } from '../../../conversation/types.ts';
import { readUrl } from '../../../dialects/codec/data-url.ts';
import { isoTime } from '../../../dialects/codec/timestamps.ts';
import { isObject, type Json, type JsonObject } from '../../../json/values.ts';
import type { Message as Native } from './objects.ts';

export function readMessage({ info, parts }: Native, lose: Lose): Message[] {
  const created = isObject(info.time) ? isoTime(info.time.created) : undefined;
  const told = created === undefined ? {} : { meta: { time: created } };
  if (info.role === 'user') return readUser(parts, told, lose);
  return info.role === 'assistant' ? readTurn(info, parts, told, lose) : [];
}

function readUser(parts: readonly JsonObject[], told: Partial<Message>, lose: Lose): Message[] {
  const read = parts.flatMap((part): Part[] => {
    // As opencode asks for the summary.
    if (part.type === 'compaction') return [{ type: 'text', text: 'What did we do so far?' }];
    return part.ignored === true ? [] : readPart(part, lose);
  });
  return read.length > 0 ? [{ role: 'user', parts: read, ...told }] : [];
}

interface Step {
  readonly parts: Part[];
  readonly results: ToolResultPart[];
  usage?: Usage;
}

/** Each step becomes a reply and its results. */
function readTurn(info: JsonObject, parts: readonly JsonObject[], told: Partial<Message>, lose: Lose): Message[] {
  const marked = parts.some(({ type }) => type === 'step-start');
  const steps: Step[] = [{ parts: [], results: [] }];
  for (const part of parts) {
    const step = steps.at(-1) as Step;
    const { type } = part;
    // Without marks, what was written after a result was written after reading it.
    const next =
      type === 'step-start' || (!marked && step.results.length > 0 && (type === 'text' || type === 'reasoning'));
    const into: Step = next && step.parts.length > 0 ? { parts: [], results: [] } : step;
    if (into !== step) steps.push(into);
    if (type === 'tool') readTool(part, into);
    else if (type === 'step-finish' && isObject(part.tokens)) into.usage = readTokens(part.tokens);
    else into.parts.push(...readPart(part, lose));
  }
  const last = steps.findLast(({ parts: each }) => each.length > 0);
  const counted = steps.some(({ usage }) => usage);
  const by = readBy(info);
  return steps.flatMap((step): Message[] => {
    if (step.parts.length === 0) return [];
    const usage = counted ? step.usage : step === last && isObject(info.tokens) ? readTokens(info.tokens) : undefined;
    const stop = step === last ? readStop(info) : undefined;
    const reply: Message = {
      role: 'assistant',
      parts: step.parts,
      ...(step === last && typeof info.id === 'string' && { id: info.id }),
      ...(by && { by }),
      ...(stop && { stop }),
      ...(usage && { usage }),
      ...told,
    };
    return [reply, ...step.results.map((result): Message => ({ role: 'tool', parts: [result], ...told }))];
  });
}

function readBy(info: JsonObject): Message['by'] {
  const model = isObject(info.model) ? info.model : info;
  const { providerID, modelID } = model;
  if (typeof modelID !== 'string') return undefined;
  return { ...(typeof providerID === 'string' && { provider: providerID }), model: modelID };
}

const STOPS: { readonly [reason: string]: Stop['reason'] } = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'tool_calls',
  'content-filter': 'content_filter',
};

function readStop({ error, finish }: JsonObject): Stop | undefined {
  if (isObject(error)) return { reason: 'error', raw: typeof error.name === 'string' ? error.name : 'error' };
  return typeof finish === 'string' ? { reason: STOPS[finish] ?? 'other', raw: finish } : undefined;
}

function readTokens({ input, output, reasoning, cache }: JsonObject): Usage {
  const count = (value: Json | undefined) => (typeof value === 'number' ? value : undefined);
  const { read, write } = isObject(cache) ? cache : {};
  return {
    input: count(input),
    cacheRead: count(read),
    cacheWrite: count(write),
    output: count(output),
    reasoning: count(reasoning),
  };
}

/** A call and, if it came to an end, its result. One that was interrupted stays open. */
function readTool({ callID, id, tool, state }: JsonObject, { parts, results }: Step): void {
  const { status, input, output, error, attachments, time } = isObject(state) ? state : {};
  const callId = String(callID ?? id ?? '');
  const name = typeof tool === 'string' ? tool : 'tool';
  parts.push({ type: 'tool_call', id: callId, name, input: input ?? {} });
  const failed = status === 'error';
  const text = failed ? (error ?? output) : output;
  if (text === undefined && !failed && status !== 'completed' && status !== 'success') return;
  const pruned = isObject(time) && time.compacted !== undefined && time.compacted !== null;
  const shown = pruned
    ? '[Old tool result content cleared]'
    : typeof text === 'string'
      ? text
      : JSON.stringify(text ?? '');
  const files = (Array.isArray(attachments) && !pruned ? attachments : []).filter(isObject).flatMap(readFile);
  results.push({
    type: 'tool_result',
    callId,
    name,
    parts: [...(shown === '' ? [] : [{ type: 'text' as const, text: shown }]), ...files],
    ...(failed && { error: true }),
  });
}

/** Parts that keep the books: they say nothing to a model. */
const SILENT = new Set<unknown>([
  'compaction',
  'step-start',
  'step-finish',
  'snapshot',
  'patch',
  'agent',
  'retry',
  'subtask',
]);

function readPart(part: JsonObject, lose: Lose): Part[] {
  const { type, text } = part;
  if (type === 'text') return typeof text === 'string' && text !== '' ? [{ type: 'text', text }] : [];
  if (type === 'reasoning') return typeof text === 'string' && text !== '' ? [{ type: 'reasoning', text }] : [];
  if (type === 'file') {
    const files = readFile(part);
    if (files.length === 0) lose('file', 'the log names it without its content');
    return files;
  }
  if (!SILENT.has(type)) lose(String(type), 'only opencode can read it');
  return [];
}

/** A file whose bytes are there, or that has an address on the web. */
function readFile({ url, mime, filename }: JsonObject): Part[] {
  if (typeof url !== 'string' || !/^(data:|https?:)/.test(url.slice(0, 8))) return [];
  const family = typeof mime === 'string' ? mime.split('/')[0] : undefined;
  const kind = family === 'image' || family === 'audio' || family === 'video' ? family : 'document';
  return [{ type: 'media', kind, source: readUrl(url), ...(typeof filename === 'string' && { name: filename }) }];
}
