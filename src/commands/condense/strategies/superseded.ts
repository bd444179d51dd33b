// Reads and full writes of a file of which a later full copy stays. An edit is no copy, and neither is a read of other lines.
import type { Part, ToolResultPart } from '../../../lib/conversation/types.ts';
import { textOf } from '../clip.ts';
import { clearedArgument, supersededResult } from '../placeholder.ts';
import { withParts } from '../transcript.ts';
import { LONG, withInput } from './arguments.ts';
import { CLIPPED } from './clip.ts';
import type { Place, Trim } from './types.ts';

/** A longer argument is replaced. Characters. */
const WORTH = LONG;

export const superseded: Trim = {
  kind: 'trim',
  name: 'superseded',
  summary: 'remove reads and writes of a file of which a later full copy is kept',
  apply(message, place) {
    const parts = message.parts.map((part) => replace(part, place));
    return parts.every((part, i) => part === message.parts[i]) ? message : withParts(message, parts);
  },
};

function replace(part: Part, place: Place): Part {
  if (part.type === 'tool_result' && part.by !== 'provider') return clearRead(part, place);
  if (part.type !== 'tool_call' || !place.superseded(part, part)) return part;
  const { input } = part;
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return part;
  const entries = Object.entries(input).map(([key, value]) =>
    typeof value === 'string' && value.length > WORTH ? [key, clearedArgument(value)] : [key, value],
  );
  return withInput(part, Object.fromEntries(entries));
}

function clearRead(part: ToolResultPart, place: Place): Part {
  const call = place.call(part.callId);
  if (call === undefined || part.error || !place.superseded(call, part) || place.rule(call.name) === 'keep')
    return part;
  const text = textOf(part.parts);
  const tokens = place.counter.text(text);
  // What the other strategies leave whole is left whole here too.
  if (tokens <= CLIPPED) return part;
  const said = supersededResult(text, tokens, call);
  return { ...part, parts: [...part.parts.filter(({ type }) => type !== 'text'), { type: 'text', text: said }] };
}
