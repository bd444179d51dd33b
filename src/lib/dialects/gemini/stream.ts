// The chunks of a streamed reply, each a reply of its own with some parts: https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent
import type { Delta } from '../../conversation/delta.ts';
import type { Message, Part } from '../../conversation/types.ts';
import { isObject, type Json, type JsonObject } from '../../json/values.ts';
import { type Known, type StreamReader, UnfinishedStream, UpstreamError } from '../codec/stream.ts';
import { CallIds, lacksId, replyCallId } from './call-ids.ts';
import { GEMINI } from './name.ts';
import { PartialArgs } from './partial-args.ts';
import { readPart } from './read-part.ts';
import { readReply } from './reply.ts';
import { fromCamel, toCamel } from './spelling.ts';
import { readUsage } from './usage.ts';

/** A part as it grows: the pieces of a text, or the arguments of a call. */
interface Growing {
  readonly part: JsonObject;
  readonly texts?: string[];
  args?: PartialArgs;
  open: boolean;
}

/** Builds the reply as the API would have sent it whole, and tells each piece as it comes. */
export class GeminiStream implements StreamReader {
  #top: JsonObject = {};
  #candidate: JsonObject = {};
  #content: JsonObject | undefined;
  #finished = false;
  readonly #parts: Growing[] = [];
  #ids: CallIds | undefined;
  readonly #names = new Set<string>();

  get known(): Known {
    const { responseId, modelVersion, usageMetadata } = this.#top;
    const usage = readUsage(usageMetadata);
    return {
      ...(typeof responseId === 'string' && { id: responseId }),
      ...(typeof modelVersion === 'string' && { by: { api: GEMINI, model: modelVersion } }),
      ...(usage && { usage }),
    };
  }

  isNext(event: JsonObject): boolean {
    const id = event.responseId ?? event.response_id;
    return (
      this.#finished && typeof id === 'string' && this.#top.responseId !== undefined && id !== this.#top.responseId
    );
  }

  push(event: JsonObject): Delta[] {
    if (isObject(event.error)) throw new UpstreamError(event);
    const { value, names } = toCamel(event);
    for (const name of names) this.#names.add(name);
    const { candidates, ...top } = value;
    this.#top = { ...this.#top, ...top };
    if (isObject(top.promptFeedback) && top.promptFeedback.blockReason) this.#finished = true;
    const candidate = Array.isArray(candidates)
      ? candidates.find((c) => isObject(c) && (c.index ?? 0) === 0)
      : undefined;
    if (!isObject(candidate)) return [];
    const { content, ...about } = candidate;
    this.#candidate = { ...this.#candidate, ...about };
    this.#finished ||= typeof about.finishReason === 'string' && about.finishReason !== '';
    if (!isObject(content)) return [];
    const { parts, ...more } = content;
    this.#content = { ...this.#content, ...more };
    return Array.isArray(parts) ? parts.flatMap((part, i) => (isObject(part) ? this.#grow(part, i === 0) : [])) : [];
  }

  end(): Message {
    if (!this.#finished) throw new UnfinishedStream('finishReason');
    const parts = this.#parts.map(close);
    const content = this.#content && { ...this.#content, ...(parts.length > 0 && { parts }) };
    const whole = { ...this.#top, candidates: [{ ...this.#candidate, ...(content && { content }) }] };
    const blocked = parts.length === 0 && Object.keys(this.#candidate).length === 0;
    const reply = readReply(fromCamel(blocked ? this.#top : whole, [...this.#names]) as JsonObject);
    return { ...reply, parts: withReplyIds(reply) };
  }

  #callIds(): CallIds {
    const { responseId } = this.#top;
    this.#ids ??= new CallIds(typeof responseId === 'string' ? responseId : '0');
    return this.#ids;
  }

  /** Only the first part of a chunk goes on where the last chunk ended. */
  #grow(part: JsonObject, first: boolean): Delta[] {
    const { functionCall } = part;
    if (isObject(functionCall) && this.#isPiece(functionCall)) return this.#growCall(part, functionCall);
    const last = this.#parts.at(-1);
    // The last chunk has to have a content, whether there is more to say or not.
    if (last && part.text === '' && isPlain(part)) return [];
    if (
      first &&
      last?.open &&
      last.texts &&
      isPlain(part) &&
      (part.thought === true) === (last.part.thought === true)
    ) {
      last.texts.push(part.text as string);
      return [this.#tell(part)];
    }
    this.#parts.push({ part, open: isPlain(part), ...(typeof part.text === 'string' && { texts: [part.text] }) });
    if (typeof part.text === 'string') return [this.#tell(part)];
    return this.#tellWhole(part);
  }

  #tell({ text, thought }: JsonObject): Delta {
    const index = this.#parts.length - 1;
    return { type: 'delta', index, [thought === true ? 'reasoning' : 'text']: text };
  }

  #tellWhole(native: JsonObject): Delta[] {
    const index = this.#parts.length - 1;
    const part = readPart(native, this.#callIds());
    if (part.type !== 'tool_call') return [{ type: 'delta', index, part }];
    if (part.by === 'provider') return [];
    const text = part.input === undefined ? (part.text ?? '') : JSON.stringify(part.input);
    return [{ type: 'delta', index, id: part.id, name: part.name, arguments: text }];
  }

  /** A call that is not whole: it says so, or comes without a name after one that did. */
  #isPiece(call: JsonObject): boolean {
    return (
      call.willContinue === true ||
      call.partialArgs !== undefined ||
      (this.#parts.at(-1)?.args !== undefined && call.name === undefined)
    );
  }

  #growCall(part: JsonObject, call: JsonObject): Delta[] {
    const { partialArgs, willContinue, ...about } = call;
    const told: Delta[] = [];
    if (typeof call.name === 'string') {
      this.#parts.push({ part: { ...part, functionCall: about }, args: new PartialArgs(), open: true });
      const id = typeof call.id === 'string' ? call.id : this.#callIds().next(call.name);
      told.push({ type: 'delta', index: this.#parts.length - 1, id, name: call.name });
    }
    const last = this.#parts.at(-1);
    for (const piece of Array.isArray(partialArgs) ? partialArgs : []) last?.args?.push(piece);
    if (willContinue === true || last?.args === undefined || !last.open) return told;
    last.open = false;
    return [...told, { type: 'delta', index: this.#parts.length - 1, arguments: JSON.stringify(last.args.whole) }];
  }
}

/** The parts, with the ids that were told while they came. */
function withReplyIds({ id, parts }: Message): Part[] {
  let made = 0;
  return parts.map((part) =>
    part.type === 'tool_call' && lacksId(part) ? { ...part, id: replyCallId(id, made++) } : part,
  );
}

/** A text, or a thought, and nothing else: what is signed stands by itself. */
function isPlain(part: JsonObject): boolean {
  const fields = Object.keys(part).filter((field) => field !== 'thought' || part.thought !== false);
  return typeof part.text === 'string' && fields.every((field) => field === 'text' || field === 'thought');
}

function close({ part, texts, args }: Growing): Json {
  if (texts) return { ...part, text: texts.join('') };
  return args ? { ...part, functionCall: { ...(part.functionCall as JsonObject), args: args.whole } } : part;
}
