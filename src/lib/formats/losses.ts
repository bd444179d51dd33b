// What a conversion could not keep as it was: counted, and said.
import { badInput } from '../ir/failure.ts';
import { isObject, type JsonObject } from '../ir/json.ts';
import type { Rec } from '../ir/record.ts';
import type { Fate, FormatName, Head, Lose, Message, Part } from '../ir/types.ts';
import { replyOf } from './residual.ts';

export interface Loss {
  readonly from: FormatName;
  readonly to: FormatName;
  readonly field: string;
  readonly why: string;
  readonly fate: Fate;
  /** Kept in `_meta.carry`, for the way back. */
  readonly carried: boolean;
  count: number;
}

/** One thing that happened to one record. */
export interface Event extends Omit<Loss, 'count'> {
  readonly rec?: Rec;
}

export interface LossOptions {
  /** Content that is gone, approximated or moved is an error of the record. */
  readonly strict?: boolean;
  readonly carried?: boolean;
  /** Told of each event as it happens. */
  readonly report?: (event: Event) => void;
}

/** Counts losses by pair of dialects, field and reason, in the order in which they first appeared. */
export class Losses {
  readonly #found = new Map<string, Loss>();
  readonly #options: LossOptions;
  #rec: Rec | undefined;

  constructor(options: LossOptions = {}) {
    this.#options = options;
  }

  /** The record that is being converted: what is lost from now on is its loss. */
  at(rec: Rec | undefined): void {
    this.#rec = rec;
  }

  /** A `lose` for one pair of dialects. In strict mode it throws a Failure (65) with the record's place. */
  between(from: FormatName, to: FormatName): Lose {
    return (field, why, fate = 'lost') => this.#add({ from, to, field, why, fate, carried: this.#carried });
  }

  get #carried(): boolean {
    return this.#options.carried === true;
  }

  #add(event: Omit<Loss, 'count'>): void {
    const { from, to, field, why, fate } = event;
    if (this.#options.strict && !this.#carried && !HARMLESS.has(fate))
      throw badInput(this.#rec, `cannot convert without loss: ${describe({ ...event, count: 1 })}`);
    this.#options.report?.({ ...event, rec: this.#rec });
    const key = `${from}\0${to}\0${fate}\0${field}\0${why}`;
    const loss = this.#found.get(key);
    if (loss) loss.count += 1;
    else this.#found.set(key, { ...event, count: 1 });
  }

  get all(): readonly Loss[] {
    return [...this.#found.values()];
  }

  /** Those after which something of the content is gone, or told otherwise. */
  get real(): readonly Loss[] {
    return this.all.filter(({ fate }) => !HARMLESS.has(fate));
  }
}

/** Nothing of the content is gone or told otherwise. */
const HARMLESS: ReadonlySet<Fate> = new Set<Fate>(['renamed', 'added']);

/** `anthropic → openai: lost cache_control (12 times): tools have no breakpoints` */
export function describe(loss: Loss): string {
  const times = loss.count === 1 ? '' : ` (${loss.count} times)`;
  const fate = loss.carried && !HARMLESS.has(loss.fate) ? 'carried' : loss.fate;
  const pair = loss.from === loss.to ? loss.to : `${loss.from} → ${loss.to}`;
  return `${pair}: ${fate} ${loss.field}${times}: ${loss.why}`;
}

/** Says what stays behind in the residuals of `from`: fields that no other format has. `echoes` are those of a reply that say nothing new. */
export function sayResiduals(
  messages: readonly Message[],
  from: FormatName,
  lose: Lose,
  echoes?: ReadonlySet<string>,
): void {
  for (const message of messages) {
    if (message.ext) {
      sayFields(message.ext[from], from, lose);
      sayFields(message.ext[replyOf(from)], from, lose, echoes);
    }
    for (const part of message.parts) sayPart(part, from, lose);
  }
}

function sayPart(part: Part, from: FormatName, lose: Lose): void {
  if (part.type === 'native' || ('by' in part && part.by === 'provider')) return;
  if (part.ext) sayFields(part.ext[from], from, lose);
  if (part.type === 'tool_result') for (const inner of part.parts) sayPart(inner, from, lose);
}

/** The same for a head. `taken` are the fields that the target writes all the same. */
export function sayHeadResiduals(head: Head, from: FormatName, lose: Lose, taken?: ReadonlySet<string>): void {
  sayFields(head.ext?.[from], from, lose, taken);
  for (const tool of head.tools ?? []) if (tool.type !== 'provider') sayFields(tool.ext?.[from], from, lose, taken);
  sayFields(head.responseFormat?.ext?.[from], from, lose);
  sayFields(head.reasoning?.ext?.[from], from, lose);
}

/** Says which parameters of a request are lost where nothing but the conversation is kept. */
export function sayHead(head: Head, from: FormatName, lose: Lose): void {
  sayHeadResiduals(head, from, lose);
  for (const [field, value] of Object.entries(head))
    if (!KEPT.has(field) && value !== undefined && value !== null) lose(field, 'a session has no parameters');
}

const KEPT = new Set(['model', 'ext', 'form', 'meta']);

/** A null, an empty text or an empty list says nothing, and what only names the record's own kind is no loss. */
function sayFields(
  fields: { readonly [field: string]: unknown } | undefined,
  from: FormatName,
  lose: Lose,
  taken?: ReadonlySet<string>,
): void {
  for (const field in fields) {
    const value = fields[field];
    if (value === null || value === undefined || value === '' || KIND.has(field) || taken?.has(field)) continue;
    if (Array.isArray(value) && value.length === 0) continue;
    if (INSIDE.has(field) && isObject(value)) sayInside(field, value, from, lose);
    else lose(field, `only ${from} has it`);
  }
}

/** Objects that only hold parameters: those are what is lost. */
const INSIDE = new Set(['generationConfig', 'toolConfig']);

function sayInside(field: string, fields: JsonObject, from: FormatName, lose: Lose): void {
  for (const inner in fields) if (fields[inner] !== null) lose(`${field}.${inner}`, `only ${from} has it`);
}

const KIND = new Set([
  'type',
  'object',
  'index',
  'created',
  'created_at',
  'done',
  'choices',
  'candidates',
  'system_fingerprint',
  'id',
  'item',
  'status',
]);
