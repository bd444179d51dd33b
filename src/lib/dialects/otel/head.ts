// Attributes of a span or an event. Values that are no strings may be spelled as JSON text, since not every exporter takes them otherwise.
// https://github.com/open-telemetry/semantic-conventions-genai/blob/main/docs/registry/attributes/gen-ai.md

import type { Head, Lose, Message, Tool } from '../../conversation/types.ts';
import { asArray, isObject, type Json, type JsonObject } from '../../json/values.ts';
import { own, residual } from '../codec/residual.ts';
import type { Request } from '../types.ts';
import { readInstructions } from './messages.ts';
import { INPUT, OTEL, OUTPUT } from './name.ts';
import { writePart } from './parts.ts';

/** The plain parameters: the attribute of each, and the field of the view. */
const PARAMETERS = {
  'gen_ai.request.model': 'model',
  'gen_ai.request.max_tokens': 'maxTokens',
  'gen_ai.request.temperature': 'temperature',
  'gen_ai.request.top_p': 'topP',
  'gen_ai.request.top_k': 'topK',
  'gen_ai.request.seed': 'seed',
  'gen_ai.request.presence_penalty': 'presencePenalty',
  'gen_ai.request.frequency_penalty': 'frequencyPenalty',
  'gen_ai.request.choice.count': 'candidates',
  'gen_ai.request.stop_sequences': 'stop',
} as const satisfies { readonly [attribute: string]: keyof Head };

const INSTRUCTIONS = 'gen_ai.system_instructions';
const TOOLS = 'gen_ai.tool.definitions';

/** A list of texts, or a text alone where models have always one name: as the conventions say. */
function isFitting(field: keyof Head, value: Json | undefined): boolean {
  if (field === 'model') return typeof value === 'string';
  if (field !== 'stop') return typeof value === 'number';
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}

export function readHead(native: JsonObject): Request {
  const { [INPUT]: _i, [INSTRUCTIONS]: instructions, [TOOLS]: definitions, _meta, ...others } = native;
  const head: { [field: string]: unknown } = {};
  const rest: JsonObject = {};
  for (const [attribute, value] of Object.entries(others)) {
    const field = Object.hasOwn(PARAMETERS, attribute) ? PARAMETERS[attribute as keyof typeof PARAMETERS] : undefined;
    if (field !== undefined && isFitting(field, value)) head[field] = value;
    else rest[attribute] = value;
  }
  const told = unwrapped(instructions);
  const tools = readTools(unwrapped(definitions));
  const unread = {
    ...(tools === undefined && { [TOOLS]: definitions }),
    ...(told === undefined && { [INSTRUCTIONS]: instructions }),
  };
  const spelled = [
    typeof instructions === 'string' && told !== undefined ? 'instructions' : '',
    typeof definitions === 'string' && tools ? 'tools' : '',
  ];
  return {
    head: {
      ...(head as Head),
      tools,
      ext: residual(OTEL, {}, { ...rest, ...unread }),
      form: { [OTEL]: spelled.join(' ') },
      meta: isObject(_meta) ? _meta : undefined,
    },
    messages: told === undefined ? [] : readInstructions(told),
  };
}

/** A value, or the one that its text spells. A system prompt may be plain text. */
function unwrapped(value: Json | undefined): Json | undefined {
  if (typeof value !== 'string') return value ?? undefined;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function readTools(native: Json | undefined): Tool[] | undefined {
  if (!Array.isArray(native)) return undefined;
  const tools = native.map((each): Tool | undefined => {
    if (!isObject(each) || typeof each.name !== 'string') return undefined;
    const { type, name, description, parameters, ...others } = each;
    const rest: Record<never, never> = others;
    return {
      type: 'function',
      name,
      ...(typeof description === 'string' && { description }),
      ...(parameters !== undefined && { schema: parameters }),
      ext: residual(OTEL, rest, { type: type === 'function' ? undefined : type }),
    };
  });
  return tools.every((tool) => tool !== undefined) ? tools : undefined;
}

export function writeHead(
  head: Head,
  system: readonly Message[],
  lose: Lose,
): { native: JsonObject; rest: readonly Message[] } {
  const spelled = head.form?.[OTEL]?.split(' ') ?? [];
  const spell = (value: Json, name: string): Json => (spelled.includes(name) ? JSON.stringify(value) : value);
  const parameters = Object.entries(PARAMETERS).map(([attribute, field]) => [attribute, head[field as keyof Head]]);
  for (const field of LOST) if (head[field] !== undefined && head[field] !== null) lose(field, 'no attribute holds it');
  for (const { name } of system) if (name !== undefined) lose('name', 'instructions have none');
  const parts = system.flatMap((message) => message.parts.flatMap((part) => writePart(part, lose)));
  const native = {
    ...head.extra,
    ...Object.fromEntries(parameters.filter(([, value]) => value !== undefined && value !== null)),
    ...(system.length > 0 && { [INSTRUCTIONS]: spell(parts, 'instructions') }),
    ...(head.tools && {
      [TOOLS]: spell(
        head.tools.flatMap((tool) => writeTool(tool, lose)),
        'tools',
      ),
    }),
    ...own(head.ext, OTEL),
    ...(head.meta && { _meta: head.meta }),
  };
  return { native, rest: [] };
}

const LOST = [
  'toolChoice',
  'parallelToolCalls',
  'responseFormat',
  'reasoning',
  'stream',
  'user',
  'metadata',
  'serviceTier',
  'cache',
] as const satisfies readonly (keyof Head)[];

function writeTool(tool: Tool, lose: Lose): JsonObject[] {
  if (tool.type === 'provider') {
    lose(`tools: ${tool.name}`, 'only its own provider can run it');
    return [];
  }
  const { name, description, schema, strict, cache } = tool;
  if (typeof strict === 'boolean') lose('tools: strict', 'definitions have no such field');
  if (cache) lose('tools: cache_control', 'a trace has no breakpoints');
  const about = {
    ...(description !== undefined && { description }),
    ...(schema !== undefined && { parameters: schema }),
  };
  return [{ type: 'function', name, ...about, ...own(tool.ext, OTEL) }];
}

/** All messages of a span in one list: what went in, and what came out. Each may be spelled as JSON text. */
export function joined(native: JsonObject): JsonObject {
  const { [INPUT]: input, [OUTPUT]: output, ...rest } = native;
  const lists = [input, output].map(unwrapped).filter((each) => each !== undefined);
  return { ...rest, [INPUT]: lists.flatMap((list) => asArray<Json>(list, INPUT)) };
}
