// A reply in pieces: what `--stream` writes before the whole message.
import { isObject, type Json } from '../json/values.ts';
import type { Citation, Part } from './types.ts';

/** One piece of the part at `index`. Strings are appended to what came before; `part` is a whole one. */
export interface Delta {
  readonly type: 'delta';
  readonly index: number;
  readonly text?: string;
  readonly citation?: Citation;
  readonly reasoning?: string;
  readonly signature?: string;
  readonly refusal?: string;
  /** A tool call: `id` and `name` come with its first piece, `arguments` as pieces of JSON text, `input` as pieces of free text. */
  readonly id?: string;
  readonly name?: string;
  readonly arguments?: string;
  readonly input?: string;
  readonly part?: Part;
}

export const isDelta = (value: Json | undefined): boolean =>
  isObject(value) && value.type === 'delta' && typeof value.index === 'number';
