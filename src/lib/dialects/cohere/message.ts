// Messages: https://docs.cohere.com/v2/reference/chat

import { readMeta } from '../../conversation/meta.ts';
import type {
  Lose,
  Message,
  Part,
  RefusalPart,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from '../../conversation/types.ts';
import { asString, type JsonObject } from '../../json/values.ts';
import { readCalls, writeCalls } from '../chat/calls.ts';
import { readRole } from '../chat/roles.ts';
import { isResult, type TurnWriter, writeTurn } from '../chat/turns.ts';
import { writeArguments } from '../codec/arguments.ts';
import { lacksId } from '../codec/call-ids.ts';
import { withoutMedia } from '../codec/documents.ts';
import { own, residual } from '../codec/residual.ts';
import { attach, writeCitations } from './citations.ts';
import { COHERE } from './name.ts';
import { formOf, readContent } from './read-blocks.ts';
import type { MessageFields } from './types.ts';
import { REFUSED, sayText, writeContent } from './write-blocks.ts';

export function readMessage(native: JsonObject): Message {
  const {
    role: spoken,
    content,
    tool_calls,
    tool_plan,
    citations,
    tool_call_id,
    _meta,
    ...rest
  } = native as MessageFields;
  const role = readRole(spoken);
  const form = formOf(content);
  if (role === 'tool') {
    const callId = asString(tool_call_id, 'tool_call_id');
    const result: ToolResultPart = { type: 'tool_result', callId, parts: readContent(content), form };
    const ext = residual(COHERE, rest, { tool_calls, tool_plan, citations });
    return { role, parts: [result], form, ext, ...readMeta(_meta) };
  }
  const said = [...readContent(content), ...readPlan(tool_plan)];
  const isCited = role === 'assistant' && Array.isArray(citations) && citations.length > 0;
  const cited = isCited ? attach(said, citations) : undefined;
  const calls = role === 'assistant' ? readCalls(tool_calls, COHERE) : [];
  const kept = {
    tool_call_id,
    tool_plan: typeof tool_plan === 'string' ? undefined : tool_plan,
    citations: cited ? undefined : citations,
    tool_calls: calls.length === 0 ? tool_calls : undefined,
  };
  return { role, parts: [...(cited ?? said), ...calls], form, ext: residual(COHERE, rest, kept), ...readMeta(_meta) };
}

const PLAN = { [COHERE]: 'tool_plan' };

/** What the model says before it calls has a field of its own. */
function readPlan(plan: unknown): Part[] {
  return typeof plan === 'string' ? [{ type: 'text', text: plan, form: PLAN }] : [];
}

/** Images in a result go behind it: a result holds text and documents. */
const writer: TurnWriter = {
  format: COHERE,
  assistant: writeAssistant,
  result: writeResult,
  other: writeOther,
  moves: (part) => part.type === 'media' && part.kind === 'image',
};

export function writeMessages(group: readonly Message[], lose: Lose): JsonObject[] {
  return writeTurn(group, writer, lose);
}

/** An assistant that neither speaks nor calls is refused, so that one is not made of what another format left empty. */
function writeAssistant(group: readonly Message[], parts: readonly Part[], lose: Lose): JsonObject | undefined {
  const form = group.length === 1 ? group[0]?.form?.[COHERE] : undefined;
  const calls = parts.filter((part) => part.type === 'tool_call').filter(({ by }) => by === undefined);
  const spoken = parts.filter((part) => part.type !== 'tool_call' && !isResult(part));
  const said = form === undefined ? withoutMedia(spoken, 'an assistant message has none', lose) : spoken;
  const planned = said.filter((part) => isPlan(part, form, calls));
  const content = writeContent(
    said.filter((part) => !isPlan(part, form, calls)),
    form ?? (calls.length > 0 ? 'absent' : undefined),
    lose,
  );
  if (form === undefined && (content === '' || content === undefined) && calls.length + planned.length === 0) {
    lose('message', 'an assistant message needs text or a call');
    return undefined;
  }
  return {
    ...Object.assign({}, ...group.map((message) => own(message.ext, COHERE))),
    role: 'assistant',
    ...(content !== undefined && { content }),
    ...writePlan(planned, lose),
    ...writeCalls(calls, COHERE, (call) => writeArguments(call, COHERE)),
    ...writeCitations(said, lose),
  };
}

/** Of another format, what is said beside calls. */
function isPlan(part: Part, form: string | undefined, calls: readonly ToolCallPart[]): part is Planned {
  if (part.type !== 'text' && part.type !== 'refusal') return false;
  return form === undefined && part.form?.[COHERE] === undefined
    ? calls.length > 0
    : part.form?.[COHERE] === 'tool_plan';
}

type Planned = TextPart | RefusalPart;

function writePlan(planned: readonly Planned[], lose: Lose): JsonObject | undefined {
  for (const part of planned)
    if (part.type === 'text') sayText(part, lose);
    else lose('refusal', REFUSED);
  const text = planned.map((part) => part.text).join('');
  const [first] = planned;
  return first === undefined || (text === '' && first.form?.[COHERE] === undefined) ? undefined : { tool_plan: text };
}

function writeResult(result: ToolResultPart, message: Message, lose: Lose): JsonObject {
  const content = writeContent(result.parts, result.form?.[COHERE], lose);
  const id = lacksId(result, COHERE) ? undefined : { tool_call_id: result.callId };
  return { ...own(message.ext, COHERE), role: 'tool', ...id, ...(content !== undefined && { content }) };
}

function writeOther(message: Message, parts: readonly Part[], lose: Lose): JsonObject {
  const content = writeContent(parts, message.form?.[COHERE], lose);
  writeCitations(parts, lose);
  return { ...own(message.ext, COHERE), role: message.role, ...(content !== undefined && { content }) };
}
