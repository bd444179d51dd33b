// pi's messages. https://github.com/badlogic/pi-mono/blob/main/packages/ai/src/types.ts

import { readMeta } from '../../../conversation/meta.ts';
import type { Message, Part, Stop, Usage } from '../../../conversation/types.ts';
import { lookup } from '../../../dialects/codec/fields.ts';
import { isObject, type Json, type JsonObject } from '../../../json/values.ts';
import { NO_MODEL } from '../../log-writing.ts';
import { PI } from './name.ts';

/** A message of the log, or undefined for one that says nothing to a model. */
export function readMessage(
  native: JsonObject,
  time: JsonObject | undefined,
  ours: Json | undefined,
): Message | undefined {
  const told = readMeta(isObject(ours) || time ? { ...time, ...(isObject(ours) && ours) } : undefined);
  const message = readRole(native);
  if (message === undefined || message.parts.length === 0) return undefined;
  return { ...message, ...told };
}

function readRole(native: JsonObject): Message | undefined {
  switch (native.role) {
    case 'user':
    case 'custom':
    case 'hookMessage':
      return { role: 'user', parts: readText(native.content) };
    case 'assistant':
      return readAssistant(native);
    case 'toolResult':
      return readResult(native);
    case 'bashExecution':
      return native.excludeFromContext === true ? undefined : readExecution(native);
    case 'branchSummary':
    case 'compactionSummary':
      return { role: 'user', parts: readText(native.summary) };
    default:
      return undefined;
  }
}

/** A string, or a list of texts and images. */
export function readText(content: Json | undefined): Part[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  if (!Array.isArray(content)) return [];
  return content.filter(isObject).flatMap((part): Part[] => {
    if (part.type === 'text' && typeof part.text === 'string') return [{ type: 'text', text: part.text }];
    if (part.type === 'image' && typeof part.data === 'string') return [image(part.data, part.mimeType)];
    return [];
  });
}

function image(data: string, mime: Json | undefined): Part {
  return { type: 'media', kind: 'image', source: { type: 'data', data, ...(typeof mime === 'string' && { mime }) } };
}

function readAssistant(native: JsonObject): Message {
  const { content, api, provider, model, usage, stopReason, responseId } = native;
  const parts = (Array.isArray(content) ? content : []).filter(isObject).flatMap((part) => readPart(part, apiOf(api)));
  const by = model === NO_MODEL ? undefined : text({ provider, api: apiOf(api), model });
  return {
    role: 'assistant',
    parts,
    ...(typeof responseId === 'string' && { id: responseId }),
    ...(by && { by }),
    ...(typeof stopReason === 'string' && { stop: readStop(stopReason) }),
    ...(isObject(usage) && isCounted(usage) && { usage: readUsage(usage) }),
  };
}

/** pi's names for APIs, and ours. */
const APIS: { readonly [api: string]: string } = {
  'anthropic-messages': 'anthropic',
  'openai-completions': 'openai',
  'openai-responses': 'openai-responses',
  'azure-openai-responses': 'openai-responses',
  'openai-codex-responses': 'openai-responses',
  'bedrock-converse-stream': 'bedrock',
  'google-generative-ai': 'gemini',
  'google-gemini-cli': 'gemini',
  'google-vertex': 'gemini',
};

const apiOf = (api: Json | undefined): Json | undefined => (typeof api === 'string' ? (APIS[api] ?? api) : undefined);

function text(fields: { readonly [field: string]: Json | undefined }): { [field: string]: string } | undefined {
  const entries = Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

/** The APIs whose signatures are Claude's. */
const SIGNING: ReadonlySet<unknown> = new Set(['anthropic', 'bedrock']);
const CLAUDES = { form: { anthropic: 'thinking' } };

function readPart(part: JsonObject, api: Json | undefined): Part[] {
  if (part.type === 'thinking') {
    const { thinking, thinkingSignature } = part;
    // An empty thought without a signature says nothing.
    if (!thinking && !thinkingSignature) return [];
    return [
      {
        type: 'reasoning',
        text: String(thinking ?? ''),
        ...(typeof thinkingSignature === 'string' && {
          signature: thinkingSignature,
          ...(SIGNING.has(api) && CLAUDES),
        }),
      },
    ];
  }
  if (part.type === 'toolCall') {
    const { id, name, arguments: input, thoughtSignature } = part;
    const ext = typeof thoughtSignature === 'string' ? { ext: { [PI]: { thoughtSignature } } } : undefined;
    return [{ type: 'tool_call', id: String(id ?? ''), name: String(name ?? 'tool'), input: input ?? {}, ...ext }];
  }
  return readText([part]);
}

const STOPS: { readonly [reason: string]: Stop['reason'] } = {
  stop: 'stop',
  length: 'length',
  toolUse: 'tool_calls',
  error: 'error',
  aborted: 'error',
};

const readStop = (raw: string): Stop => ({ reason: lookup(STOPS, raw) ?? 'other', raw });

/** Old logs say 0 where they know nothing. */
const isCounted = (usage: JsonObject): boolean =>
  Object.values(usage).some((value) => typeof value === 'number' && value > 0);

function readUsage({ input, output, cacheRead, cacheWrite }: JsonObject): Usage {
  const count = (value: Json | undefined) => (typeof value === 'number' ? value : undefined);
  return { input: count(input), output: count(output), cacheRead: count(cacheRead), cacheWrite: count(cacheWrite) };
}

function readResult({ toolCallId, toolName, content, isError }: JsonObject): Message {
  const result: Part = {
    type: 'tool_result',
    callId: String(toolCallId ?? ''),
    ...(typeof toolName === 'string' && { name: toolName }),
    parts: readText(content),
    ...(isError === true && { error: true }),
  };
  return { role: 'tool', parts: [result] };
}

/** A command that the person ran. */
function readExecution({ command, output, exitCode, cancelled }: JsonObject): Message {
  const shown = output ? `\`\`\`\n${output}\n\`\`\`` : '(no output)';
  const ended = cancelled === true ? '\n\n(cancelled)' : exitCode ? `\n\nIt ended with status ${exitCode}` : '';
  return { role: 'user', parts: [{ type: 'text', text: `Ran \`${command}\`\n${shown}${ended}` }] };
}
