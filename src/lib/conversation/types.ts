// The conversation in memory: what every codec reads into and writes from. Pure values, never mutated.
import type { Json, JsonObject } from '../json/values.ts';

export type FormatName = string;

/** The residual: what one format said that the fields beside it do not. Keyed by format; it never repeats a field of the view. */
export type Ext = { readonly [format: FormatName]: JsonObject };

/** Which of several equal spellings a format used (`string` or a list of one text, say). Keyed by format. */
export type Form = { readonly [format: FormatName]: string };

/** Who made a message. Opaque reasoning is valid only there. */
export interface By {
  readonly provider?: string;
  readonly api?: string;
  readonly model?: string;
}

export type StopReason =
  | 'stop'
  | 'stop_sequence'
  | 'tool_calls'
  | 'length'
  | 'context_window'
  | 'content_filter'
  | 'pause'
  | 'compaction'
  | 'error'
  | 'other';

export interface Stop {
  readonly reason: StopReason;
  /** The word that the API used. */
  readonly raw?: string | null;
}

/** Token counts, disjoint: the prompt is `input + cacheRead + cacheWrite`; `output` includes `reasoning`. Absent means unknown, not 0. */
export interface Usage {
  readonly input?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly output?: number;
  readonly reasoning?: number;
  readonly ext?: Ext;
}

export type Role = 'system' | 'developer' | 'user' | 'assistant' | 'tool';

export interface Message {
  readonly role: Role;
  readonly parts: readonly Part[];
  readonly id?: string;
  readonly name?: string;
  readonly by?: By;
  readonly stop?: Stop;
  readonly usage?: Usage;
  /** When a reply was made, in milliseconds since 1970. */
  readonly at?: number;
  readonly ext?: Ext;
  readonly form?: Form;
  /** The record's `_meta`, as it stands. */
  readonly meta?: JsonObject;
}

/** A prompt-cache breakpoint after this part. */
export interface Cache {
  readonly ttl?: string;
}

interface PartBase {
  readonly cache?: Cache;
  readonly ext?: Ext;
  readonly form?: Form;
}

export interface TextPart extends PartBase {
  readonly type: 'text';
  readonly text: string;
  readonly citations?: readonly Citation[];
}

/** Where a text comes from. `start` and `end` are offsets into the part's text, in UTF-16 units, where the format gives them. */
export interface Citation {
  readonly url?: string;
  readonly title?: string | null;
  readonly quote?: string;
  readonly start?: number;
  readonly end?: number;
  readonly ext?: Ext;
}

/** Reasoning: readable, opaque, or both. The opaque fields are valid only for the `by` that made them. */
export interface ReasoningPart extends PartBase {
  readonly type: 'reasoning';
  readonly text?: string;
  readonly signature?: string;
  /** Ciphertext in place of the text. */
  readonly redacted?: string;
}

/** Whose account a file id belongs to. */
type Vendor = 'anthropic' | 'openai' | 'google' | 'aws' | 'mistral';

export type MediaKind = 'image' | 'audio' | 'video' | 'document';

export type Source =
  | { readonly type: 'data'; readonly data: string; readonly mime?: string }
  | { readonly type: 'url'; readonly url: string; readonly mime?: string }
  /** A file that lies at a provider, and means nothing to any other: `vendor` says at which. */
  | { readonly type: 'file'; readonly id: string; readonly mime?: string; readonly vendor?: Vendor }
  | { readonly type: 'text'; readonly text: string; readonly mime?: string }
  | { readonly type: 'parts'; readonly parts: readonly Part[] };

export interface MediaPart extends PartBase {
  readonly type: 'media';
  readonly kind: MediaKind;
  readonly source: Source;
  readonly name?: string;
  readonly detail?: string;
}

/** A call. `input` holds the arguments; `text` holds them where they are not JSON, or are free text by the tool's definition (`custom`). */
export interface ToolCallPart extends PartBase {
  readonly type: 'tool_call';
  readonly id: string;
  readonly name: string;
  readonly input?: Json;
  readonly text?: string;
  readonly custom?: true;
  /** The provider ran the call itself. */
  readonly by?: 'provider';
}

export interface ToolResultPart extends PartBase {
  readonly type: 'tool_result';
  readonly callId: string;
  readonly name?: string;
  readonly parts: readonly Part[];
  readonly error?: boolean;
  /** It answers a custom call, which takes free text. */
  readonly custom?: true;
  readonly by?: 'provider';
}

export interface RefusalPart extends PartBase {
  readonly type: 'refusal';
  readonly text: string;
}

/** A part that the format's codec does not know, kept whole. */
export interface NativePart {
  readonly type: 'native';
  readonly format: FormatName;
  readonly value: Json;
  readonly form?: Form;
}

export type Part = TextPart | ReasoningPart | MediaPart | ToolCallPart | ToolResultPart | RefusalPart | NativePart;

export interface Tool {
  readonly type: 'function' | 'custom' | 'provider';
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the input; absent where the tool takes none. */
  readonly schema?: Json;
  readonly strict?: boolean | null;
  readonly cache?: Cache;
  readonly ext?: Ext;
  readonly form?: Form;
}

export interface ToolChoice {
  readonly mode: 'auto' | 'required' | 'none';
  /** Only these tools; with `required` and one name, exactly that tool. */
  readonly names?: readonly string[];
  readonly ext?: Ext;
  readonly form?: Form;
}

export interface ResponseFormat {
  readonly type: 'text' | 'json' | 'schema';
  readonly name?: string;
  readonly description?: string;
  readonly schema?: Json;
  readonly strict?: boolean | null;
  readonly ext?: Ext;
}

/** How much to think: an effort word (`low`, `medium`, `high` …), a budget in tokens, or off. */
export interface Reasoning {
  readonly mode?: 'on' | 'off' | 'adaptive';
  readonly effort?: string | null;
  readonly budget?: number;
  readonly ext?: Ext;
}

/** The request body without its messages. Units: tokens; sampling values as the source API scales them. */
export interface Head {
  readonly model?: string;
  readonly maxTokens?: number | null;
  readonly tools?: readonly Tool[];
  readonly toolChoice?: ToolChoice;
  readonly parallelToolCalls?: boolean;
  readonly temperature?: number | null;
  readonly topP?: number | null;
  readonly topK?: number | null;
  readonly stop?: readonly string[];
  readonly seed?: number | null;
  readonly presencePenalty?: number | null;
  readonly frequencyPenalty?: number | null;
  readonly candidates?: number | null;
  readonly responseFormat?: ResponseFormat;
  readonly reasoning?: Reasoning;
  readonly stream?: boolean | null;
  readonly user?: string | null;
  readonly metadata?: JsonObject | null;
  readonly serviceTier?: string | null;
  readonly cache?: Cache;
  /** Fields that no API names (a dataset's `id`, say): they go along whatever the format. */
  readonly extra?: JsonObject;
  readonly ext?: Ext;
  readonly form?: Form;
  readonly meta?: JsonObject;
}

/**
 * What became of something that the target does not take as it is: gone, approximated, put in another place, given another name (the way back
 * is known), or supplied because the target requires it.
 */
export type Fate = 'lost' | 'changed' | 'moved' | 'renamed' | 'added';

/** Says what became of something: `lost` unless told. `field` is a name in the source format's terms. */
export type Lose = (field: string, why: string, fate?: Fate) => void;
