// One or more calls as JSON: objects one after another, or a list.
import type { Json } from '../json/values.ts';
import type { Body } from './body.ts';
import { type NoValue, opensValue, parseJson, type ValueAt, valueAt } from './json.ts';
import { callsIn, type Expected } from './json-call.ts';
import type { Source } from './source.ts';
import { MOST_CALLS, type Repair, type Spoken } from './types.ts';

/** Reads calls from the object or list at `at`. `closers`: the texts that end what the calls stand in. */
export function jsonBody(
  source: Source,
  at: number,
  closers: readonly string[],
  expected?: Expected,
): Body | undefined {
  const wanted = expected ?? { tools: source.tools, certain: true };
  const calls: Spoken[] = [];
  let end = at;
  for (let i = source.space(at); ; ) {
    const one = oneValue(source, i, closers, wanted);
    if (one === undefined || calls.length >= MOST_CALLS) break;
    for (const call of one.calls) calls.push(call);
    if (one.calls.length > 0) end = one.end;
    if (one.cut !== undefined) return { calls, end, cut: one.cut };
    if (one.calls.length === 0) break;
    i = source.space(one.end);
    if (source.text[i] === ';' || source.text[i] === ',') i = source.space(i + 1);
  }
  return calls.length > 0 ? { calls, end } : undefined;
}

function oneValue(source: Source, at: number, closers: readonly string[], expected: Expected): Body | undefined {
  const c = source.text[at];
  if ((c !== '{' && c !== '[') || !opensValue(source, at)) return undefined;
  if (c === '[' && !'{['.includes(source.text[source.space(at + 1)] ?? ' ')) return undefined;
  const found = valueAt(source, at, closers);
  if (!('type' in found)) return bodyOf(found, expected);
  return c === '[' ? items(source, at, closers, expected) : unclosed(source, at, found, expected);
}

function bodyOf({ value, repair, end }: ValueAt, expected: Expected): Body {
  return { calls: mark(value, expected, repair), end };
}

function mark(value: Json, expected: Expected, repair: Repair | undefined): Spoken[] {
  if (repair === undefined) return callsIn(value, expected);
  // Without a mark and without a list of tools only what is written as it should be is a call.
  if (!expected.certain && !expected.tools.known && repair !== 'Python literal') return [];
  const calls = callsIn(value, { ...expected, mended: true });
  return calls.filter(isWhole).map((call) => ({ ...call, repairs: [...(call.repairs ?? []), repair] }));
}

/** Of a call that had to be mended the arguments must still be an object: bare words are no arguments. */
function isWhole({ arguments: given }: Spoken): boolean {
  return given.type !== 'json' || (typeof given.value === 'object' && given.value !== null);
}

/** A list that cannot be read as a whole: each of its objects by itself. Broken ones are passed over. */
function items(source: Source, at: number, closers: readonly string[], expected: Expected): Body | undefined {
  const calls: Spoken[] = [];
  let end = at + 1;
  for (let i = source.space(at + 1); source.text[i] === '{' && opensValue(source, i); ) {
    const found = valueAt(source, i, closers);
    if ('type' in found && found.type === 'cut') {
      const last = unclosed(source, i, found, expected);
      return last && { ...last, calls: [...calls, ...last.calls], end: last.calls.length > 0 ? last.end : end };
    }
    if ('type' in found) break;
    for (const call of bodyOf(found, expected).calls) calls.push(call);
    end = found.end;
    i = source.space(end);
    if (source.text[i] === ',') i = source.space(i + 1);
  }
  if (calls.length === 0) return undefined;
  const close = source.space(end);
  return { calls, end: source.text[close] === ']' ? close + 1 : end };
}

/** An object that the text's end cuts off: a call if only what is around its arguments is missing. */
function unclosed(source: Source, at: number, { type }: NoValue, expected: Expected): Body | undefined {
  if (type !== 'cut') return undefined;
  const text = source.text.slice(at).trimEnd();
  const whole = text.endsWith('}') ? closed(text, expected) : [];
  if (whole.length > 0) return { calls: whole, end: source.text.length };
  if (!/^\{\s*["'][\w ]+["']\s*:/.test(text)) return undefined;
  return { calls: source.salvage ? salvaged(text, expected) : [], end: source.text.length, cut: at };
}

function closed(text: string, expected: Expected): Spoken[] {
  for (const end of ['}', '}]', '}}']) {
    try {
      return mark(JSON.parse(text + end), expected, 'JSON mended');
    } catch {
      // Another end may fit.
    }
  }
  return [];
}

function salvaged(text: string, expected: Expected): Spoken[] {
  const found = parseJson(text);
  return found ? mark(found.value, expected, 'arguments cut off') : [];
}
