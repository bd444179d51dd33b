// Messages: https://docs.mistral.ai/api/endpoint/chat

import { readMeta } from '../../conversation/meta.ts';
import type { Lose, Message, Part, ToolResultPart } from '../../conversation/types.ts';
import type { JsonObject } from '../../json/values.ts';
import { readCalls, writeCalls } from '../chat/calls.ts';
import { readRole } from '../chat/roles.ts';
import { isResult, type TurnWriter, writeTurn } from '../chat/turns.ts';
import { writeArguments } from '../codec/arguments.ts';
import { idByName, lacksId, withoutId } from '../codec/call-ids.ts';
import { ifNull, own, residual } from '../codec/residual.ts';
import { MISTRAL } from './name.ts';
import { formOf, readContent } from './read-chunks.ts';
import type { MessageFields } from './types.ts';
import { writeContent } from './write-chunks.ts';

export function readMessage(native: JsonObject): Message {
  const {
    role: spoken,
    content,
    tool_calls,
    prefix,
    tool_call_id,
    name,
    metadata,
    _meta,
    ...rest
  } = native as MessageFields;
  const role = readRole(spoken);
  const kept = { prefix, metadata };
  if (role === 'tool') {
    const result = readResult(content, tool_call_id, name);
    const ext = residual(MISTRAL, rest, {
      ...kept,
      tool_calls,
      name: ifNull(name),
      tool_call_id: ifNull(tool_call_id),
    });
    return { role, parts: [result], form: TOOL, ext, ...readMeta(_meta) };
  }
  const calls = role === 'assistant' ? readCalls(tool_calls, MISTRAL) : [];
  const others = { ...kept, tool_call_id, name, tool_calls: calls.length === 0 ? tool_calls : undefined };
  return {
    role,
    parts: [...readContent(content), ...calls],
    form: formOf(content),
    ext: residual(MISTRAL, rest, others),
    ...readMeta(_meta),
  };
}

const TOOL = { [MISTRAL]: 'tool' };

function readResult(content: unknown, id: string | null | undefined, name: string | null | undefined): ToolResultPart {
  const named = typeof name === 'string' ? name : undefined;
  const numbered = typeof id === 'string';
  return {
    type: 'tool_result',
    callId: numbered ? id : idByName(named ?? ''),
    name: named,
    parts: readContent(content),
    form: numbered ? formOf(content) : { ...formOf(content), ...withoutId(MISTRAL) },
  };
}

const writer: TurnWriter = { format: MISTRAL, assistant: writeAssistant, result: writeResult, other: writeOther };

export function writeMessages(group: readonly Message[], lose: Lose): JsonObject[] {
  return writeTurn(group, writer, lose);
}

/** An assistant that neither speaks nor calls is refused, so that one is not made of what another format left empty. */
function writeAssistant(group: readonly Message[], parts: readonly Part[], lose: Lose): JsonObject | undefined {
  const form = group.length === 1 ? group[0]?.form?.[MISTRAL] : undefined;
  const calls = parts.filter((part) => part.type === 'tool_call').filter(({ by }) => by === undefined);
  const content = writeContent(
    parts.filter((part) => part.type !== 'tool_call' && !isResult(part)),
    form,
    lose,
  );
  if (form === undefined && content === '' && calls.length === 0) {
    lose('message', 'an assistant message needs text or a call');
    return undefined;
  }
  return {
    ...Object.assign({}, ...group.map((message) => own(message.ext, MISTRAL))),
    role: 'assistant',
    ...(content !== undefined && { content }),
    ...writeCalls(calls, MISTRAL, (call) => writeArguments(call, MISTRAL)),
  };
}

function writeResult(result: ToolResultPart, message: Message, lose: Lose): JsonObject {
  const content = writeContent(result.parts, result.form?.[MISTRAL], lose);
  const id = lacksId(result, MISTRAL) ? undefined : { tool_call_id: result.callId };
  const name = result.name === undefined ? undefined : { name: result.name };
  return { ...own(message.ext, MISTRAL), role: 'tool', ...(content !== undefined && { content }), ...id, ...name };
}

function writeOther(message: Message, parts: readonly Part[], lose: Lose): JsonObject {
  const content = writeContent(parts, message.form?.[MISTRAL], lose);
  return { ...own(message.ext, MISTRAL), role: message.role, ...(content !== undefined && { content }) };
}
