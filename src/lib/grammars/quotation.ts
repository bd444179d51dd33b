// Quotation marks around a place in a text.

/** Whether quotation marks stand around a place: directly, or on its lines. `from`: what is before it has been taken out. */
export function inQuotation(text: string, start: number, end: number, from: number): boolean {
  const closing = QUOTATION.get(text[start - 1] ?? '');
  if (closing !== undefined && closing === text[end]) return true;
  const before = text.slice(Math.max(from, start - 400), Math.max(from, start));
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const rest = text.slice(end, end + 400).split('\n', 1)[0] ?? '';
  return opens(line, '"', '"') ? rest.includes('"') : opens(line, '“', '”') && rest.includes('”');
}

/** Whether a quotation that begins in a text is open at its end. */
function opens(text: string, open: string, close: string): boolean {
  const last = text.lastIndexOf(open);
  if (last < 0) return false;
  if (open !== close) return text.indexOf(close, last) < 0;
  return text.split(open).length % 2 === 0 && !/[\p{L}\p{N}]/u.test(text[last - 1] ?? '');
}

const QUOTATION = new Map([
  ['"', '"'],
  ["'", "'"],
  ['“', '”'],
  ['‘', '’'],
  ['«', '»'],
  ['„', '“'],
]);
