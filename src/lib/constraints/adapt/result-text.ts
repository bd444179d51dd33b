// Text that follows the results of tools in one turn. A message of the user behind them ends the turn for a model that reasons between calls:
// it drops its reasoning. https://api-docs.deepseek.com/guides/thinking_mode
import type { Lose, Message, Part, TextPart, ToolResultPart } from '../../conversation/types.ts';

const isResult = (part: Part | undefined): part is ToolResultPart =>
  part?.type === 'tool_result' && part.by !== 'provider';
const isText = (part: Part): part is TextPart => part.type === 'text';

/** The message with its texts at the end of its last result. Left alone if anything but text follows the results. */
export function intoLastResult(message: Message, lose: Lose): Message {
  const { parts } = message;
  const at = parts.findLastIndex(isResult);
  const result = parts[at];
  const rest = parts.filter((part) => !isResult(part));
  if (!isResult(result) || rest.length === 0 || !rest.every(isText)) return message;
  lose(
    'text after tool results',
    'the model drops its reasoning at a user message: moved into the last result',
    'moved',
  );
  const more = rest.map((part) => part.text).join('\n\n');
  return { ...message, parts: parts.filter(isResult).with(-1, { ...result, parts: joined(result.parts, more) }) };
}

/** The text is added to the last one, so that a result that was a string stays one. */
function joined(parts: readonly Part[], more: string): readonly Part[] {
  const last = parts.at(-1);
  if (last?.type !== 'text') return [...parts, { type: 'text', text: more }];
  return parts.with(-1, { ...last, text: last.text === '' ? more : `${last.text}\n\n${more}` });
}
