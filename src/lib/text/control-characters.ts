// Characters that are not text: escapes, control characters, and the invisible ones that turn text around or hide some in it.

/** C0 without tab and newline, DEL and C1, the bidirectional overrides and isolates, and the tag characters (a surrogate pair each). */
const SUSPECT = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u202a-\u202e\u2066-\u2069]|\udb40[\udc00-\udc7f]/;

const ALL_SUSPECT = new RegExp(SUSPECT.source, 'g');

/**
 * Terminal sequences (ECMA-48): CSI; OSC, DCS and their like up to their end, but never past a line or 4,096 characters, so that an open one
 * hides nothing; any other escape with its letter.
 */
const SEQUENCE =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x90\x98\x9d\x9e\x9f])[^\x07\x1b\x90\x98\x9c-\x9f\n]{0,4096}(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-~]?/g;

/** The text without terminal sequences and suspect characters. Carriage returns become newlines. Linear in the text. */
export function withoutControls(text: string): string {
  if (!SUSPECT.test(text)) return text;
  return text.replace(SEQUENCE, '').replace(/\r\n?/g, '\n').replace(ALL_SUSPECT, '');
}

/** The text with every suspect character spelled out (`\x1b`, `\u{202e}`), so that a terminal shows it and does not obey it. */
export function visible(text: string): string {
  if (!SUSPECT.test(text)) return text;
  return text.replace(ALL_SUSPECT, (found) => {
    const code = found.codePointAt(0) ?? 0;
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
  });
}

/** The text on one line, controls spelled out, at most `most` characters of it. For errors and prompts that quote data. */
export function quoted(text: string, most = 80): string {
  const line = visible(text).replace(/\n/g, '\\n').replace(/\t/g, '\\t');
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

/**
 * JSON text in which every character that a terminal might obey is spelled out. In valid JSON they stand in strings alone, so that the value
 * stays the same.
 */
export function harmlessJson(json: string): string {
  if (!SUSPECT.test(json)) return json;
  return json
    .replace(/\r/g, ' ')
    .replace(ALL_SUSPECT, (found) =>
      Array.from(found.split(''), (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
    );
}
