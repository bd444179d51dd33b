// From messages to the steps of a trajectory: results stand in the step that made their calls.

import type { Head, Lose, Message, Part, ToolCallPart, ToolResultPart, Usage } from '../../../conversation/types.ts';
import { sayHead } from '../../../conversion/losses.ts';
import { nameOf } from '../../../dialects/codec/fields.ts';
import { own } from '../../../dialects/codec/residual.ts';
import type { Fresh, Transcript } from '../../../dialects/types.ts';
import type { Json, JsonObject } from '../../../json/values.ts';
import { ATIF } from './name.ts';

export function write({ head, messages, id }: Transcript, fresh: Fresh, lose: Lose): JsonObject[] {
  const { agent, model_name, tool_definitions, ...kept } = own(head.ext, ATIF) ?? {};
  sayHead({ ...head, tools: undefined }, ATIF, lose);
  const steps = writeSteps(messages, head.model, lose);
  const tools = head.tools?.flatMap((tool) => writeTool(tool, lose)) ?? tool_definitions;
  const model = head.model ?? model_name;
  return [
    {
      schema_version: head.form?.[ATIF] ?? (tools === undefined ? 'ATIF-v1.4' : 'ATIF-v1.5'),
      session_id: id ?? fresh.uuid(),
      agent: {
        ...((agent as JsonObject | undefined) ?? { name: 'unknown', version: 'unknown' }),
        ...(model !== undefined && { model_name: model }),
        ...(tools !== undefined && { tool_definitions: tools }),
      },
      steps,
      ...(head.ext?.[ATIF] === undefined && { final_metrics: totals(messages, steps.length) }),
      ...kept,
    },
  ];
}

function writeTool(tool: NonNullable<Head['tools']>[number], lose: Lose): JsonObject[] {
  if (tool.type === 'provider') {
    lose(`tools: ${tool.name}`, 'only its own provider can run it');
    return [];
  }
  const { function: fn, ...more } = own(tool.ext, ATIF) ?? {};
  const { name, description, schema } = tool;
  const about = {
    name,
    ...(description !== undefined && { description }),
    ...(schema !== undefined && { parameters: schema }),
  };
  return [{ type: 'function', ...more, function: { ...(fn as JsonObject), ...about } }];
}

function writeSteps(messages: readonly Message[], model: string | undefined, lose: Lose): JsonObject[] {
  const steps: { message: Message; results: ToolResultPart[] }[] = [];
  let agent: (typeof steps)[number] | undefined;
  for (const message of messages) {
    const results = message.parts.filter((part): part is ToolResultPart => part.type === 'tool_result');
    const others = message.parts.filter((part) => part.type !== 'tool_result');
    const before = agent ?? steps.at(-1);
    if (results.length > 0 && before) before.results.push(...results);
    else if (results.length > 0) steps.push({ message: { ...message, role: 'system', parts: [] }, results });
    if (others.length > 0 || results.length === 0) steps.push({ message: { ...message, parts: others }, results: [] });
    if (message.role === 'assistant') agent = steps.at(-1);
  }
  return steps.map(({ message, results }, i) => writeStep(message, results, i + 1, model, lose));
}

function writeStep(
  message: Message,
  results: readonly ToolResultPart[],
  number: number,
  model: string | undefined,
  lose: Lose,
): JsonObject {
  const { role, parts, by, usage, meta, ext } = message;
  const { step_id, metrics, observation, model_name, source, message: kept, timestamp, ...rest } = own(ext, ATIF) ?? {};
  const foreign = ext?.[ATIF] === undefined;
  if (message.name !== undefined) lose('name', 'steps have no name');
  const time = typeof meta?.time === 'string' ? meta.time : timestamp;
  const calls = parts.filter((part): part is ToolCallPart => part.type === 'tool_call');
  const thoughts = parts.flatMap((part) => (part.type === 'reasoning' && part.text !== undefined ? [part.text] : []));
  const named = model_name === true || (foreign && by?.model !== undefined && by.model !== model);
  const observed = results.length > 0 || observation !== undefined;
  return {
    step_id: step_id ?? number,
    ...(time !== undefined && { timestamp: time }),
    source: source ?? (role === 'assistant' ? 'agent' : role === 'user' || role === 'tool' ? 'user' : 'system'),
    ...(named ? { model_name: by?.model } : model_name !== undefined && { model_name }),
    message: kept ?? writeText(parts, message.form?.[ATIF], lose),
    ...(thoughts.length > 0 && { reasoning_content: thoughts.join('\n\n') }),
    ...(calls.length > 0 && { tool_calls: calls.map((call) => writeCall(call, lose)) }),
    ...(observed && { observation: writeObservation(results, observation, lose) }),
    ...(usage
      ? { metrics: { ...(metrics as JsonObject), ...writeUsage(usage) } }
      : metrics !== undefined && { metrics }),
    ...rest,
  };
}

