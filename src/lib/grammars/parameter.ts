// Parameters as elements: `<parameter=k>v</parameter>`, `<parameter name="k">v</parameter>`. Values are raw text, and may hold tags themselves.
import type { Source, Tag } from './source.ts';
import { attributesOf, decodeEntities, nameOf, tagAt } from './tag.ts';
import type { Repair, TextArgument } from './types.ts';

export interface Parameters {
  readonly entries: readonly TextArgument[];
  readonly end: number;
  /** Where the value begins that the text's end cuts off. */
  readonly cut?: number;
  readonly repairs: readonly Repair[];
}

const PARAMETERS = new Set(['parameter', 'param', 'argument', 'arg']);
const CALLS = new Set(['function', 'invoke', 'function_call']);
const WRAPPERS = new Set([
  'tool_call',
  'tool_calls',
  'function_calls',
  'functions',
  'dots_function_call',
  'toolcalls',
  'tools',
  '|tool_call_end|',
  '|tool_calls_end|',
]);

/** Whether a tag opens or closes a parameter. */
export const isParameter = (tag: Tag): boolean => PARAMETERS.has(tag.name);

/** Reads parameters one after another. `keys`: those of the tool, if it is known; another name opens no parameter inside a value then. */
export function readParameters(source: Source, at: number, keys: ReadonlySet<string>): Parameters {
  const entries: TextArgument[] = [];
  const repairs: Repair[] = [];
  let end = at;
  for (;;) {
    const start = source.space(end);
    const tag = source.text[start] === '<' ? tagAt(source, start) : undefined;
    if (tag === undefined || !isParameter(tag) || tag.closes) return { entries, end, repairs };
    const key = nameOf(tag) ?? '';
    if (tag.empty || attributesOf(tag).has('value')) {
      entries.push({ key, text: decodeEntities(attributesOf(tag).get('value') ?? ''), ...typeOf(tag) });
      end = afterCloser(source, tag.end);
      continue;
    }
    const value =
      new ValueSearch(source, tag.end, keys, tag.space).run() ?? new ValueSearch(source, tag.end, keys).run();
    const text = value && stripped(source.text.slice(tag.end, value.end), tag.name === 'param');
    if (value === undefined || text === undefined) return cutOff(source, tag, key, start, { entries, end, repairs });
    if (!value.closed) repairs.push('closing tag missing');
    entries.push({ key, text, ...typeOf(tag) });
    end = value.next;
  }
}

function cutOff(source: Source, tag: Tag, key: string, start: number, before: Parameters): Parameters {
  if (!source.salvage) return { ...before, end: source.text.length, cut: start };
  const last = { key, text: source.text.slice(tag.end).trim(), ...typeOf(tag) };
  const entries = [...before.entries, last];
  return { entries, end: source.text.length, cut: start, repairs: [...before.repairs, 'arguments cut off'] };
}

function typeOf(tag: Tag): { type?: 'string' | 'json' } {
  const attributes = attributesOf(tag);
  const string = attributes.get('string');
  if (string !== undefined) return { type: string === 'true' ? 'string' : 'json' };
  const type = attributes.get('type');
  if (type === undefined) return {};
  return { type: type === 'string' ? 'string' : 'json' };
}

function afterCloser(source: Source, at: number): number {
  const start = source.space(at);
  const tag = source.text[start] === '<' ? tagAt(source, start) : undefined;
  return tag && isParameter(tag) && tag.closes ? tag.end : at;
}

/** One line break on each side belongs to the layout. Character data is unwrapped where the format has it. */
export function stripped(text: string, decode = false): string {
  const inner = text.replace(/^\r?\n/, '').replace(/\r?\n$/, '');
  if (!decode) return inner;
  const data = /^\s*<!\[CDATA\[(.*)\]\]>\s*$/s.exec(inner)?.[1];
  return data ?? decodeEntities(inner);
}

interface Value {
  readonly end: number;
  readonly next: number;
  readonly closed: boolean;
}

/**
 * Looks for the end of one value: the first closing tag behind which the call goes on as a call does. Elements within the value are counted,
 * so that a whole call may be one. Without such a tag the value ends where the next parameter begins, or the call ends. `space`: only tags of
 * this namespace count, and only a closing tag ends the value.
 */
