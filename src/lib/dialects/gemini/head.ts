// The request body without its contents: https://ai.google.dev/api/generate-content#request-body

import type { Head, Lose, Message, Part } from '../../conversation/types.ts';
import { isObject, type Json, type JsonObject } from '../../json/values.ts';
import { chosenFrom } from '../codec/head-fields.ts';
import { parametersOf, passedOn } from '../codec/parameters.ts';
import { own, residual } from '../codec/residual.ts';
import type { Request } from '../types.ts';
import { readConfig, writeConfig } from './config.ts';
import { GEMINI } from './name.ts';
import { readParts } from './read-content.ts';
import { fromCamel, toCamel } from './spelling.ts';
import { readToolConfig, readTools, writeToolConfig, writeTools } from './tools.ts';
import type { BodyFields, ContentFields } from './types.ts';
import { writeParts } from './write-content.ts';

/** How a head was spelled: its names in snake_case, and a schema of the older kind. */
interface Spelling {
  readonly names: readonly string[];
  readonly schema?: Json;
}

export function readHead(native: JsonObject): Request {
  const { value, names } = toCamel(native);
  const {
    contents: _c,
    model,
    systemInstruction,
    tools,
    toolConfig,
    generationConfig,
    _meta,
    ...more
  } = value as BodyFields;
  const { safetySettings, cachedContent, labels, serviceTier, continuationToken, store, ...last } = more;
  const { modelArmorConfig, outputConfig, ...rest } = last;
  const config = readConfig(generationConfig);
  const { choice, rest: configLeft } = readToolConfig(toolConfig);
  const system = readSystem(systemInstruction);
  const kept = { safetySettings, cachedContent, labels, serviceTier, continuationToken, store, modelArmorConfig };
  const unread = {
    generationConfig: config.rest ?? (isObject(generationConfig) ? undefined : generationConfig),
    toolConfig: configLeft ?? (choice || isObject(toolConfig) ? undefined : toolConfig),
    systemInstruction: system ? undefined : systemInstruction,
  };
  const spelling: Spelling = { names, ...(config.schema !== undefined && { schema: config.schema }) };
  const head: Head = {
    ...config.head,
    model,
    tools: readTools(tools),
    toolChoice: choice,
    extra: passedOn(rest),
    ext: residual(GEMINI, {}, { ...kept, outputConfig, ...parametersOf(rest), ...unread }),
    form: { [GEMINI]: JSON.stringify(spelling) },
    meta: _meta as JsonObject,
  };
  return { head, messages: system ? [system] : [] };
}

/** A content, or (as the SDK takes it) a string. */
function readSystem(native: unknown): Message | undefined {
  if (typeof native === 'string')
    return { role: 'system', parts: [{ type: 'text', text: native }], form: { [GEMINI]: 'string' } };
  if (!isObject(native)) return undefined;
  const { role, parts, _meta, ...rest } = native as ContentFields;
  if (parts !== undefined && !Array.isArray(parts)) return undefined;
  const form = { [GEMINI]: ['content', role ?? '', ...(parts === undefined ? ['absent'] : [])].join(' ') };
  return { role: 'system', parts: readParts(parts), form, ext: residual(GEMINI, { ...rest } as Record<never, never>) };
}

/** Leading system messages become the system instruction, a part for each of theirs. The URL says whether the reply is streamed. */
export function writeHead(
  head: Head,
  system: readonly Message[],
  lose: Lose,
): { native: JsonObject; rest: readonly Message[] } {
  const { names, schema }: Spelling = readSpelling(head.form?.[GEMINI]);
  sayUnknown(head, lose);
  const kept = own(head.ext, GEMINI) ?? {};
  const { generationConfig: _g, toolConfig, ...others } = kept;
  const config = writeConfig(head, schema, lose);
  const instruction = writeSystem(system, lose);
  const { tools, toolChoice } = chosenFrom(head, head.tools && writeTools(head.tools, lose));
  const calling = writeToolConfig({ ...head, toolChoice }, toolConfig as JsonObject | undefined, lose);
  const native = {
    ...head.extra,
    ...(head.model !== undefined && { model: head.model }),
    ...others,
    ...(instruction !== undefined && { systemInstruction: instruction }),
    ...(tools && { tools }),
    ...(calling && { toolConfig: calling }),
    ...(config && { generationConfig: config }),
    ...(head.meta && { _meta: head.meta }),
  };
  return { native: fromCamel(native, names), rest: [] };
}

function readSpelling(form: string | undefined): Spelling {
  return form === undefined ? { names: [] } : (JSON.parse(form) as Spelling);
}

function writeSystem(system: readonly Message[], lose: Lose): Json | undefined {
  const [first] = system;
  for (const { name } of system) if (name !== undefined) lose('name', 'a system instruction has none');
  if (first === undefined) return undefined;
  const [form, role = '', absent] = (system.length === 1 && first.form?.[GEMINI]?.split(' ')) || [];
  const parts = writeParts(
    system.flatMap((message) => message.parts.filter((part) => isText(part, lose))),
    lose,
  );
  const [part] = parts;
  if (form === 'string' && parts.length === 1 && Object.keys(part ?? {}).length === 1) return part?.text;
  const own_ = system.length === 1 ? own(first.ext, GEMINI) : undefined;
  const list = absent && parts.length === 0 ? {} : { parts };
  if (form === undefined && parts.length === 0) return undefined;
  return { ...own_, ...(role !== '' && { role }), ...list };
}

/** A prompt is text; what else another dialect has in it is lost. */
function isText(part: Part, lose: Lose): boolean {
  if (part.type === 'text' || part.type === 'native' || part.form?.[GEMINI] !== undefined) return true;
  lose(part.type === 'media' ? part.kind : part.type, 'a system instruction is text');
  return false;
}

function sayUnknown(head: Head, lose: Lose): void {
  const unknown = {
    stream: head.stream || undefined,
    user: head.user,
    metadata: head.metadata,
    service_tier: head.serviceTier,
    parallel_tool_calls: head.parallelToolCalls === false ? false : undefined,
  };
  for (const [name, value] of Object.entries(unknown))
    if (value !== undefined && value !== null)
      lose(name, name === 'stream' ? 'it is part of the URL' : 'the API has no such parameter');
  if (head.cache) lose('cache_control', 'the API caches automatically');
}
