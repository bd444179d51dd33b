// Before the big model is asked: one call instead, or the big model without tools. Any doubt leaves the request as it is.
import type { Context } from '../../../lib/cli/filter.ts';
import type { Validator } from '../../../lib/config/json-schema.ts';
import type { Head, Message } from '../../../lib/conversation/types.ts';
import type { Conversation } from '../../../lib/conversion/gather.ts';
import { record } from '../../../lib/json/record.ts';
import { isObject, type Json, type JsonObject } from '../../../lib/json/values.ts';
import { View } from '../view.ts';
import { ask } from './ask.ts';
import { judge } from './heuristics.ts';
import type { Verdict } from './types.ts';
import { withoutTools } from './without-tools.ts';

interface Preprocessor {
  /** The small model; the heuristics without it. */
  readonly model?: string;
  readonly validate: Validator;
}

/** The conversation to go on with. Its head's `_meta.preprocess` says what was decided, what that took, and what it saves. */
export function preprocess(
  conversation: Conversation,
  { model, validate }: Preprocessor,
  context: Context,
): Conversation {
  const view = new View(conversation);
  const tools = view.head.tools ?? [];
  const last = view.messages.at(-1);
  if (tools.length === 0 || last?.role !== 'user' || last.parts.some((part) => part.type !== 'text'))
    return conversation;
  const begun = context.now();
  const judged = model === undefined ? judge(tools, view.lastText) : ask(model, tools, view.messages, context);
  const { verdict, after, saved } = attempt(conversation, view, checked(judged.verdict, view.head, validate), model);
  return noted(after, {
    decision: verdict.type === 'keep' ? 'unchanged' : verdict.type,
    by: model ?? 'heuristics',
    reason: verdict.why,
    latency_ms: context.now() - begun,
    tokens_in: judged.tokensIn,
    tokens_out: judged.tokensOut,
    tokens_saved: saved,
  });
}

interface Applied {
  readonly verdict: Verdict;
  readonly after: Conversation;
  readonly saved: number;
}

/** What cannot be rewritten stays as it is. */
function attempt(conversation: Conversation, view: View, verdict: Verdict, model: string | undefined): Applied {
  try {
    const after = apply(conversation, verdict, view, model);
    return { verdict, after, saved: savedBy(verdict, view, after) };
  } catch {
    return { verdict: { type: 'keep', why: 'the request cannot be rewritten' }, after: conversation, saved: 0 };
  }
}

/** Tokens, as lib/tokens counts them for the model of the head. */
function savedBy({ type }: Verdict, { prompt, family }: View, after: Conversation): number {
  if (type === 'keep') return 0;
  return prompt.count(family) - (type === 'call' ? 0 : new View(after).prompt.count(family));
}

/** A call must be of one of the tools that the request allows, and as its schema says; a request may demand one. */
function checked(verdict: Verdict, { tools = [], toolChoice }: Head, validate: Validator): Verdict {
  const { mode, names } = toolChoice ?? {};
  if (verdict.type === 'answer' && mode === 'required') return { type: 'keep', why: 'the request demands a call' };
  if (verdict.type !== 'call') return verdict;
  const tool = tools.find(({ name, type }) => name === verdict.name && type === 'function');
  if (tool === undefined) return { type: 'keep', why: `${JSON.stringify(verdict.name)} is not one of the tools` };
  if (mode === 'none' || (names && !names.includes(tool.name)))
    return { type: 'keep', why: `the request does not allow a call of ${tool.name}` };
  const wrong = validate(tool.schema, verdict.input);
  return wrong === undefined ? verdict : { type: 'keep', why: `the call of ${tool.name} is not valid: ${wrong}` };
}

function apply(conversation: Conversation, verdict: Verdict, view: View, model: string | undefined): Conversation {
  if (verdict.type === 'keep') return conversation;
  if (verdict.type === 'answer') return withoutTools(conversation);
  const call: Message = {
    role: 'assistant',
    parts: [{ type: 'tool_call', id: idOf(view), name: verdict.name, input: verdict.input }],
    by: { provider: 'preprocess', model: model ?? 'heuristics' },
    stop: { reason: 'tool_calls' },
  };
  const natives = conversation.format.writeMessages([call], () => {});
  return { ...conversation, items: [...conversation.items, ...natives.map((native) => ({ rec: record(native) }))] };
}

/** An id that every API takes (nine letters and digits), and that the same conversation gives again. */
function idOf(view: View): string {
  let hash = 0x811c9dc5;
  const text = `${view.messages.length} ${view.lastText.slice(0, 4096)}`;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return `p${hash.toString(36).padStart(8, '0').slice(-8)}`;
}

function noted(conversation: Conversation, preprocess: JsonObject): Conversation {
  const { head } = conversation;
  const value: Json | undefined = head?.rec.value;
  const own = isObject(value) ? value : {};
  const meta = isObject(own._meta) ? own._meta : {};
  return { ...conversation, head: { ...head, rec: record({ ...own, _meta: { ...meta, preprocess } }, head?.rec) } };
}
