// A reply as the events of its stream.
import { asArray, isObject, type JsonObject } from '../../ir/json.ts';
import type { Lose, Message } from '../../ir/types.ts';
import type { StreamEvent } from '../stream.ts';
import { writeReply } from './reply.ts';
import type { EventKind } from './types.ts';

/** The events that would have brought the reply, as objects with one key each. */
export function writeStream(message: Message, lose: Lose): StreamEvent[] {
  const { output, stopReason, additionalModelResponseFields, ...metadata } = writeReply(message, lose);
  const { role, content } = (output as JsonObject).message as JsonObject;
  const stop = {
    ...(stopReason !== undefined && { stopReason }),
    ...(additionalModelResponseFields !== undefined && { additionalModelResponseFields }),
  };
  return [
    event('messageStart', { role }),
    ...asArray<JsonObject>(content, 'content').flatMap(writeBlock),
    event('messageStop', stop),
    ...(Object.keys(metadata).length > 0 ? [event('metadata', metadata)] : []),
  ];
}

const event = (kind: EventKind, body: JsonObject): StreamEvent => ({ data: { [kind]: body } });

function writeBlock(block: JsonObject, contentBlockIndex: number): StreamEvent[] {
  const { start, deltas } = taken(block);
  return [
    ...(start ? [event('contentBlockStart', { contentBlockIndex, start })] : []),
    ...deltas.map((delta) => event('contentBlockDelta', { contentBlockIndex, delta })),
    event('contentBlockStop', { contentBlockIndex }),
  ];
}

/** A block's start, for the kinds that have one, and its content in pieces. */
function taken({ text, toolUse, toolResult, image, reasoningContent, citationsContent }: JsonObject): {
  start?: JsonObject;
  deltas: JsonObject[];
} {
  if (isObject(toolUse)) {
    const { input, ...start } = toolUse;
    return { start: { toolUse: start }, deltas: [{ toolUse: { input: JSON.stringify(input ?? {}) } }] };
  }
  if (isObject(toolResult)) {
    const { content, ...start } = toolResult;
    return { start: { toolResult: start }, deltas: [{ toolResult: content ?? [] }] };
  }
  if (isObject(image)) {
    const { format, ...more } = image;
    return { start: { image: { format } }, deltas: [{ image: more }] };
  }
  if (isObject(reasoningContent)) return { deltas: writeReasoning(reasoningContent) };
  if (isObject(citationsContent)) return { deltas: writeCited(citationsContent) };
  return { deltas: text === undefined ? [] : [{ text }] };
}

function writeReasoning({ reasoningText, redactedContent }: JsonObject): JsonObject[] {
  if (redactedContent !== undefined) return [{ reasoningContent: { redactedContent } }];
  const { text = '', signature } = isObject(reasoningText) ? reasoningText : {};
  const signed = signature === undefined ? [] : [{ reasoningContent: { signature } }];
  return [{ reasoningContent: { text } }, ...signed];
}

function writeCited({ content, citations }: JsonObject): JsonObject[] {
  const texts = asArray<JsonObject>(content ?? [], 'content').map(({ text = '' }) => ({ text }));
  return [...texts, ...asArray<JsonObject>(citations ?? [], 'citations').map((citation) => ({ citation }))];
}
