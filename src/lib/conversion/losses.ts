// What a conversion could not keep as it was: counted, and said.

import type { Fate, FormatName, Head, Lose, Message, Part, StopReason } from '../conversation/types.ts';
import { replyOf } from '../dialects/codec/residual.ts';
import type { Format } from '../dialects/types.ts';
import { badInput } from '../failure/failure.ts';
import type { Rec } from '../json/record.ts';
import { isObject, type Json, type JsonObject } from '../json/values.ts';

interface Loss {
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

interface LossOptions {
  /** Content that is gone, approximated or moved is an error of the record. */
  readonly strict?: boolean;
  readonly carried?: boolean;
  /** Told of each event as it happens. */
  readonly report?: (event: Event) => void;
}

/** So many are looked for one by one: sooner than a map finds them. */
const FEW = 8;

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
    const met: Loss[] = [];
    return (field, why, fate = 'lost') => {
      // The same again, which is what most are.
      for (let i = 0; i < met.length; i += 1) {
        const loss = met[i] as Loss;
        if (loss.field !== field || loss.why !== why || loss.fate !== fate) continue;
        loss.count += 1;
        return;
      }
      const loss = this.#add({ from, to, field, why, fate, carried: this.#carried });
      if (met.length < FEW && !this.#options.strict && !this.#options.report) met.push(loss);
    };
  }

  get #carried(): boolean {
    return this.#options.carried === true;
  }

  #add(event: Omit<Loss, 'count'>): Loss {
    const { from, to, field, why, fate } = event;
    if (this.#options.strict && !this.#carried && !HARMLESS.has(fate))
      throw badInput(this.#rec, `cannot convert without loss: ${describe({ ...event, count: 1 })}`);
    this.#options.report?.({ ...event, rec: this.#rec });
    const key = `${from}\0${to}\0${fate}\0${field}\0${why}`;
    const loss = this.#found.get(key);
    const now = loss ?? { ...event, count: 0 };
    now.count += 1;
    if (loss === undefined) this.#found.set(key, now);
    return now;
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
    if (message.usage?.ext) sayUsage(message.usage.ext[from], 'usage', from, lose);
    for (const part of message.parts) sayPart(part, from, lose);
  }
}

function sayPart(part: Part, from: FormatName, lose: Lose): void {
  if (part.type === 'native' || ('by' in part && part.by === 'provider')) return;
  if (part.ext) sayFields(part.ext[from], from, lose);
  if (part.type === 'reasoning' && part.form?.[from]?.includes('"reference'))
    lose('references in thinking', `only ${from} has them`);
  if (part.type === 'tool_result') for (const inner of part.parts) sayPart(inner, from, lose);
  if (part.type === 'media' && part.source.type === 'parts')
    for (const inner of part.source.parts) sayPart(inner, from, lose);
}

/** Counts that are 0 say nothing, and totals nothing new. */
function sayUsage(counts: JsonObject | undefined, path: string, from: FormatName, lose: Lose): void {
  for (const [field, value] of Object.entries(counts ?? {})) {
    if (!value || COUNTED.has(field) || (Array.isArray(value) && value.length === 0)) continue;
    if (isObject(value)) sayUsage(value, `${path}.${field}`, from, lose);
    else lose(`${path}.${field}`, `only ${from} has it`);
  }
}

/** What the view says of usage, under other names. */
const COUNTED = new Set(
  `total_tokens totalTokens totalTokenCount cached_tokens num_cached_tokens cache_write_tokens reasoning_tokens cacheReadInputTokenCount
  cacheWriteInputTokenCount cache_creation_tokens counted`.split(/\s+/),
);

/** Says what only a request to an API can have: breakpoints of its cache, and citations. */
export function sayMarks(messages: readonly Message[], lose: Lose): void {
  for (const part of messages.flatMap(({ parts }) => parts)) {
    if ('cache' in part && part.cache) lose('cache_control', 'only requests have cache breakpoints');
    if (part.type === 'text') for (const _ of part.citations ?? []) lose('citations', 'a text has none');
  }
}

