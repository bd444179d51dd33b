// A reply as the events of its stream.
import type { Delta } from '../../conversation/delta.ts';
import type { Lose, Message, Part } from '../../conversation/types.ts';
import { asArray, isObject, type Json, type JsonObject } from '../../json/values.ts';
import { type Begun, type Teller, Telling, type Told } from '../codec/part-writer.ts';
import type { StreamEvent, StreamWriter } from '../codec/stream.ts';
import { writeReply } from './reply.ts';
import type { EventKind } from './types.ts';

/** The events that would have brought the reply, as objects with one key each. */
export function writeStream(message: Message, lose: Lose): StreamEvent[] {
  const { output, ...about } = writeReply(message, lose);
  const { role } = (output as JsonObject).message as JsonObject;
  return [event('messageStart', { role }), ...contentOf(output).flatMap(writeBlock), ...finish(about)];
}

const contentOf = (output: Json | undefined): readonly JsonObject[] =>
  asArray<JsonObject>(((output as JsonObject).message as JsonObject).content, 'content');

function finish({ stopReason, additionalModelResponseFields, _meta, ...metadata }: JsonObject): StreamEvent[] {
  const stop = {
    ...(stopReason !== undefined && { stopReason }),
    ...(additionalModelResponseFields !== undefined && { additionalModelResponseFields }),
  };
  return [event('messageStop', stop), ...(Object.keys(metadata).length > 0 ? [event('metadata', metadata)] : [])];
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

/** Writes a foreign reply while it comes. */
export class BedrockWriter implements StreamWriter {
  readonly #telling: Telling;
  #started = false;

  constructor(lose: Lose) {
    this.#telling = new Telling(new Blocks(lose));
  }

  push(delta: Delta): StreamEvent[] {
    return [...this.#start(), ...this.#telling.push(delta)];
  }

  end(message: Message): StreamEvent[] {
    const { output: _, ...about } = writeReply({ ...message, parts: [] }, () => {});
    return [...this.#start(), ...this.#telling.end(), ...finish(about)];
  }

  fail(message: string): StreamEvent[] {
    return [event('modelStreamErrorException', { message })];
  }

  #start(): StreamEvent[] {
    if (this.#started) return [];
    this.#started = true;
    return [event('messageStart', { role: 'assistant' })];
  }
}

class Blocks implements Teller {
  readonly #lose: Lose;
  #next = 0;

  constructor(lose: Lose) {
    this.#lose = lose;
  }

  /** Text has no start, and a thought waits for its signature: without one the API would refuse it later. */
  begin({ kind, id, name }: Begun): StreamEvent[] {
    if (kind === 'reasoning') return [];
    const contentBlockIndex = this.#next++;
    if (kind === 'text') return [];
    return [
      event('contentBlockStart', { contentBlockIndex, start: { toolUse: { toolUseId: id ?? '', name: name ?? '' } } }),
    ];
  }

  grow(piece: string, { kind }: Begun): StreamEvent[] {
    if (kind === 'reasoning') return [];
    const delta = kind === 'text' ? { text: piece } : { toolUse: { input: piece } };
    return [event('contentBlockDelta', { contentBlockIndex: this.#next - 1, delta: delta as JsonObject })];
  }

  end({ kind, text, signature }: Told): StreamEvent[] {
    if (kind !== 'reasoning') return [event('contentBlockStop', { contentBlockIndex: this.#next - 1 })];
    if (signature === undefined) return [];
    return writeBlock({ reasoningContent: { reasoningText: { text, signature } } }, this.#next++);
  }

  whole(part: Part): StreamEvent[] {
    const { output } = writeReply({ role: 'assistant', parts: [part] }, this.#lose);
    return contentOf(output).flatMap((block) => writeBlock(block, this.#next++));
  }
}
