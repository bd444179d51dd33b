// The digest: what is remembered of entries that go, in as many tokens as there are for it.
import type { Counter } from '../../../lib/tokens/count.ts';
import { cut } from '../clip.ts';
import type { NameKind } from './names.ts';
import { bullet, fileLine, headingLine, OPENING, type Past, type Section } from './text.ts';

/** Below this there is no room for more than the opening. Tokens. */
export const SMALLEST = 120;

/** What a section may take of the room for the digest, in the order in which they take it. */
const SHARES: readonly (readonly [Section, number])[] = [
  ['summaries', 0.9],
  ['errors', 0.12],
  ['facts', 0.4],
  ['files', 0.15],
  ['commands', 0.04],
  ['names', 1],
];

/** What takes the room that is left over, in this order. */
const REST: readonly Section[] = ['facts', 'errors', 'requests', 'commands', 'answers', 'names'];

/** In the order in which a reader wants them. */
const ORDER: readonly Section[] = ['summaries', 'requests', 'answers', 'errors', 'commands', 'files', 'facts', 'names'];

/** Entries of a list are cut to one length, which shrinks by this until they fit; below the shortest only the latest are kept. Characters. */
const SHRINK = 0.93;
const SHORTEST = 80;
/** More characters than this make a token only in drawings and padding. */
const CHARS = 5;

/** Kept back from names for answers. */
const FOR_ANSWERS = 0.08;

/** Tokens for the digest, and of them those that are meant for what the user said. */
export interface Allowance {
  readonly tokens: number;
  readonly requests: number;
}

/**
 * The digest of what is remembered, in at most so many tokens of text; undefined if there is nothing to say, or no room. `known` has what
 * stands elsewhere in the conversation and need not be said again.
 */
export function writeDigest(
  past: Past,
  room: Allowance,
  counter: Counter,
  known: ReadonlySet<string>,
): string | undefined {
  const writer = new Writer(past, counter, known);
  const bodies = new Map<Section, string>();
  let left = Math.floor(room.tokens) - counter.text(OPENING) - 4;
  if (room.tokens < SMALLEST || left <= 0) return undefined;
  const sizeOf = (section: Section, body: string | undefined): number =>
    body === undefined ? 0 : counter.text(body) + counter.text(headingLine(section)) + 2;
  const write = (section: Section, most: number): void => {
    const heading = sizeOf(section, '');
    const body = most > heading ? writer.section(section, most - heading) : '';
    if (body === '') return;
    left += sizeOf(section, bodies.get(section)) - sizeOf(section, body);
    bodies.set(section, body);
  };
  write('requests', Math.min(left, Math.max(room.requests, 0.2 * left)));
  const whole = left;
  for (const [section, share] of SHARES)
    write(section, Math.min(left - (section === 'names' ? FOR_ANSWERS * whole : 0), share * whole));
  for (const section of REST) write(section, left + sizeOf(section, bodies.get(section)));
  if (bodies.size === 0) return undefined;
  const texts = ORDER.map((section) => (bodies.has(section) ? headingLine(section) + bodies.get(section) : ''));
  return `${OPENING}\n${texts.join('')}`.trimEnd();
}

class Writer {
  readonly #past: Past;
  readonly #counter: Counter;
  readonly #known: ReadonlySet<string>;

  constructor(past: Past, counter: Counter, known: ReadonlySet<string>) {
    this.#past = past;
    this.#counter = counter;
    this.#known = known;
  }

  section(section: Section, tokens: number): string {
    const { requests, answers, errors, commands, summaries } = this.#past;
    if (section === 'facts') return this.#list('fact', tokens);
    if (section === 'names') return this.#list('name', tokens);
    if (section === 'files') return this.#files(tokens);
    if (section === 'requests') return this.#bullets(requests, tokens);
    if (section === 'answers') return this.#bullets(answers, tokens);
    if (section === 'errors') return this.#bullets(distinct(errors), tokens, 250);
    if (section === 'commands') return this.#lines(distinct(commands), tokens);
    return this.#summaries(summaries, tokens);
  }

