// Which records are Bedrock's: its blocks are unions with one key each, and have no type.
import { isObject, type Json, type JsonObject } from '../../json/values.ts';
import { type Claim, claim } from '../types.ts';
import { isKind } from './kinds.ts';

export function recognise(value: JsonObject): Claim | undefined {
  if (value.type !== undefined) return undefined;
  if (isObject(value.output) && isObject(value.output.message)) return claim('reply', true);
  if (typeof value.role === 'string') return message(value);
  if (Array.isArray(value.messages)) return conversation(value, value.messages);
  return head(value);
}

function message({ role, content }: JsonObject): Claim | undefined {
  if ((role !== 'user' && role !== 'assistant' && role !== 'system') || !Array.isArray(content)) return undefined;
  let sure = false;
  for (const block of content) {
    if (!isObject(block) || typeof block.type === 'string') return undefined;
    sure ||= Object.keys(block).some(isKind);
  }
  return claim('message', sure);
}

/** Surely Bedrock's as soon as one message is, since each of them says so. */
function conversation(value: JsonObject, messages: readonly unknown[]): Claim | undefined {
  let sure = head(value)?.sure === true;
  for (const item of messages) {
    if (sure) break;
    const found = isObject(item) && typeof item.role === 'string' ? message(item) : undefined;
    if (found === undefined) return undefined;
    sure = found.sure;
  }
  return claim('conversation', sure);
}

const ONLY_HERE = [
  'modelId',
  'inferenceConfig',
  'toolConfig',
  'outputConfig',
  'additionalModelRequestFields',
  'additionalModelResponseFieldPaths',
  'guardrailConfig',
  'performanceConfig',
  'promptVariables',
  'requestMetadata',
];

/** Gemini's requests have a `toolConfig` too, and hold their messages elsewhere. */
function head(value: JsonObject): Claim | undefined {
  if ('contents' in value || 'generationConfig' in value || 'systemInstruction' in value) return undefined;
  if (isObject(value.toolConfig) && 'functionCallingConfig' in value.toolConfig) return undefined;
  if (ONLY_HERE.some((field) => field in value)) return claim('head', true);
  const [block] = Array.isArray(value.system) ? value.system : [];
  const isOwn = isObject(block) && block.type === undefined && Object.keys(block).some(isKind);
  return isOwn ? claim('head', true) : undefined;
}

/** An event of ConverseStream as JSON: the SDKs give it so. https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html */
export const recogniseEvent = (event: JsonObject): boolean =>
  EVENTS.some((kind) => isObject(event[kind])) || isMetadata(event.metadata) || isException(event);

const isMetadata = (value: Json | undefined): boolean =>
  isObject(value) && (isObject(value.metrics) || (isObject(value.usage) && 'inputTokens' in value.usage));

function isException(event: JsonObject): boolean {
  for (const kind in event) return kind.endsWith('Exception') && isObject(event[kind]);
  return false;
}

const EVENTS = ['messageStart', 'contentBlockStart', 'contentBlockDelta', 'contentBlockStop', 'messageStop'];
