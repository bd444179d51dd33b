// What the API hands to the model as it is: Claude's names for what the API has no name of its own.
// https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages-request-response.html

import type { Form, Head, Reasoning } from '../../conversation/types.ts';
import { isObject, type JsonObject } from '../../json/values.ts';
import { lookup, optional } from '../codec/fields.ts';
import { BEDROCK } from './name.ts';

interface ModelFields {
  readonly head?: Pick<Head, 'topK'>;
  readonly reasoning?: Reasoning;
  readonly form?: Form;
  readonly rest?: JsonObject;
}

const MODES = { enabled: 'on', disabled: 'off', adaptive: 'adaptive' } as const;
const TYPES = { on: 'enabled', off: 'disabled', adaptive: 'adaptive' } as const;

/** Where the effort stood: some models take it here. */
const EFFORT = `${BEDROCK}:effort`;

/** `top_k`, `thinking` and `reasoning_effort`; the others belong to the model. */
export function readModelFields(native: unknown): ModelFields {
  if (!isObject(native)) return {};
  const { top_k, thinking, reasoning_effort, ...rest } = native;
  const known = readThinking(thinking);
  const effort = typeof reasoning_effort === 'string' ? reasoning_effort : undefined;
  const unread = {
    ...(typeof top_k !== 'number' && { top_k }),
    ...(known === undefined && { thinking }),
    ...(effort === undefined && { reasoning_effort }),
  };
  return {
    head: { topK: typeof top_k === 'number' ? top_k : undefined },
    reasoning: known || effort !== undefined ? { ...known, ...(effort !== undefined && { effort }) } : undefined,
    form: effort === undefined ? undefined : { [EFFORT]: 'additionalModelRequestFields' },
    rest: optional({ ...rest, ...unread }),
  };
}

function readThinking(native: unknown): Reasoning | undefined {
  if (!isObject(native)) return undefined;
  const { type, budget_tokens, ...rest } = native;
  const known = type === 'enabled' || type === 'disabled' || type === 'adaptive';
  const budget = typeof budget_tokens === 'number' ? budget_tokens : undefined;
  if (!known || Object.keys(rest).length > 0 || (budget_tokens !== undefined && budget === undefined)) return undefined;
  return { mode: lookup(MODES, type), budget };
}

export function writeModelFields({ topK, reasoning, form }: Head, kept: JsonObject): JsonObject | undefined {
  const { mode, budget, effort } = reasoning ?? {};
  const type = mode ? TYPES[mode] : budget === undefined ? undefined : 'enabled';
  const thinking = type && { type, ...(budget !== undefined && { budget_tokens: budget }) };
  const inside = form?.[EFFORT] !== undefined;
  const reasoning_effort = inside ? (effort ?? undefined) : undefined;
  return optional({ ...kept, ...optional({ top_k: topK ?? undefined, thinking, reasoning_effort }) });
}

/** Whether the effort goes with what the model alone reads. */
export const effortIsModels = ({ form }: Head): boolean => form?.[EFFORT] !== undefined;
