// What gateways add to OpenAI's dialect, in the words of the view: breakpoints beside a message, and thoughts with their signatures.
// LiteLLM: https://docs.litellm.ai/docs/reasoning_content; OpenRouter: https://openrouter.ai/docs/guides/best-practices/reasoning-tokens

import { HAS } from '../../conversation/message-traits.ts';
import type { Cache, FormatName, Message, Part, ReasoningPart } from '../../conversation/types.ts';
import { type Adaptation, eachMessage } from '../../conversion/adaptation.ts';
import { constraintsOf } from '../../dialects/table.ts';
import { isObject, type Json, type JsonObject } from '../../json/values.ts';

/** For a conversation on its way into another dialect. Thoughts come along to the APIs that can check their signatures. */
export function fromGateways(to: FormatName): Adaptation {
  if (constraintsOf(to).otherServers) return eachMessage((head) => head, withFields, HAS.ext);
  const checks = constraintsOf(to).signedThoughts;
  return eachMessage(
    (head) => head,
    (message) => {
      const kept = message.ext?.openai;
      if (kept === undefined) return message;
      const cached = kept.cache_control === undefined ? message : withBreakpoint(message, kept.cache_control);
      return checks && message.role === 'assistant' ? withThoughts(cached) : cached;
    },
    HAS.ext,
  );
}

/** Clients that keep OpenAI's fields on Anthropic's messages: Roo Code's `reasoning_content` and `reasoning_details`. */
function withFields(message: Message): Message {
  const { reasoning_content, reasoning_details, ...kept } = message.ext?.anthropic ?? {};
  if (message.role !== 'assistant' || (reasoning_content === undefined && reasoning_details === undefined))
    return message;
  const text = typeof reasoning_content === 'string' ? reasoning_content : undefined;
  const thought: Part[] =
    text === undefined ? [] : [{ type: 'reasoning', text, form: { openai: 'reasoning_content' } }];
  const openai = { ...message.ext?.openai, ...(reasoning_details !== undefined && { reasoning_details }) };
  return { ...message, parts: [...thought, ...message.parts], ext: { ...message.ext, anthropic: kept, openai } };
}

/** A breakpoint beside a message stands behind its last part. */
function withBreakpoint(message: Message, control: Json | undefined): Message {
  const cache = readBreakpoint(control);
  const at = message.parts.findLastIndex(
    (part) => part.type !== 'native' && part.type !== 'reasoning' && part.type !== 'tool_call',
  );
  const part = message.parts[at];
  const rest = without(message, 'cache_control');
  if (cache === undefined || part === undefined || part.type === 'native') return rest;
  return { ...rest, parts: message.parts.with(at, { ...part, cache: part.cache ?? cache }) };
}

/** Only what Anthropic takes: a lifetime that it does not know is left out. */
function readBreakpoint(control: Json | undefined): Cache | undefined {
  if (!isObject(control) || control.type !== 'ephemeral') return undefined;
  return control.ttl === '5m' || control.ttl === '1h' ? { ttl: control.ttl } : {};
}

function withThoughts(message: Message): Message {
  const { thinking_blocks, reasoning_details } = message.ext?.openai ?? {};
  const thoughts = [...blocksIn(thinking_blocks), ...detailsIn(reasoning_details)];
  if (thoughts.length === 0) return message;
  // The same thoughts stand in a field of their own too, unsigned.
  const said = message.parts.filter((part) => part.type !== 'reasoning' || part.signature !== undefined);
  return { ...without(message, 'thinking_blocks', 'reasoning_details'), parts: [...thoughts, ...said] };
}

const objectsIn = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** Thinking that Anthropic signed. */
const CLAUDES = { anthropic: 'thinking' };

/** LiteLLM's `thinking_blocks` are Anthropic's own blocks. */
function blocksIn(value: Json | undefined): Part[] {
  return objectsIn(value).flatMap(({ type, thinking, signature, data }): Part[] => {
    if (type === 'redacted_thinking' && typeof data === 'string')
      return [{ type: 'reasoning', redacted: data, form: CLAUDES }];
    if (type !== 'thinking' || typeof thinking !== 'string' || typeof signature !== 'string') return [];
    return [{ type: 'reasoning', text: thinking, signature, form: CLAUDES }];
  });
}

const CLAUDE = 'anthropic-claude-v1';

/** OpenRouter's `reasoning_details`, as far as Anthropic signed them. */
function detailsIn(value: Json | undefined): Part[] {
  return objectsIn(value).flatMap(({ type, format, text, signature, data }): Part[] => {
    if (format !== CLAUDE) return [];
    if (type === 'reasoning.encrypted' && typeof data === 'string')
      return [{ type: 'reasoning', redacted: data, form: CLAUDES }];
    if (type !== 'reasoning.text' || typeof signature !== 'string') return [];
    return [{ type: 'reasoning', text: typeof text === 'string' ? text : '', signature, form: CLAUDES }];
  });
}

function without(message: Message, ...fields: string[]): Message {
  const entries = Object.entries(message.ext?.openai ?? {}).filter(([field]) => !fields.includes(field));
  const { openai: _, ...others } = message.ext ?? {};
  const ext = entries.length > 0 ? { ...others, openai: Object.fromEntries(entries) } : others;
  return { ...message, ext: Object.keys(ext).length > 0 ? ext : undefined };
}

/** Signed thoughts of Claude as OpenRouter takes them back: https://openrouter.ai/docs/guides/best-practices/reasoning-tokens */
export function asDetails(message: Message): Message {
  const signed = message.parts.filter((part): part is ReasoningPart => part.type === 'reasoning' && isSigned(part));
  if (message.role !== 'assistant' || signed.length === 0 || message.ext?.openai?.reasoning_details !== undefined)
    return message;
  const reasoning_details = signed.map(
    ({ text, signature, redacted }, index): JsonObject =>
      redacted === undefined
        ? { type: 'reasoning.text', text: text ?? '', signature, format: CLAUDE, index }
        : { type: 'reasoning.encrypted', data: redacted, format: CLAUDE, index },
  );
  const parts = message.parts.filter((part) => part.type !== 'reasoning' || !isSigned(part));
  return { ...message, parts, ext: { ...message.ext, openai: { ...message.ext?.openai, reasoning_details } } };
}

const isSigned = ({ signature, redacted }: ReasoningPart): boolean => signature !== undefined || redacted !== undefined;
