// Gemini's thought signatures on calls, where Google's endpoint for OpenAI's dialect and LiteLLM keep them, and what stands for one that is not there.
// https://ai.google.dev/gemini-api/docs/thought-signatures#openai, https://docs.litellm.ai/docs/providers/gemini

import { HAS } from '../../conversation/message-traits.ts';
import { isFamily } from '../../conversation/model-name.ts';
import type { Ext, FormatName, Head, Message, Part, ToolCallPart } from '../../conversation/types.ts';
import { type Adaptation, eachMessage, type Read } from '../../conversion/adaptation.ts';
import { NO_SIGNATURE, needsSignatures } from '../../dialects/gemini/signatures.ts';
import { constraintsOf } from '../../dialects/table.ts';
import { isObject, type Json, type JsonObject } from '../../json/values.ts';

/** They come along to Gemini, and back to a model of Gemini that is spoken to in OpenAI's dialect. From Gemini 3 on every step has one. */
export function signatures(to: FormatName, model: string | undefined): Adaptation {
  const { callSignatures, otherServers } = constraintsOf(to);
  if (!callSignatures) return calls(otherServers && isFamily(model, 'gemini') ? toOpenAI : withoutFiller);
  return needsSignatures(model) ? new Signing() : calls(fromOpenAI);
}

const calls = (change: (part: ToolCallPart) => ToolCallPart): Adaptation =>
  eachMessage(
    (head) => head,
    (message) => withCalls(message, change),
    HAS.calls,
  );

/** The first call of each step gets a signature: those beside it need none. Messages of the model in a row share a content, but for Gemini's own. */
class Signing implements Adaptation {
  #called = false;

  head(head: Head): Head {
    return head;
  }

  read(read: Read): Read {
    const message = withCalls(read.message, fromOpenAI);
    if (message.role !== 'assistant' || constraintsOf(read.from).callSignatures) this.#called = false;
    const at = this.#called ? -1 : message.parts.findIndex(isCall);
    const call = message.parts[at] as ToolCallPart | undefined;
    if (message.role !== 'assistant' || call === undefined)
      return message === read.message ? read : { ...read, message };
    this.#called = true;
    return { ...read, message: { ...message, parts: message.parts.with(at, signed(call)) } };
  }
}

const isCall = (part: Part): boolean => part.type === 'tool_call' && part.by === undefined;

function signed(call: ToolCallPart): ToolCallPart {
  const { gemini } = call.ext ?? {};
  if (gemini?.thoughtSignature !== undefined) return call;
  return { ...call, ext: { ...call.ext, gemini: { ...gemini, thoughtSignature: NO_SIGNATURE } } };
}

/** What stands for a signature says nothing to others. */
function withoutFiller(part: ToolCallPart): ToolCallPart {
  const { thoughtSignature, ...rest } = part.ext?.gemini ?? {};
  return thoughtSignature === NO_SIGNATURE ? { ...part, ext: without(part.ext, 'gemini', rest) } : part;
}

function withCalls(message: Message, change: (part: ToolCallPart) => ToolCallPart): Message {
  if (message.role !== 'assistant') return message;
  const parts = message.parts.map((part): Part => (part.type === 'tool_call' && part.ext ? change(part) : part));
  return parts.every((part, i) => part === message.parts[i]) ? message : { ...message, parts };
}

function fromOpenAI(part: ToolCallPart): ToolCallPart {
  const kept = part.ext?.openai;
  const signature = kept && signatureIn(kept);
  if (signature === undefined || part.ext?.gemini?.thoughtSignature !== undefined) return part;
  const { extra_content: _, provider_specific_fields: __, ...rest } = kept as JsonObject;
  const { function: inner, ...others } = rest;
  const own = withoutField(inner, 'provider_specific_fields');
  const openai = { ...others, ...(own !== undefined && { function: own }) };
  return { ...part, ext: { ...without(part.ext, 'openai', openai), gemini: { thoughtSignature: signature } } };
}

function toOpenAI(part: ToolCallPart): ToolCallPart {
  const { thoughtSignature, ...rest } = part.ext?.gemini ?? {};
  if (typeof thoughtSignature !== 'string' || thoughtSignature === NO_SIGNATURE) return withoutFiller(part);
  const openai = { ...part.ext?.openai, extra_content: { google: { thought_signature: thoughtSignature } } };
  return { ...part, ext: { ...without(part.ext, 'gemini', rest), openai } };
}

/** The signature, if it is base64: Gemini refuses a request for any other. */
function signatureIn({ extra_content, provider_specific_fields, function: inner }: JsonObject): string | undefined {
  const google = isObject(extra_content) ? extra_content.google : undefined;
  const fields = [google, provider_specific_fields, isObject(inner) ? inner.provider_specific_fields : undefined];
  const found = fields.map((field) => (isObject(field) ? field.thought_signature : undefined));
  return found.find((text): text is string => typeof text === 'string' && /^[A-Za-z0-9+/_-]+=*$/.test(text));
}

function withoutField(value: Json | undefined, field: string): JsonObject | undefined {
  if (!isObject(value)) return undefined;
  const left = Object.entries(value).filter(([key]) => key !== field);
  return left.length > 0 ? Object.fromEntries(left) : undefined;
}

const without = (ext: Ext | undefined, format: FormatName, rest: JsonObject): Ext => {
  const { [format]: _, ...others } = ext ?? {};
  return Object.keys(rest).length > 0 ? { ...others, [format]: rest } : others;
};
