// From the steps of a trajectory to messages.

import type { Message, Part, Tool, ToolResultPart, Usage } from '../../../conversation/types.ts';
import { residual } from '../../../dialects/codec/residual.ts';
import { timeMeta } from '../../../dialects/codec/timestamps.ts';
import type { LogOptions, Transcript } from '../../../dialects/types.ts';
import type { Rec } from '../../../json/record.ts';
import { isObject, type Json, type JsonObject } from '../../../json/values.ts';
import { findSelected } from '../../select.ts';
import { ATIF } from './name.ts';

export function read(records: readonly Rec[], { select }: LogOptions): Transcript[] {
  return records.flatMap((rec) => {
    if (!isObject(rec.value)) return [];
    const { session_id } = rec.value;
    const names = [{ rec, ids: [typeof session_id === 'string' ? session_id : undefined] }];
    return select !== undefined && findSelected(select, names) < 0 ? [] : [transcript(rec.value)];
  });
}

const unnamed = (rest: JsonObject): Record<never, never> => rest;

function transcript(native: JsonObject): Transcript {
  const { schema_version, session_id, agent, steps, ...rest } = native;
  const { model_name, tool_definitions, ...about } = isObject(agent) ? agent : {};
  const tools = readTools(tool_definitions);
  const model = typeof model_name === 'string' ? model_name : undefined;
  const list = (Array.isArray(steps) ? steps : []).filter(isObject);
  const kept = {
    agent: about,
    ...(tools === undefined && { tool_definitions }),
    ...(model === undefined && { model_name }),
  };
  return {
    head: {
      ...(model !== undefined && { model }),
      ...(tools && { tools }),
      ext: residual(ATIF, unnamed(rest), kept),
      form: { [ATIF]: String(schema_version) },
    },
    messages: list.flatMap((step, i) => readStep(step, i + 1, model)),
    ...(typeof session_id === 'string' && { id: session_id }),
  };
}

function readTools(native: Json | undefined): Tool[] | undefined {
  if (!Array.isArray(native)) return undefined;
  const tools = native.map((each): Tool | undefined => {
    const fn = isObject(each) && isObject(each.function) ? each.function : undefined;
    if (!isObject(each) || fn === undefined || typeof fn.name !== 'string') return undefined;
    const { function: _, type: __, ...more } = each;
    const { name, description, parameters, ...rest } = fn;
    return {
      type: 'function',
      name: String(name),
      ...(typeof description === 'string' && { description }),
      ...(parameters !== undefined && { schema: parameters }),
      ext: residual(ATIF, unnamed(more), { function: Object.keys(rest).length > 0 ? rest : undefined }),
    };
  });
  return tools.every((tool) => tool !== undefined) ? tools : undefined;
}

const ROLES = { user: 'user', system: 'system', agent: 'assistant' } as const;

