// A head of another API in the words of this one.
import type { Head, Lose, Reasoning } from '../../conversation/types.ts';
import { nearestEffort } from '../codec/effort.ts';
import { own } from '../codec/residual.ts';
import { tierIn } from '../codec/service-tiers.ts';
import { withTools } from '../codec/tool-choice.ts';
import { ANTHROPIC } from './name.ts';

/** The API requires a limit; this one every current model accepts. */
const DEFAULT_MAX_TOKENS = 4096;

const TIERS = ['auto', 'standard_only'];
const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'];

/** The head with what the API can say, in its terms. What it cannot is said. */
export function inOwnWords(head: Head, lose: Lose): Head {
  if (head.form?.[ANTHROPIC] !== undefined) return head;
  const tooled = withTools(head, (tool) => tool.type !== 'provider' || own(tool.ext, ANTHROPIC) !== undefined, lose);
  if (head.responseFormat?.type === 'json') lose('response_format', 'the API has no JSON mode without a schema');
  return {
    ...onlyAllowed(tooled, lose),
    maxTokens: limit(head, lose),
    stop: stops(head, lose),
    temperature: temperature(head, lose),
    serviceTier: tierIn(TIERS, head.serviceTier, lose),
    reasoning: head.reasoning && thinking(head.reasoning, lose),
    responseFormat: head.responseFormat?.type === 'schema' ? format(head, lose) : undefined,
  };
}

function limit({ maxTokens }: Head, lose: Lose): number {
  if (typeof maxTokens === 'number') return maxTokens;
  lose('max_tokens', `the API requires a limit: ${DEFAULT_MAX_TOKENS}`, 'added');
  return DEFAULT_MAX_TOKENS;
}

/** A blank stop sequence is refused, and so is an empty list of them. */
function stops({ stop }: Head, lose: Lose): readonly string[] | undefined {
  const kept = stop?.filter((text) => typeof text !== 'string' || text.trim() !== '');
  if (kept && stop && kept.length < stop.length) lose('stop', 'the API rejects a blank stop sequence');
  return kept && kept.length > 0 ? kept : undefined;
}

function temperature({ temperature: given }: Head, lose: Lose): number | undefined {
  if (typeof given !== 'number') return undefined;
  if (given > 1) lose('temperature', `${given} is above the maximum, 1`, 'changed');
  return Math.min(given, 1);
}

/** The API chooses among all tools, so that those that may not be chosen have to go. */
function onlyAllowed(head: Head, lose: Lose): Head {
  const { tools, toolChoice } = head;
  const names = toolChoice?.names ?? [];
  if (names.length === 0 || (names.length === 1 && toolChoice?.mode === 'required')) return head;
  const allowed = tools?.filter((tool) => names.includes(tool.name));
  lose('tool_choice', 'the API chooses among all tools: tools that are not allowed are dropped', 'changed');
  return { ...head, tools: allowed, toolChoice: toolChoice && { mode: toolChoice.mode, form: toolChoice.form } };
}

function thinking(reasoning: Reasoning, lose: Lose): Reasoning | undefined {
  const { effort, mode } = reasoning;
  if (mode !== undefined || typeof effort !== 'string')
    return effort === null ? { ...reasoning, effort: undefined } : reasoning;
  if (effort === 'none') return { mode: 'off' };
  const word = nearestEffort(effort, EFFORTS);
  if (word !== effort) lose('reasoning effort', `"${effort}" is written as "${word}"`, 'changed');
  if (EFFORTS.includes(word)) return { ...reasoning, effort: word };
  lose('reasoning effort', `"${effort}" is unknown`);
  return undefined;
}

function format({ responseFormat }: Head, lose: Lose): Head['responseFormat'] {
  const { name, description } = responseFormat ?? {};
  if (name !== undefined && name !== 'response') lose('response_format name', 'schemas have none');
  if (description !== undefined) lose('response_format description', 'a schema has no other description');
  return responseFormat;
}