  /** All of them, as long as they can be; if even the shortest do not fit, the latest. */
  #bullets(all: readonly string[], tokens: number, longest = Number.POSITIVE_INFINITY): string {
    const texts = all.slice(-Math.max(1, Math.floor(tokens / 4)));
    for (let length = Math.min(longest, levelOf(texts, tokens * CHARS)); ; length *= SHRINK) {
      const lines = texts.map((text) => bullet(length < SHORTEST ? oneLine(text) : cut(text, length)));
      const sizes = lines.map((line) => this.#counter.text(line));
      const fits = sizes.reduce((sum, size) => sum + size, 0) <= tokens;
      if (fits || length < SHORTEST) return lines.slice(fits ? 0 : latest(sizes, tokens)).join('');
    }
  }

  /** The latest, each on one line. */
  #lines(all: readonly string[], tokens: number): string {
    const lines = all.slice(-Math.max(1, Math.floor(tokens / 4))).map((text) => bullet(oneLine(text)));
    const sizes = lines.map((line) => this.#counter.text(line));
    return lines.slice(latest(sizes, tokens)).join('');
  }

  #files(tokens: number): string {
    const files = [...this.#past.files].slice(-Math.max(1, Math.floor(tokens / 4)));
    const lines = files.map(([path, tools]) => fileLine(path, tools));
    const sizes = lines.map((line) => this.#counter.text(line));
    return lines.slice(latest(sizes, tokens)).join('');
  }

  #summaries(texts: readonly string[], tokens: number): string {
    const all = texts.join('\n\n');
    if (this.#counter.text(all) <= tokens) return all === '' ? '' : `${all}\n`;
    for (let length = all.length; length > 100; length = Math.floor(length * 0.8)) {
      const clipped = cut(all, length);
      if (this.#counter.text(clipped) <= tokens) return `${clipped}\n`;
    }
    return '';
  }

  /** The names that say most for what they cost. */
  #list(kind: NameKind, tokens: number): string {
    const worth = kind === 'name' ? 0.9 : 0.2;
    const ranked = [...this.#past.scores(kind)]
      .filter(([name]) => !this.#known.has(name))
      .map(([name, score]) => [name, score / (1 + name.length / 4) ** worth] as const)
      .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
    const names: string[] = [];
    let left = tokens;
    for (const [name] of ranked) {
      const size = this.#counter.text(`, ${name}`);
      if (size > left) {
        if (left < 4) break;
        continue;
      }
      left -= size;
      names.push(name);
    }
    return names.length === 0 ? '' : `${names.join(', ')}\n`;
  }
}

/** The length that texts must be cut to so that all of them together have `chars`. */
function levelOf(texts: readonly string[], chars: number): number {
  const lengths = texts.map(({ length }) => length).sort((a, b) => a - b);
  let left = chars;
  for (const [i, length] of lengths.entries()) {
    const rest = lengths.length - i;
    if (length * rest > left) return left / rest;
    left -= length;
  }
  return lengths.at(-1) ?? 0;
}

/** What a command line is known by. Characters. */
const LINE = 100;

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= LINE ? line : `${line.slice(0, LINE).toWellFormed()} …`;
}

/** The index from which on the sizes fit. */
function latest(sizes: readonly number[], tokens: number): number {
  let at = sizes.length;
  for (let left = tokens; at > 0 && (sizes[at - 1] as number) <= left; ) left -= sizes[--at] as number;
  return at;
}

/** The last of those that differ in more than numbers. */
function distinct(texts: readonly string[]): string[] {
  const last = new Map<string, string>();
  for (const text of texts) {
    const key = text.replace(/\d+/g, '0');
    last.delete(key);
    last.set(key, text);
  }
  return [...last.values()];
}
