// What is known of providers and models. Field names are those of the data files, so that a user's models.json reads like ours.
import type { JsonObject } from '../json/values.ts';

/** Who is behind an address: the maker of its models, a host of others' models, a reseller, a flat-rate plan, this machine. */
type Kind = 'vendor' | 'cloud' | 'gateway' | 'subscription' | 'local' | 'classifier';

export type Modality = 'text' | 'image' | 'audio' | 'video' | 'document';

/** How a key is sent. Without it, as the dialect says: `x-api-key` for anthropic, `x-goog-api-key` for gemini, `bearer` for the others. */
export type Auth = 'bearer' | 'x-api-key' | 'api-key' | 'x-goog-api-key';

/** A log-in of another program that may hold a credential for this provider. */
export type Login = 'claude-code' | 'codex' | 'codex-key' | 'gemini-cli' | 'aws' | 'google';

/** What a provider or model wants differently from its dialect. Absent: as the dialect has it. */
export interface Quirks {
  /** The parameter that bounds the answer: `max_tokens` or `max_completion_tokens`. */
  readonly max_tokens_field?: string;
  readonly developer_role?: boolean;
  readonly store?: boolean;
  readonly tools?: boolean;
  readonly strict_tools?: boolean;
  /** A request whose history has calls must carry a (possibly empty) list of tools. */
  readonly tools_with_history?: boolean;
  readonly reasoning_effort?: boolean;
  readonly temperature?: boolean;
  readonly temperature_range?: readonly [number, number];
  readonly usage_in_streaming?: boolean;
  readonly cache_control?: 'anthropic';
  /** Parameters that it rejects. */
  readonly unsupported?: readonly string[];
  /** Fields to take out wherever they stand. */
  readonly strip?: readonly string[];
  /** Parameters that it calls otherwise. */
  readonly rename?: { readonly [field: string]: string };
}

export interface Provider {
  readonly name: string;
  readonly title?: string;
  readonly kind: Kind;
  /** The dialect to speak by default: the first of `apis`. A name in the table of formats. */
  readonly api: string;
  /** The base URL for that dialect, without a slash at its end. May hold `{VAR}`, `{A|B}`, `{A:-default}` (see endpoint.ts). */
  readonly url: string;
  /** Every dialect that it speaks, with the base URL of each; the best first. */
  readonly apis: { readonly [api: string]: string };
  /** Environment variables that may hold the key; the first one set wins. */
  readonly keys: readonly string[];
  /** Environment variables that may hold a token, sent as `Authorization: Bearer`; they go before the keys. */
  readonly tokens?: readonly string[];
  /** Environment variables that may name another base URL. */
  readonly url_from?: readonly string[];
  readonly auth?: Auth;
  readonly logins?: readonly Login[];
  /** Other hosts that are its own. */
  readonly hosts?: readonly string[];
  /** Headers that every request carries. */
  readonly headers?: { readonly [name: string]: string };
  /** Short names, for `or/MODEL`, `or@MODEL`, `or:MODEL`. */
  readonly prefixes?: readonly string[];
  /** How the names of its own models begin. */
  readonly names?: readonly string[];
  /** How the names of models begin that it has published, and does not serve: `gpt-oss`. */
  readonly unserved?: readonly string[];
  readonly quirks?: Quirks;
  /** A server that was named by its address: it gets no key. */
  readonly keyless?: true;
}

/** USD per million tokens. Absent means unknown; 0 means free. */
export interface Rates {
  readonly input?: number;
  readonly output?: number;
  readonly cache_read?: number;
  readonly cache_write?: number;
  readonly cache_write_1h?: number;
}

export interface Price extends Rates {
  /** The rates of a request whose prompt is longer than `above` tokens; they hold for the whole request. */
  readonly tiers?: readonly (Rates & { readonly above: number })[];
  /** The rates between two times of day, UTC, `HH:MM`. */
  readonly hours?: readonly (Rates & { readonly from: string; readonly to: string })[];
}

export interface Model {
  readonly id: string;
  readonly provider: string;
  readonly name?: string;
  /** The dialect to speak, where it is not the provider's first. */
  readonly api?: string;
  /** Tokens that prompt and answer may take together. */
  readonly context?: number;
  /** Tokens that an answer may take. */
  readonly output?: number;
  /** What it takes. What is not listed, it does not take. */
  readonly input?: readonly Modality[];
  /** Absent means that it cannot. */
  readonly tools?: boolean;
  readonly reasoning?: boolean;
  /** Answers that follow a JSON Schema. */
  readonly schema?: boolean;
  /** Absent means that it can stream. */
  readonly streaming?: boolean;
  readonly price?: Price;
  /** `true`, or the day (`2026-10-15`) from which it is refused. */
  readonly deprecated?: boolean | string;
  /** Ranks out of 5 by the vendor's own line-up (tier and generation). An order for choosing, not a measurement. */
  readonly quality?: number;
  readonly speed?: number;
  /** In its vendor's present line-up: a candidate where nothing else says which. */
  readonly current?: boolean;
  /** The same model at its maker: `anthropic/claude-sonnet-4-5`. */
  readonly as?: string;
  /** Effort words and what to send for them; null: not supported. */
  readonly effort?: { readonly [word: string]: string | null };
  /** Seconds that a cached prefix lives: short, long. */
  readonly cache_ttl?: readonly number[];
  readonly quirks?: Quirks;
  /** The sources of the row, joined by `+`. */
  readonly from?: string;
  /** What the other source says, where they differ by more than 1 %. */
  readonly disputed?: JsonObject;
}
