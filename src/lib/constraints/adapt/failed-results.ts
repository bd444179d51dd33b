// What a failed result shows beside its text.

import { HAS } from '../../conversation/message-traits.ts';
import type { FormatName, Lose, Message, Part, ToolResultPart } from '../../conversation/types.ts';
import { type Adaptation, eachMessage } from '../../conversion/adaptation.ts';
import { constraintsOf } from '../../dialects/table.ts';

const isMixed = (part: Part): part is ToolResultPart =>
  part.type === 'tool_result' && part.error === true && part.parts.some(({ type }) => type === 'media');

/** `all content must be type "text" if "is_error" is true`: https://github.com/ericc-ch/copilot-api/pull/196. It goes behind the results. */
export function failedResults(to: FormatName): Adaptation[] {
  return constraintsOf(to).failedResultsText ? [eachMessage((head) => head, shownBehind, HAS.results)] : [];
}

function shownBehind(message: Message, lose: Lose): Message {
  if (!message.parts.some(isMixed)) return message;
  const shown = message.parts.filter(isMixed).flatMap(({ parts }) => parts.filter(({ type }) => type === 'media'));
  for (const part of shown)
    lose(`${part.type === 'media' ? part.kind : part.type} in a failed result`, 'moved after the results', 'moved');
  const parts = message.parts.map(
    (part): Part => (isMixed(part) ? { ...part, parts: part.parts.filter(({ type }) => type !== 'media') } : part),
  );
  return { ...message, parts: [...parts, ...shown] };
}
