// Results of old calls: what was read or printed can be had again; that it was, and what failed, stays.
import type { Part, ToolResultPart } from '../../../lib/conversation/types.ts';
import { accessOf } from '../accesses.ts';
import { clipText, textOf } from '../clip.ts';
import { loudError } from '../digest/errors.ts';
import { failureOf } from '../failure.ts';
import { clearedResult } from '../placeholder.ts';
import { withParts } from '../transcript.ts';
import { clear } from './images.ts';
import type { Place, Trim } from './types.ts';

export const results: Trim = {
  kind: 'trim',
  name: 'results',
  summary: 'replace results of old calls by placeholders',
  apply(message, place) {
    const parts = message.parts.map((part) =>
      part.type === 'tool_result' && part.by !== 'provider' ? shrink(part, place) : part,
    );
    return parts.every((part, i) => part === message.parts[i]) ? message : withParts(message, parts);
  },
};

function shrink(part: ToolResultPart, place: Place): Part {
  const { counter } = place;
  const call = place.call(part.callId);
  const rule = call === undefined ? 'clear' : place.rule(call.name);
  if (rule === 'keep') return part;
  const cleared = clear(part) as ToolResultPart;
  const text = textOf(cleared.parts);
  const tokens = counter.text(text);
  if (rule !== 'clear') return tokens <= rule.clip ? cleared : withText(cleared, clipText(text, rule.clip, counter));
  const failure = failureOf(part, call);
  const complaint = failure === undefined && call && accessOf(call) === undefined ? loudError(text) : undefined;
  const said = clearedResult(text, tokens, call, { failure, complaint });
  return counter.text(said) >= tokens ? cleared : withText(cleared, said);
}

/** One text in place of all, beside what is no text. */
function withText(part: ToolResultPart, text: string): ToolResultPart {
  const others = part.parts.filter(({ type }) => type !== 'text');
  return { ...part, parts: [{ type: 'text', text }, ...others] };
}
