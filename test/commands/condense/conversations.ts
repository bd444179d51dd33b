// Conversations made at random in every dialect, whole and broken: what a condenser meets.

import type { FormatName, Head, Message, Part } from '../../../src/lib/conversation/types.ts';
import { FORMATS } from '../../../src/lib/dialects/table.ts';
import type { Format } from '../../../src/lib/dialects/types.ts';
import type { JsonObject } from '../../../src/lib/json/values.ts';

export type Chance = () => number;

/** The same seed gives the same numbers: mulberry32. */
export function dice(seed: number): Chance {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const DIALECTS: readonly FormatName[] = [
  'anthropic',
  'openai',
  'openai-responses',
  'gemini',
  'bedrock',
  'mistral',
  'ollama',
  'cohere',
];

const MODELS: { readonly [dialect: FormatName]: string } = {
  anthropic: 'claude-sonnet-4-5',
  openai: 'gpt-4o',
  'openai-responses': 'gpt-5',
  gemini: 'gemini-2.5-pro',
  bedrock: 'anthropic.claude-sonnet-4-5-20250929-v1:0',
  mistral: 'mistral-large-latest',
  ollama: 'qwen3',
  cohere: 'command-a-03-2025',
};

export interface Generated {
  readonly format: Format;
  readonly head: JsonObject | undefined;
  readonly messages: readonly JsonObject[];
  /** Somebody has tampered with it. */
  readonly broken: boolean;
  /** What the user said first and last. */
  readonly first: string;
  readonly latest: string;
}

const WORDS =
  'src/lib/a.ts test.py id_4711 the user wants Straße 東京 error: failed NaN 0x1f fooBar https://a.example/x 12345'.split(
    ' ',
  );
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const TOOLS = ['Read', 'Write', 'Bash', 'Grep', 'TodoWrite'];

/** One conversation of a dialect. */
export function generate(seed: number, dialect: FormatName): Generated {
  const chance = dice(seed);
  const format = FORMATS.find(({ name }) => name === dialect) as Format;
  const whole = new Maker(chance, dialect).conversation();
  const broken = chance() < 0.5;
  const messages = broken ? tampered(whole, chance) : whole;
  const system = messages[0]?.role === 'system' && chance() < 0.7 ? messages.slice(0, 1) : [];
  const head = headOf(format, system, chance);
  const asks = messages.filter(
    ({ role, parts }) => role === 'user' && parts.every(({ type }) => type !== 'tool_result'),
  );
  return {
    format,
    head: head?.native,
    messages: rendered(format, messages.slice(head ? system.length : 0)),
    broken,
    first: textOf(asks[0]),
    latest: textOf(asks.at(-1)),
  };
}

const textOf = (message: Message | undefined): string =>
  message?.parts.map((part) => (part.type === 'text' ? part.text : '')).find((text) => text.trim() !== '') ?? '';

function headOf(format: Format, system: readonly Message[], chance: Chance): { native: JsonObject } | undefined {
  if (chance() < 0.3) return undefined;
  const model = MODELS[format.name];
  const tools = TOOLS.map((name) => ({ type: 'function', name, schema: { type: 'object', properties: {} } }) as const);
  const head: Head = { model, ...(chance() < 0.8 && { tools }) };
  const { native, rest } = format.writeHead(head, system, () => {});
  return rest.length > 0 ? undefined : { native };
}

/** Messages as the dialect has them. */
function rendered(format: Format, messages: readonly Message[]): JsonObject[] {
  const groups: Message[][] = [];
  for (const message of messages) {
    const group = groups.at(-1);
    if (group && format.joins(group, message)) group.push(message);
    else groups.push([message]);
  }
  return groups.flatMap((group) => format.writeMessages(group, () => {}));
}

class Maker {
  readonly #chance: Chance;
  readonly #dialect: FormatName;
  #ids = 0;

  constructor(chance: Chance, dialect: FormatName) {
    this.#chance = chance;
    this.#dialect = dialect;
  }

  conversation(): Message[] {
    const out: Message[] = [];
    if (this.#is(0.6)) out.push({ role: 'system', parts: [this.#text(20)] });
    const turns = 1 + this.#below(this.#is(0.1) ? 30 : 6);
    for (let turn = 0; turn < turns; turn++) out.push(...this.#turn(turn === turns - 1));
    return out;
  }

  #turn(last: boolean): Message[] {
    const media = this.#dialect !== 'cohere' && this.#dialect !== 'ollama' && this.#is(0.15);
    const ask: Message = { role: 'user', parts: [this.#text(25), ...(media ? [this.#image()] : [])] };
    const out = [ask];
    const steps = this.#below(4);
    for (let step = 0; step < steps; step++) out.push(...this.#step(last && step === steps - 1 && this.#is(0.3)));
    if (steps === 0 || (!last && this.#is(0.9)) || this.#is(0.3)) {
      const open = out.at(-1)?.parts.some(({ type }) => type === 'tool_call') ?? false;
      if (!open && !(last && this.#is(0.6))) out.push(this.#answer());
    }
    return out;
  }

  #answer(): Message {
    return { role: 'assistant', parts: [...this.#thought(), this.#text(30)], stop: { reason: 'stop' } };
  }

  #step(open: boolean): Message[] {
    const calls = Array.from(
      { length: 1 + this.#below(this.#is(0.2) ? 4 : 2) },
      (): Part => ({
        type: 'tool_call',
        id: `c${String(this.#ids++).padStart(8, '0')}`,
        name: this.#one(TOOLS),
        input: { path: `src/${this.#below(5)}.ts`, ...(this.#is(0.3) && { content: this.#words(150) }) },
      }),
    );
    const parts = [...this.#thought(), ...(this.#is(0.5) ? [this.#text(10)] : []), ...calls];
    const results = calls.map((call): Part => this.#result(call as never));
    if (open) return [{ role: 'assistant', parts }];
    const together = ['anthropic', 'bedrock', 'gemini'].includes(this.#dialect);
    const answers: Message[] = together
      ? [{ role: this.#dialect === 'gemini' ? 'tool' : 'user', parts: results }]
      : results.map((result) => ({ role: 'tool', parts: [result] }));
    return [{ role: 'assistant', parts }, ...answers];
  }

  #result({ id, name }: { id: string; name: string }): Part {
    const error = this.#is(0.15);
    const size = this.#is(0.1) ? 900 : 40;
    const shows = this.#dialect === 'anthropic' && !error && this.#is(0.05);
    const parts = [this.#text(size), ...(shows ? [this.#image()] : [])];
    return { type: 'tool_result', callId: id, name, parts, ...(error && { error }) };
  }

  #thought(): Part[] {
    if (!this.#is(0.3)) return [];
    const text = this.#words(30);
    if (this.#dialect === 'anthropic' && this.#is(0.2)) return [{ type: 'reasoning', redacted: 'QUJD'.repeat(9) }];
    if (this.#dialect === 'anthropic' || this.#dialect === 'bedrock')
      return [{ type: 'reasoning', text, signature: 'U0lH'.repeat(9) }];
    return this.#dialect === 'openai' ? [{ type: 'reasoning', text }] : [];
  }

  #text = (most: number): Part => ({ type: 'text', text: this.#words(1 + this.#below(most)) });
  #image = (): Part => ({ type: 'media', kind: 'image', source: { type: 'data', data: PIXEL, mime: 'image/png' } });
  #words = (count: number): string => Array.from({ length: count }, () => this.#one(WORDS)).join(' ');
  #is = (share: number): boolean => this.#chance() < share;
  #below = (end: number): number => Math.floor(this.#chance() * end);
  #one = <T>(all: readonly T[]): T => all[this.#below(all.length)] as T;
}

/** One to three things that must not be. */
function tampered(messages: readonly Message[], chance: Chance): readonly Message[] {
  let now = messages;
  const times = 1 + Math.floor(chance() * 3);
  for (let i = 0; i < times; i++) {
    const harm = HARMS[Math.floor(chance() * HARMS.length)] as (typeof HARMS)[number];
    now = harm(now, chance);
  }
  return now;
}

const place = (messages: readonly Message[], chance: Chance): number => Math.floor(chance() * (messages.length + 1));

const eachPart = (messages: readonly Message[], index: number, change: (part: Part) => Part[]): Message[] =>
  messages.map((message, i) => (i === index ? { ...message, parts: message.parts.flatMap(change) } : message));

/** The place of some message with a part of a type; -1 if there is none. */
function some(messages: readonly Message[], type: Part['type'], chance: Chance): number {
  const at = messages.flatMap(({ parts }, i) => (parts.some((part) => part.type === type) ? [i] : []));
  return at[Math.floor(chance() * at.length)] ?? -1;
}

const orphan = (id: string): Message => ({
  role: 'user',
  parts: [{ type: 'tool_result', callId: id, name: 'Read', parts: [{ type: 'text', text: 'of nothing' }] }],
});

type Harm = (messages: readonly Message[], chance: Chance) => readonly Message[];

const HARMS: readonly Harm[] = [
  // A message is lost.
  (messages, chance) =>
    messages.toSpliced(Math.min(place(messages, chance), messages.length - 1), messages.length > 2 ? 1 : 0),
  // The conversation was cut off, wherever it was.
  (messages, chance) => messages.slice(0, Math.max(1, place(messages, chance))),
  // A result of nothing.
  (messages, chance) => messages.toSpliced(place(messages, chance), 0, orphan(`x${Math.floor(chance() * 1e6)}`)),
  // A message comes twice.
  (messages, chance) => {
    const at = Math.min(place(messages, chance), messages.length - 1);
    return messages.toSpliced(at, 0, messages[at] as Message);
  },
  // Two messages change places.
  (messages, chance) => {
    const at = Math.min(place(messages, chance), messages.length - 2);
    return at < 0 ? messages : messages.toSpliced(at, 2, messages[at + 1] as Message, messages[at] as Message);
  },
  // A call without its result, or the other way round.
  (messages, chance) => {
    let left = 1;
    return eachPart(messages, some(messages, 'tool_result', chance), (part) =>
      part.type === 'tool_result' && left-- > 0 ? [] : [part],
    ).filter(({ parts }) => parts.length > 0);
  },
  (messages, chance) => {
    let left = 1;
    return eachPart(messages, some(messages, 'tool_call', chance), (part) =>
      part.type === 'tool_call' && left-- > 0 ? [] : [part],
    ).filter(({ parts }) => parts.length > 0);
  },
  // A result comes twice.
  (messages, chance) => eachPart(messages, some(messages, 'tool_result', chance), (part) => [part, part]),
  // Parallel calls share an id.
  (messages, chance) => eachPart(messages, some(messages, 'tool_call', chance), (part) => [part, part]),
  // Texts that say nothing.
  (messages, chance) =>
    eachPart(messages, some(messages, 'text', chance), (part) =>
      part.type === 'text' ? [{ ...part, text: ' ' }] : [part],
    ),
  // The system speaks in the middle.
  (messages, chance) =>
    messages.toSpliced(place(messages, chance), 0, { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] }),
  // The user interrupts.
  (messages, chance) =>
    messages.toSpliced(place(messages, chance), 0, { role: 'user', parts: [{ type: 'text', text: 'stop that' }] }),
  // A thought that nobody signed.
  (messages, chance) =>
    eachPart(messages, some(messages, 'reasoning', chance), (part) =>
      part.type === 'reasoning' ? [{ type: 'reasoning', text: 'unsigned' }] : [part],
    ),
];
