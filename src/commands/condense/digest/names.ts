// Names in a text: paths, identifiers, hashes, numbers, addresses. Found in one pass, since the text may be anything.

/** What carries a fact by itself, and what only names a thing. */
export type NameKind = 'fact' | 'name';

const LONGEST = 100;

/** Calls `found` with each name in a text, repeats included. */
export function eachName(text: string, found: (name: string, kind: NameKind) => void): void {
  const { length } = text;
  for (let at = 0; at < length; ) {
    if (CLASS[text.charCodeAt(at)] !== WORD) {
      at++;
      continue;
    }
    const start = at;
    while (at < length && (CLASS[text.charCodeAt(at)] ?? BREAK) !== BREAK) at++;
    const end = trimEnd(text, start, at);
    if (end - start >= 3 && end - start <= LONGEST) classify(text.slice(start, end), found);
  }
}

const BREAK = 0;
const WORD = 1;
/** Stands inside a name, not at its ends. */
const JOINT = 2;

/** By character code: letters, digits and `_` make words; `. / - : @ # ~ + =` and the like join them. */
const CLASS = new Uint8Array(0x250);
for (let code = 0; code < 0x250; code++) {
  const char = String.fromCharCode(code);
  if (/[A-Za-z0-9_$]/.test(char) || (code >= 0xc0 && /\p{L}/u.test(char))) CLASS[code] = WORD;
  else if ('./-@:~+%#'.includes(char)) CLASS[code] = JOINT;
}

function trimEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && CLASS[text.charCodeAt(at - 1)] === JOINT) at--;
  return at;
}

const HEX = /^[0-9a-f]{7,64}$/i;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const ADDRESS = /^[a-z][a-z0-9+.-]{1,20}:\/\/|^[\w.+-]+@[\w-]+\.[\w.-]+$|^\d{1,3}(\.\d{1,3}){3}(:\d+)?$/i;

function classify(word: string, found: (name: string, kind: NameKind) => void): void {
  const kind = kindOf(word);
  if (kind !== undefined && (kind === 'fact' || !word.includes(':'))) found(word, kind);
  // A line number behind a path, a key before its value: the parts are names of their own.
  else if (word.includes(':'))
    for (const part of word.split(':')) if (part.length >= 3 && kindOf(part) !== undefined) found(part, 'name');
}

function kindOf(word: string): NameKind | undefined {
  const digits = countDigits(word);
  if (digits > 0 && digits === word.length) return digits >= 4 ? 'fact' : undefined;
  if (digits > 0 && (UUID.test(word) || (digits > 1 && HEX.test(word)) || isRandom(word, digits))) return 'fact';
  if (mayBeAddress(word, digits) && ADDRESS.test(word)) return 'fact';
  return isName(word) ? 'name' : undefined;
}

/** An address has a scheme, an @, or begins with a digit. */
const mayBeAddress = (word: string, digits: number): boolean =>
  (digits > 0 && isDigit(word, 0)) || word.includes('@') || word.includes('://');

function countDigits(word: string): number {
  let count = 0;
  for (let i = 0; i < word.length; i++) if (word.charCodeAt(i) >= 48 && word.charCodeAt(i) <= 57) count++;
  return count;
}

/** Keys, tokens, ids: letters and digits mixed without a pattern. */
function isRandom(word: string, digits: number): boolean {
  if (word.length < 12 || digits < 3 || word.includes('/') || word.includes('.')) return false;
  let changes = 0;
  for (let i = 1; i < word.length; i++) if (isDigit(word, i) !== isDigit(word, i - 1)) changes++;
  return changes >= 4;
}

const isDigit = (word: string, at: number): boolean => word.charCodeAt(at) >= 48 && word.charCodeAt(at) <= 57;

/** Words that a person would not say: with a joint, an underscore, a hump, a digit, or in capitals. Sizes and times (`14ms`, `3.5x`) are none. */
function isName(word: string): boolean {
  if (isDigit(word, 0) && word.length < 8) return false;
  for (let i = 1; i < word.length; i++) {
    const code = word.charCodeAt(i);
    if (code < 0x41 || code === 0x5f) return true;
    if (code <= 0x5a && word.charCodeAt(i - 1) >= 0x61) return true;
  }
  return false;
}
