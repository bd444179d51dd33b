// What a textual format of tool calls is: how it is found in a text, read, and written. One object each, listed in table.ts.
import type { Json, JsonObject } from '../json/values.ts';
import type { Source, Tag } from './source.ts';
import type { Toolset } from './toolset.ts';

/** No message has more calls than this. What follows them stays text. */
export const MOST_CALLS = 10_000;

/** What had to be mended or guessed to read a call. */
export type Repair =
  | 'arguments cut off'
  | 'closing tag missing'
  | 'entities decoded'
  | 'foreign wrapper'
  | 'JSON mended'
  | 'name mended'
  | 'opening tag missing'
  | 'positional arguments'
  | 'Python literal'
  | 'special token respelled'
  | 'value not of its type'
  | 'value typed by the schema';

/** An argument that the text gives as text; its type is the schema's, unless the format says it. */
export interface TextArgument {
  readonly key: string;
  readonly text: string;
  /** What the format says of the value: a string as it stands, or JSON. */
  readonly type?: 'string' | 'json';
  /** A string may be written as JSON, in quotes. */
  readonly quoted?: true;
}

/**
 * Arguments as a format encodes them: typed values, texts by name, values by position before the named ones, or one text for the only
 * parameter.
 */
export type Arguments =
  | { readonly type: 'json'; readonly value: Json }
  | { readonly type: 'texts'; readonly entries: readonly TextArgument[] }
  | { readonly type: 'positions'; readonly values: readonly Json[]; readonly named: JsonObject }
  | { readonly type: 'raw'; readonly text: string; readonly key?: string };

/** A call as the text spells it, not yet matched against the tools. */
export interface Spoken {
  readonly name: string;
  readonly id?: string;
  readonly arguments: Arguments;
  readonly repairs?: readonly Repair[];
}

/** What a grammar made of a place in the text. Offsets are UTF-16 units into the text. */
export interface Reading {
  readonly calls: readonly Spoken[];
  /** Behind the last character that belongs to the calls. */
  readonly end: number;
  /** The text before `start` belongs to the calls as well (a stray word, a name on the line before). */
  readonly start?: number;
  /** Where arguments begin whose end the text does not have. From there on it stays text. */
  readonly cut?: number;
  /** The closing tag is missing. */
  readonly open?: true;
  /** Only a tool that the conversation has may be called so, whatever the grammar says. */
  readonly advertised?: true;
  /** The conversation must say which tools there are. */
  readonly listed?: true;
  /** Reasoning that stands before the calls and belongs to them. */
  readonly thought?: { readonly from: number; readonly to: number };
  /** The format that the text turned out to have, where one grammar knows several. */
  readonly format?: string;
}

/** A call to be written as text. */
export interface Written {
  readonly name: string;
  readonly input: JsonObject;
  readonly id?: string;
}

/** Where one of a grammar's openers stands. */
export interface Opening {
  readonly opener: string;
  readonly at: number;
  /** Behind the opener; behind the whole tag, if it is one. */
  readonly end: number;
  readonly tag?: Tag;
}

export interface Grammar {
  /** The name that `--format` and `_meta.recovered` use. */
  readonly name: string;
  /** Which models and programs write so. */
  readonly summary: string;
  /**
   * The texts that such a call begins with, in ASCII: `|` and `_` stand for the fullwidth bar and the low block as well. A tag that may
   * have attributes is given without its end (`<invoke`).
   */
  readonly openers: readonly string[];
  /** Nothing but a call begins so. Otherwise only a tool that the conversation has can be called. */
  readonly delimited: boolean;
  /** What stands where one of the openers was found. undefined: no call of this grammar. Linear in what it looks at. */
  read(source: Source, opening: Opening): Reading | undefined;
  /** The calls as a model would write them. A grammar without it is only read. */
  write?(calls: readonly Written[], tools: Toolset): string;
  /** How a result is written for the model; `<tool_response>` without it. */
  writeResult?(result: { readonly name: string; readonly id?: string; readonly text: string }): string;
}
