// What the readers of plain messages share: contents of texts alone.

import type { Role } from '../../conversation/types.ts';
import { ascii, BACKSLASH, LAST, SPACE } from '../../json/ascii.ts';
import type { JsonBytes } from '../../json/bytes.ts';
import type { Span } from './plain-message.ts';

export const ROLE = ascii('role');
export const CONTENT = ascii('content');
export const TYPE = ascii('type');
export const TEXT = ascii('text');
export const ID = ascii('id');
export const NAME = ascii('name');
const SYSTEM = ascii('system');
const USER = ascii('user');
const ASSISTANT = ascii('assistant');
export const NULL = ascii('null');
export const META = ascii('_meta');

/** Where the last string or object stands in the line that begins at `base`. */
export const spanOf = ({ from, at }: JsonBytes, base: number): Span => ({ from: from - base, to: at - base });

/** A role that all dialects have; undefined for another. */
export function readRole(json: JsonBytes): Role | undefined {
  if (!json.string()) return undefined;
  if (json.is(USER)) return 'user';
  if (json.is(ASSISTANT)) return 'assistant';
  return json.is(SYSTEM) ? 'system' : undefined;
}

/** Adds a text, or the texts of a list of parts that are texts and nothing else. `base` is where the line begins. */
export function readTexts(json: JsonBytes, base: number, texts: Span[]): boolean {
  if (json.string()) {
    texts.push(spanOf(json, base));
    return true;
  }
  if (!json.beginsList()) return false;
  do if (!readTextPart(json, base, texts)) return false;
  while (json.continues());
  return json.endsList();
}

function readTextPart(json: JsonBytes, base: number, texts: Span[]): boolean {
  if (!json.begins()) return false;
  let fields = 0;
  let typed = false;
  let text: Span | undefined;
  do {
    fields += 1;
    if (!json.key()) return false;
    if (json.isKey(TYPE)) typed = json.string() && json.is(TEXT);
    else if (json.isKey(TEXT) && json.string()) text = spanOf(json, base);
    else return false;
  } while (json.continues());
  if (!typed || text === undefined || fields !== 2) return false;
  texts.push(text);
  return json.ends();
}

/** The letters of escapes that stand for white space. */
const WHITE = Uint8Array.from([102, 110, 114, 116]);

/** Whether a text has no visible character. Where it is not told soon, the text is looked at as a whole. */
export function isBlank({ bytes }: JsonBytes, base: number, { from, to }: Span): boolean {
  const end = base + to - 1;
  for (let at = base + from + 1; at < end; at += 1) {
    const byte = bytes[at] as number;
    if (byte > SPACE && byte <= LAST && byte !== BACKSLASH) return false;
    if (byte === BACKSLASH && WHITE.includes(bytes[at + 1] as number)) at += 1;
    else if (byte !== SPACE) return JSON.parse(bytes.toString('utf8', base + from, base + to)).trim() === '';
  }
  return true;
}
