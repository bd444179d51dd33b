// Where a bracketed value ends, without reading it.

/** What a search for the end met: the end (behind the bracket), or why there is none and where that showed. */
type Extent =
  | { readonly type: 'whole'; readonly end: number }
  | { readonly type: 'cut' | 'deep' | 'bad'; readonly end: number };

/** Deeper nesting is no call. */
const DEEPEST = 200;

/** Characters that stand outside strings in JSON, in Python literals, and in what models make of them. */
const OUTSIDE = new Uint8Array(128);
for (const c of ' \t\r\n,:=.+-_$;\\/*#|()') OUTSIDE[c.charCodeAt(0)] = 1;
for (const [from, to] of ['09', 'AZ', 'az']) for (let c = code(from); c <= code(to); c += 1) OUTSIDE[c] = 1;

function code(c: string | undefined): number {
  return c?.charCodeAt(0) ?? 0;
}

const [QUOTE, APOSTROPHE, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [34, 39, 123, 125, 91, 93];

/**
 * The end of the object or array that begins at `at`. Knows strings in double quotes, and in single ones where a value may begin. `limit`: do
 * not look behind it. Stops at the first character that no such value has.
 */
export function extentAt(text: string, at: number, limit = text.length): Extent {
  let depth = 0;
  for (let i = at; i < limit; i += 1) {
    const c = text.charCodeAt(i);
    if (c === QUOTE || (c === APOSTROPHE && opensString(text, i))) {
      i = endOfString(text, i, c);
      if (i < 0) return { type: 'cut', end: limit };
    } else if (c === OPEN || c === OPEN_LIST) {
      depth += 1;
      if (depth > DEEPEST) return { type: 'deep', end: i };
    } else if (c === CLOSE || c === CLOSE_LIST) {
      depth -= 1;
      if (depth === 0) return { type: 'whole', end: i + 1 };
    } else if (c < 128 && OUTSIDE[c] !== 1) return { type: 'bad', end: i };
  }
  return { type: 'cut', end: limit };
}

/** Where the string that opens at `at` closes; -1 if it does not. */
export function endOfString(text: string, at: number, quote: number): number {
  const mark = quote === QUOTE ? '"' : "'";
  for (let i = text.indexOf(mark, at + 1); i >= 0; i = text.indexOf(mark, i + 1)) {
    let slashes = 0;
    while (text.charCodeAt(i - 1 - slashes) === 92) slashes += 1;
    if (slashes % 2 === 0) return i;
  }
  return -1;
}

/** A single quote begins a string behind a bracket, a comma, a colon or an equals sign; elsewhere it is an apostrophe. */
function opensString(text: string, at: number): boolean {
  let i = at - 1;
  while (i >= 0 && text.charCodeAt(i) <= 32) i -= 1;
  const c = text[i];
  return c !== undefined && '{[(,:='.includes(c);
}