/** Says of a reply that has been written why it ended, where the target has no word for that. */
export function sayStop({ stop }: Message, native: JsonObject, to: Format, lose: Lose): void {
  if (stop === undefined || USUAL.has(stop.reason)) return;
  const told = to.readReply(native).stop;
  if (told?.reason !== stop.reason && told?.raw !== stop.raw)
    lose('stop reason', `"${stop.raw ?? stop.reason}" is written as "${told?.raw ?? told?.reason ?? ''}"`, 'changed');
}

/** Every API has a word for these. */
const USUAL: ReadonlySet<string> = new Set<StopReason>(['stop', 'tool_calls', 'length']);

/** What stays behind of a head. `taken` are the fields that the target writes all the same. */
export function sayHeadResiduals(head: Head, from: FormatName, lose: Lose, taken?: ReadonlySet<string>): void {
  sayFields(head.ext?.[from], from, lose, taken);
  for (const tool of head.tools ?? [])
    if (tool.type !== 'provider') sayFields(tool.ext?.[from], from, lose, taken, 'tools.');
  sayFields(head.toolChoice?.ext?.[from], from, lose, taken, 'tool_choice.');
  sayFields(head.responseFormat?.ext?.[from], from, lose, undefined, 'response_format.');
  sayFields(head.reasoning?.ext?.[from], from, lose, undefined, 'reasoning.');
}

/** Says which parameters of a request are lost where nothing but the conversation is kept. */
export function sayHead(head: Head, from: FormatName, lose: Lose): void {
  sayHeadResiduals(head, from, lose);
  for (const [field, value] of Object.entries(head))
    if (!KEPT.has(field) && value !== undefined && value !== null) lose(field, 'a session has no parameters');
  for (const field in head.extra) lose(field, 'a session has no parameters');
}

const KEPT = new Set(['model', 'ext', 'form', 'meta', 'extra']);

/** A null, an empty text or an empty list says nothing, and what only names the record's own kind is no loss. */
function sayFields(
  fields: { readonly [field: string]: unknown } | undefined,
  from: FormatName,
  lose: Lose,
  taken?: ReadonlySet<string>,
  path = '',
): void {
  for (const field in fields) {
    const value = fields[field];
    if (value === null || value === undefined || value === '' || KIND.has(field) || taken?.has(field)) continue;
    if (Array.isArray(value) && value.length === 0) continue;
    if (ALTERNATIVES.has(field) && Array.isArray(value)) sayAlternatives(field, value, from, lose);
    else if ((INSIDE.has(field) || (from === 'bedrock' && BLOCKS.has(field))) && isObject(value))
      sayFields(value, from, lose, undefined, `${path}${field}.`);
    else lose(`${path}${field}`, `only ${from} has it`);
  }
}

/** Lists of replies, of which the first is the one that is read. */
const ALTERNATIVES = new Set(['choices', 'candidates']);

function sayAlternatives(field: string, [first, ...others]: readonly Json[], from: FormatName, lose: Lose): void {
  if (isObject(first)) sayFields(first, from, lose, undefined, `${field}.`);
  for (const _ of others) lose(field, 'only one of several replies is kept');
}

/** Objects that only hold fields: those are what is lost. */
const INSIDE = new Set(
  'generationConfig toolConfig content message function functionCall functionResponse image_url json_schema item'.split(
    ' ',
  ),
);

/** Bedrock's blocks are such objects too. */
const BLOCKS = new Set(
  'toolUse toolResult image audio video document searchResult guardContent text reasoningContent reasoningText'.split(
    ' ',
  ),
);

const KIND = new Set([
  'type',
  'object',
  'index',
  'role',
  'created',
  'created_at',
  'done',
  'system_fingerprint',
  'id',
  'status',
]);