function writeObservation(results: readonly ToolResultPart[], kept: Json | undefined, lose: Lose): Json {
  if (kept === null) return null;
  return { results: results.map((result) => writeResult(result, lose)), ...(kept as JsonObject | undefined) };
}

function writeText(parts: readonly Part[], form: string | undefined, lose: Lose): Json {
  const said = parts.filter(({ type }) => type !== 'tool_call' && type !== 'reasoning');
  if (form === 'parts' || said.some((part) => part.type === 'native' && part.format === ATIF))
    return said.flatMap((part): JsonObject[] => {
      if (part.type === 'native') return [part.value as JsonObject];
      return part.type === 'text' ? [{ type: 'text', text: part.text }] : [];
    });
  for (const part of parts) sayLost(part, lose);
  return said.flatMap((part) => (part.type === 'text' || part.type === 'refusal' ? [part.text] : [])).join('\n');
}

function sayLost(part: Part, lose: Lose): void {
  if (part.type === 'media') lose(part.kind, 'steps are text');
  if (part.type === 'native') lose(nameOf(part.value), 'only its own API can use it');
  if (part.type === 'reasoning' && (part.signature !== undefined || part.redacted !== undefined))
    lose('reasoning signature', 'only the provider that created it can read it');
}

function writeCall({ id, name, input, text, ext }: ToolCallPart, lose: Lose): JsonObject {
  const { arguments: spelled, ...kept } = own(ext, ATIF) ?? {};
  if (input === undefined) lose('arguments', 'they are not JSON: kept as {"_raw": …}');
  const given = spelled === 'absent' ? {} : { arguments: spelled === null ? null : (input ?? { _raw: text ?? '' }) };
  return { tool_call_id: id, function_name: name, ...given, ...kept };
}

function writeResult(result: ToolResultPart, lose: Lose): JsonObject {
  const { source_call_id, content, ...kept } = own(result.ext, ATIF) ?? {};
  if (result.error) lose('is_error', 'results have no such field');
  if (result.by === 'provider') lose('provider tool result', 'only the provider that created it can read it');
  const id = source_call_id === 'absent' ? {} : { source_call_id: source_call_id === null ? null : result.callId };
  const text =
    content === 'absent'
      ? {}
      : { content: content === null ? null : writeText(result.parts, result.form?.[ATIF], lose) };
  return { ...id, ...text, ...kept };
}

function writeUsage({ input, cacheRead, cacheWrite, output }: Usage): JsonObject {
  const prompt = input === undefined ? undefined : input + (cacheRead ?? 0) + (cacheWrite ?? 0);
  return {
    ...(prompt !== undefined && { prompt_tokens: prompt }),
    ...(output !== undefined && { completion_tokens: output }),
    ...(cacheRead !== undefined && { cached_tokens: cacheRead }),
  };
}

function totals(messages: readonly Message[], count: number): JsonObject {
  const sums = messages.flatMap(({ usage }) => (usage ? [writeUsage(usage)] : []));
  const sum = (field: string) => sums.reduce((all, each) => all + Number(each[field] ?? 0), 0);
  const counted =
    sums.length === 0
      ? undefined
      : {
          total_prompt_tokens: sum('prompt_tokens'),
          total_completion_tokens: sum('completion_tokens'),
          total_cached_tokens: sum('cached_tokens'),
        };
  return { ...counted, total_steps: count };
}
