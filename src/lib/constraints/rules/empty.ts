// Texts and messages that say nothing.
import type { FormatName, Message, Part, TextPart } from '../../conversation/types.ts';
import { constraintsOf, demanding } from '../../dialects/table.ts';
import { headRule, messageRule } from './build.ts';
import type { Checked, Problem, Rule } from './types.ts';

const isText = (part: Part): part is TextPart => part.type === 'text';
const isBlank = (part: Part): boolean => isText(part) && part.text.trim() === '';

/**
 * `text content blocks must be non-empty`, `… must contain non-whitespace text`: https://github.com/BerriAI/litellm/issues/22930,
 * https://github.com/vercel/ai/issues/5576. Bedrock takes a lone line break beside other content (recorded for Claude Sonnet 4.5).
 */
const emptyText = messageRule({
  name: 'empty-text',
  formats: demanding(({ blankTexts }) => blankTexts),
  find: (message, { format }, i) => blanksIn(message.parts, format, i).map(() => BLANK),
  mend(message, { format }, i) {
    const refused = new Set(blanksIn(message.parts, format, i));
    const kept = message.parts.filter((part) => !refused.has(part)).map((part) => withoutBlanks(part, format, i));
    return { now: kept.length > 0 ? { ...message, parts: kept } : undefined, did: 'removed a blank text' };
  },
});

const BLANK: Problem = { what: 'a text is blank', mend: 'remove it' };

/** The blank texts, also in results. A message that is one blank string is `empty-message`'s. */
function blanksIn(parts: readonly Part[], format: FormatName, at: number): Part[] {
  const refused = (part: Part): boolean =>
    constraintsOf(format).blankTexts === 'refused'
      ? isBlank(part)
      : isText(part) && (part.text === '' || (isBlank(part) && parts.every(isBlank)));
  const inside = parts.flatMap((part) =>
    part.type === 'tool_result' && isList(part, format) ? blanksIn(part.parts, format, at) : [],
  );
  return [...parts.filter(refused), ...inside];
}

/** A result's content may be an empty string, but not a list with an empty text. */
const isList = (part: Part, format: FormatName): boolean =>
  part.type === 'tool_result' && part.by !== 'provider' && part.form?.[format] === 'blocks';

function withoutBlanks(part: Part, format: FormatName, at: number): Part {
  if (part.type !== 'tool_result' || !isList(part, format)) return part;
  const refused = new Set(blanksIn(part.parts, format, at));
  if (refused.size === 0) return part;
  const parts = part.parts.filter((inner) => !refused.has(inner));
  return { ...part, parts, ...(parts.length === 0 && { form: { ...part.form, [format]: 'string' } }) };
}

/**
 * anthropic: `all messages must have non-empty content except for the optional final assistant message`. openai: content may be null only beside
 * calls. mistral, cohere: `Assistant message must have either content or tool_calls`,
 * https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/models/mistral.py and cohere.py.
 */
const emptyMessage = messageRule({
  name: 'empty-message',
  formats: demanding(({ emptyMessages }) => emptyMessages),
  find(message, request, i) {
    if (!isEmpty(message, request, i)) return [];
    return [{ what: `a message of the role "${message.role}" is empty`, mend: 'remove it' }];
  },
  mend: () => ({ now: undefined, did: 'removed an empty message' }),
});

function isEmpty({ role, parts, form, ext }: Message, { format, messages }: Checked, i: number): boolean {
  // Chat has no thoughts of its own: a turn of them alone has neither content nor calls.
  const { emptyMessages } = constraintsOf(format);
  const isNull = emptyMessages === 'refused-null';
  if (parts.some(({ type }) => !isNull || type !== 'reasoning')) return false;
  const spelled = form?.[format];
  if (isNull) {
    const absent = spelled === 'null' || spelled === 'absent';
    const kept = ext?.[format];
    return (
      absent &&
      role !== 'tool' &&
      kept?.audio === undefined &&
      kept?.function_call === undefined &&
      kept?.refusal == null
    );
  }
  return emptyMessages === 'refused' || role !== 'assistant' || i < messages.length - 1;
}

/** `content: []` in a result: https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/models/anthropic.py */
const emptyResult = messageRule({
  name: 'empty-result',
  formats: ['anthropic'],
  find: ({ parts }, { format }) =>
    parts
      .filter((part) => isList(part, format) && part.type === 'tool_result' && part.parts.length === 0)
      .map(() => EMPTY_LIST),
  mend(message, { format }) {
    const parts = message.parts.map(
      (part): Part =>
        isList(part, format) && part.type === 'tool_result' && part.parts.length === 0
          ? { ...part, form: { ...part.form, [format]: 'string' } }
          : part,
    );
    return { now: { ...message, parts }, did: 'wrote an empty list as an empty text' };
  },
});

const EMPTY_LIST: Problem = { what: 'the content of a result is an empty list', mend: 'omit it, or write ""' };

/** `messages: at least one message is required`; Responses: `https://github.com/pydantic/pydantic-ai` models/openai.py. */
const emptyConversation = headRule({
  name: 'empty-conversation',
  formats: demanding(({ results }) => results),
  find(head, { messages, format }) {
    const kept = head.ext?.[format];
    const elsewhere =
      kept !== undefined && ('previous_response_id' in kept || 'conversation' in kept || 'prompt' in kept);
    const said = messages.some(({ role }) => role !== 'system' || constraintsOf(format).systemAlone);
    return said || elsewhere ? [] : [{ what: 'there is no message', mend: 'add a user message' }];
  },
});

export const empties: readonly Rule[] = [emptyText, emptyResult, emptyMessage, emptyConversation];
