// What the readers of plain messages share: contents of texts alone.
import { ascii, type JsonBytes } from '../../ir/json-bytes.ts';
import type { Span } from '../../ir/plain.ts';

export const ROLE = ascii('role');
export const CONTENT = ascii('content');
export const TYPE = ascii('type');
export const TEXT = ascii('text');
export const ID = ascii('id');
export const NAME = ascii('name');
export const SYSTEM = ascii('system');
export const USER = ascii('user');
export const ASSISTANT = ascii('assistant');
export const NULL = ascii('null');
export const META = ascii('_meta');

/** Adds a text, or the texts of a list of parts that are texts and nothing else. `base` is where the line begins. */
export function readTexts(json: JsonBytes, base: number, texts: Span[]): boolean {
  if (json.string()) {
    texts.push({ from: json.from - base, to: json.at - base });
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
    else if (json.isKey(TEXT) && json.string()) text = { from: json.from - base, to: json.at - base };
    else return false;
  } while (json.continues());
  if (!typed || text === undefined || fields !== 2) return false;
  texts.push(text);
  return json.ends();
}

const [SPACE, BACKSLASH, LAST] = [32, 92, 126];
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
