// One block of a streamed reply. Text begins without a start of its own; what it is shows in its first piece.
import type { Delta } from '../../conversation/delta.ts';
import { isObject, type Json, type JsonObject } from '../../json/values.ts';
import { lookup } from '../codec/fields.ts';
import { readCitation } from './citations.ts';
import { readBlock } from './read-blocks.ts';
import type { DeltaKind, StartKind } from './types.ts';

/** The kinds of blocks that say at their start what they are. */
const STARTS: { readonly [kind in StartKind]: true } = { toolUse: true, toolResult: true, image: true };

export class GrowingBlock {
  readonly #index: number;
  #started: JsonObject = {};
  readonly #text: string[] = [];
  readonly #reasoning: string[] = [];
  #reasons: JsonObject | undefined;
  readonly #redacted: string[] = [];
  readonly #input: string[] = [];
  readonly #citations: Json[] = [];
  readonly #results: Json[] = [];
  #image: JsonObject = {};

  constructor(index: number) {
    this.#index = index;
  }

  start(native: Json | undefined): Delta[] {
    const [[kind, fields] = []] = isObject(native) ? Object.entries(native).filter(([key]) => lookup(STARTS, key)) : [];
    if (kind === undefined || !isObject(fields)) return [];
    this.#started = { [kind]: fields };
    if (kind !== 'toolUse' || fields.type === 'server_tool_use') return [];
    return [this.#delta({ id: String(fields.toolUseId ?? ''), name: String(fields.name ?? ''), arguments: '' })];
  }

  grow(native: Json | undefined): Delta[] {
    const [[kind, piece] = []] = isObject(native) ? Object.entries(native) : [];
    return lookup<(piece: Json | undefined) => Delta[]>(this.#growers, kind)?.(piece) ?? [];
  }

  readonly #growers: { readonly [kind in DeltaKind]: (piece: Json | undefined) => Delta[] } = {
    text: (piece) => this.#say(this.#text, piece, 'text'),
    toolUse: (piece) => this.#growInput(isObject(piece) ? piece.input : undefined),
    toolResult: (piece) => {
      if (Array.isArray(piece)) this.#results.push(...piece);
      return [];
    },
    reasoningContent: (piece) => this.#reason(isObject(piece) ? piece : {}),
    citation: (piece) => {
      this.#citations.push(piece ?? null);
      return isObject(piece) ? [this.#delta({ citation: readCitation(piece) })] : [];
    },
    image: (piece) => {
      if (isObject(piece)) this.#image = { ...this.#image, ...piece };
      return [];
    },
  };

  #delta(fields: Omit<Delta, 'type' | 'index'>): Delta {
    return { type: 'delta', index: this.#index, ...fields };
  }

  #say(into: string[], piece: unknown, field: 'text' | 'reasoning'): Delta[] {
    if (typeof piece !== 'string') return [];
    into.push(piece);
    return piece === '' ? [] : [this.#delta({ [field]: piece })];
  }

  #growInput(piece: unknown): Delta[] {
    if (typeof piece !== 'string') return [];
    this.#input.push(piece);
    const { toolUse } = this.#started;
    const shown = piece !== '' && isObject(toolUse) && toolUse.type !== 'server_tool_use';
    return shown ? [this.#delta({ arguments: piece })] : [];
  }

  #reason({ text, signature, redactedContent }: JsonObject): Delta[] {
    if (typeof redactedContent === 'string') {
      this.#redacted.push(redactedContent);
      return [];
    }
    this.#reasons ??= {};
    if (typeof signature !== 'string') return this.#say(this.#reasoning, text, 'reasoning');
    this.#reasons = { signature: `${this.#reasons.signature ?? ''}${signature}` };
    return [this.#delta({ signature })];
  }

  /** Blocks that mean nothing before they are whole are told here. */
  stop(): Delta[] {
    const { toolResult, image } = this.#started;
    if (toolResult === undefined && image === undefined && this.#redacted.length === 0) return [];
    return this.close().map((block) => this.#delta({ part: readBlock(block) }));
  }

  /** The block as the API would have sent it whole; none if nothing was said of it. */
  close(): JsonObject[] {
    const { toolUse, toolResult, image } = this.#started;
    if (isObject(toolUse)) return [{ toolUse: { ...toolUse, input: parsed(this.#input.join('')) } }];
    if (isObject(toolResult)) return [{ toolResult: { ...toolResult, content: this.#results } }];
    if (isObject(image)) return [{ image: { ...image, ...this.#image } }];
    if (this.#redacted.length > 0) return [{ reasoningContent: { redactedContent: joinBytes(this.#redacted) } }];
    if (this.#reasons)
      return [{ reasoningContent: { reasoningText: { text: this.#reasoning.join(''), ...this.#reasons } } }];
    const text = this.#text.join('');
    if (this.#citations.length > 0) return [{ citationsContent: { content: [{ text }], citations: this.#citations } }];
    return text === '' ? [] : [{ text }];
  }
}

/** Input that is no JSON was cut by a limit: it is kept as text, and never closed by guessing. */
function parsed(text: string): Json {
  if (text === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return { _raw: text };
  }
}

/** Each piece is bytes in base64 of its own. */
function joinBytes(pieces: readonly string[]): string {
  const [only, ...others] = pieces;
  if (only !== undefined && others.length === 0) return only;
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece, 'base64'))).toString('base64');
}