class ValueSearch {
  readonly #source: Source;
  readonly #from: number;
  readonly #keys: ReadonlySet<string>;
  readonly #space: string | undefined;
  #parameters = 0;
  #calls = 0;
  /** Parameters of a call within the value. */
  #inner = 0;
  /** A parameter within the value was closed: without a closing tag of its own the value's end is in doubt. */
  #held = false;
  #wrappers = 0;
  #firstOpen = -1;
  #callEnd = -1;
  #soft: Value | undefined;

  constructor(source: Source, from: number, keys: ReadonlySet<string>, space?: string) {
    this.#source = source;
    this.#from = from;
    this.#keys = keys;
    this.#space = space;
  }

  run(): Value | undefined {
    const { flat } = this.#source;
    for (let at = flat.indexOf('<', this.#from); at >= 0; at = flat.indexOf('<', at + 1)) {
      if (!this.#source.spend(8)) return undefined;
      const tag = tagAt(this.#source, at);
      const found = tag && this.#take(tag, at);
      if (found) return found;
    }
    this.#source.spend(flat.length - this.#from);
    if (this.#space !== undefined || this.#held) return undefined;
    const open = this.#firstOpen >= 0 && (this.#callEnd < 0 || this.#firstOpen < this.#callEnd);
    const end = open ? this.#firstOpen : this.#callEnd;
    if (this.#soft && (end < 0 || this.#soft.end < end)) return this.#soft;
    return end < 0 ? undefined : { end, next: end, closed: false };
  }

  #take(tag: Tag, at: number): Value | undefined {
    if (PARAMETERS.has(tag.name)) return this.#isOwn(tag) ? this.#takeParameter(tag, at) : undefined;
    if (CALLS.has(tag.name)) {
      if (this.#isOwn(tag)) this.#takeCall(tag, at);
    } else if (WRAPPERS.has(tag.name)) {
      if (!tag.closes && !tag.name.startsWith('|')) this.#wrappers += 1;
      else if (this.#wrappers > 0) this.#wrappers -= 1;
      else this.#ends(at);
    }
    return undefined;
  }

  #isOwn({ space }: Tag): boolean {
    return this.#space === undefined || this.#space === space;
  }

  #takeCall(tag: Tag, at: number): void {
    if (!tag.closes) this.#calls += 1;
    else if (this.#calls > 0) this.#calls -= 1;
    else this.#ends(at);
    if (this.#calls === 0) this.#inner = 0;
  }

  #ends(at: number): void {
    if (this.#callEnd < 0) this.#callEnd = at;
  }

  #takeParameter(tag: Tag, at: number): Value | undefined {
    if (!tag.closes) {
      if (this.#calls > 0 && nameOf(tag) !== undefined && !tag.empty) this.#inner += 1;
      if (this.#calls > 0 || !this.#isOpening(tag, at)) return undefined;
      this.#parameters += 1;
      if (this.#firstOpen < 0) this.#firstOpen = at;
      return undefined;
    }
    if (this.#inner > 0) {
      this.#inner -= 1;
      this.#held = true;
      return undefined;
    }
    if (this.#parameters > 0) {
      this.#parameters -= 1;
      return undefined;
    }
    const value = { end: at, next: tag.end, closed: true };
    if (goesOn(this.#source, tag.end)) return value;
    if (this.#callEnd < 0) this.#soft ??= value;
    return undefined;
  }

  /** A tag within running text opens nothing; nor does one that names no parameter of a known tool. */
  #isOpening(tag: Tag, at: number): boolean {
    const key = nameOf(tag);
    if (key === undefined || tag.empty) return false;
    if (this.#keys.size > 0) return this.#keys.has(key);
    return /(?:^|[\n>])[ \t]*$/.test(this.#source.text.slice(Math.max(0, at - 40), at));
  }
}

/** Whether what follows a closing tag is the rest of a call, or nothing. */
function goesOn(source: Source, at: number): boolean {
  const next = source.space(at);
  if (next >= source.text.length || source.has('```', next) || source.has(']<]', next)) return true;
  const tag = source.text[next] === '<' ? tagAt(source, next) : undefined;
  return (
    tag !== undefined &&
    (PARAMETERS.has(tag.name) || CALLS.has(tag.name) || WRAPPERS.has(tag.name) || tag.name.startsWith('|'))
  );
}