/** A step of the agent, with what it observed; or what the user or the system said. */
function readStep(step: JsonObject, number: number, model: string | undefined): Message[] {
  const {
    step_id,
    source,
    message,
    reasoning_content,
    tool_calls,
    observation,
    timestamp,
    model_name,
    metrics,
    ...rest
  } = step;
  const role = source === 'user' || source === 'system' || source === 'agent' ? ROLES[source] : 'user';
  const calls = (Array.isArray(tool_calls) ? tool_calls : []).filter(isObject).map(readCall);
  const parts: Part[] = [...readReasoning(reasoning_content), ...readText(message), ...calls];
  const { results, ...more } = isObject(observation) ? observation : {};
  const observed = (Array.isArray(results) ? results : []).filter(isObject).map((result) => readResult(result, calls));
  const { prompt_tokens, completion_tokens, cached_tokens, ...others } = isObject(metrics) ? metrics : {};
  const counted = [prompt_tokens, completion_tokens, cached_tokens].filter((count) => count !== undefined);
  const by = typeof model_name === 'string' ? model_name : role === 'assistant' ? model : undefined;
  const kept = {
    step_id: step_id === number ? undefined : step_id,
    metrics: isObject(metrics) ? filled(others, counted.length > 0) : metrics,
    observation: isObject(observation) ? filled(more, observed.length > 0) : observation,
    timestamp: timeMeta(timestamp) ? undefined : timestamp,
    model_name: typeof model_name === 'string' ? true : model_name,
    tool_calls: Array.isArray(tool_calls) ? (tool_calls.length === 0 ? [] : undefined) : tool_calls,
    reasoning_content:
      typeof reasoning_content === 'string' && reasoning_content !== '' ? undefined : reasoning_content,
    message: typeof message === 'string' || isTexts(message) ? undefined : message,
    source: role === 'user' && source !== 'user' ? source : undefined,
  };
  const meta = timeMeta(timestamp);
  const said: Message = {
    role,
    parts,
    ...(by !== undefined && { by: { model: by } }),
    ...(isObject(metrics) && { usage: readUsage(prompt_tokens, completion_tokens, cached_tokens) }),
    ...(meta && { meta }),
    ext: residual(ATIF, unnamed(rest), kept),
    form: { [ATIF]: isTexts(message) ? 'parts' : 'string' },
  };
  return [said, ...observed.map((part): Message => ({ role: 'tool', parts: [part], ...(meta && { meta }) }))];
}

/** What is left of an object, unless nothing is left and the rest says that it was there. */
function filled(rest: JsonObject, said: boolean): JsonObject | undefined {
  return said && Object.keys(rest).length === 0 ? undefined : rest;
}

const isTexts = (message: Json | undefined): boolean =>
  Array.isArray(message) &&
  message.every(
    (part) => isObject(part) && part.type === 'text' && typeof part.text === 'string' && Object.keys(part).length === 2,
  );

function readText(message: Json | undefined): Part[] {
  if (typeof message === 'string') return message === '' ? [] : [{ type: 'text', text: message }];
  if (!Array.isArray(message)) return [];
  return message
    .filter(isObject)
    .map(
      (part): Part =>
        part.type === 'text' && typeof part.text === 'string'
          ? { type: 'text', text: part.text }
          : { type: 'native', format: ATIF, value: part },
    );
}

const readReasoning = (text: Json | undefined): Part[] =>
  typeof text === 'string' && text !== '' ? [{ type: 'reasoning', text }] : [];

function readCall({
  tool_call_id,
  function_name,
  arguments: input,
  ...rest
}: JsonObject): Part & { type: 'tool_call' } {
  const ext = residual(ATIF, unnamed(rest), {
    arguments: input === undefined || input === null ? (input ?? 'absent') : undefined,
  });
  return {
    type: 'tool_call',
    id: String(tool_call_id ?? ''),
    name: String(function_name ?? 'tool'),
    input: input ?? {},
    ext,
  };
}

/** A result names its call; one that does not answers the only call of its step. */
function readResult(native: JsonObject, calls: readonly { readonly id: string }[]): ToolResultPart {
  const { source_call_id, content, ...rest } = native;
  const [only, ...others] = calls;
  const named = typeof source_call_id === 'string' ? source_call_id : undefined;
  return {
    type: 'tool_result',
    callId: named ?? (others.length === 0 ? (only?.id ?? '') : ''),
    parts: readText(content),
    ext: residual(ATIF, unnamed(rest), {
      source_call_id: named === undefined ? (source_call_id ?? 'absent') : undefined,
      content: content === undefined ? 'absent' : content === null ? null : undefined,
    }),
    form: { [ATIF]: isTexts(content) ? 'parts' : 'string' },
  };
}

/** The prompt includes what was cached. */
function readUsage(prompt: Json | undefined, completion: Json | undefined, cached: Json | undefined): Usage {
  const count = (value: Json | undefined) => (typeof value === 'number' ? value : undefined);
  const [all, read] = [count(prompt), count(cached)];
  return {
    input: all === undefined ? undefined : Math.max(0, all - (read ?? 0)),
    cacheRead: read,
    output: count(completion),
  };
}
