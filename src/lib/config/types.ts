// What a configuration says. Field names are those of the files.

type OneOrMore = string | readonly string[];

export const PRIORITIES = ['balanced', 'quality', 'cost', 'speed'] as const;
export type Priority = (typeof PRIORITIES)[number];

export const STRATEGIES = ['capability', 'cost', 'round-robin', 'load'] as const;
export type StrategyName = (typeof STRATEGIES)[number];

export const NEEDS = ['image', 'document', 'audio', 'video', 'tools', 'reasoning', 'schema', 'streaming'] as const;
export type Need = (typeof NEEDS)[number];

export const TASKS = [
  'code_generation',
  'code_review',
  'debugging',
  'documentation',
  'architecture',
  'testing',
  'simple_question',
  'complex_reasoning',
] as const;
export type Task = (typeof TASKS)[number];

/** Whether only providers whose key is at hand may be chosen: yes; if any of those that fit has one; no matter. */
export const CREDENTIALS = ['require', 'auto', 'ignore'] as const;
export type Credentials = (typeof CREDENTIALS)[number];

/** A number beyond `above` and below `below`; both, or one. */
export interface Range {
  readonly above?: number;
  readonly below?: number;
}

/** All that is said must hold. */
export interface When {
  /** A pattern (RE2) in the last text of the user. */
  readonly text?: string;
  readonly task?: OneOrMore;
  /** Estimated tokens of the conversation. */
  readonly tokens?: Range;
  /** Characters of the last text of the user. */
  readonly chars?: Range;
  readonly messages?: Range;
  /** Names or patterns: one of the request's tools fits one of them. */
  readonly tools?: OneOrMore;
  readonly needs?: OneOrMore;
  /** Fields of the head's metadata, or of the head that no API names: equal, or fitting a pattern. */
  readonly metadata?: { readonly [field: string]: string | number | boolean | { readonly matches: string } };
  /** Names or patterns of the model that was asked for. */
  readonly model?: OneOrMore;
}

export interface Rule {
  readonly name?: string;
  /** Rules with a higher one are tried first; those with the same in their order. */
  readonly priority?: number;
  readonly when?: When;
  readonly use: OneOrMore;
}

/** A conversation and what the policy must say to it. */
export interface PolicyTest {
  readonly name?: string;
  readonly text?: string;
  readonly conversation?: readonly { readonly [field: string]: unknown }[];
  readonly expect:
    | string
    | { readonly model?: string; readonly not?: string; readonly rule?: string; readonly task?: string };
}

export interface RouteSettings {
  readonly priority?: Priority;
  readonly strategy?: StrategyName;
  readonly task?: Task;
  readonly tasks?: { readonly [task: string]: OneOrMore };
  readonly need?: readonly string[];
  readonly candidates?: readonly string[];
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly fallbacks?: readonly string[];
  /** USD a day. */
  readonly budget?: number;
  /** Tokens to expect of an answer where the head says nothing. */
  readonly output?: number;
  readonly seed?: number;
  readonly credentials?: Credentials;
  readonly rules?: readonly Rule[];
  /** Rules whose `use` names agents. */
  readonly agents?: readonly Rule[];
  readonly tests?: readonly PolicyTest[];
}

/** Rates that all processes keep together: `200/s`, `500/min`. */
export interface Limits {
  readonly requests?: string;
  readonly tokens?: string;
}

/** USD. */
export interface BudgetSettings {
  readonly call?: number;
  readonly day?: number;
  readonly project?: number;
  /** Shares of a budget (0.5, 0.8, 1) at which `command` is run, once for each. */
  readonly alerts?: readonly number[];
  /** A command of the shell; only the user's own configuration may name one. */
  readonly command?: string;
}

export interface Config {
  readonly model?: string;
  /** The model for small work: the summaries of ai-condense. */
  readonly small_model?: string;
  readonly aliases?: { readonly [name: string]: OneOrMore };
  /** Log-ins of other programs may be used. */
  readonly credentials?: 'logins';
  /** As in a models.json; `key` is the key itself, or where it comes from. */
  readonly providers?: { readonly [name: string]: { readonly key?: string; readonly [field: string]: unknown } };
  /** Files of models, relative to the file that names them. */
  readonly models?: OneOrMore;
  readonly route?: RouteSettings;
  /** By provider, or by `provider/model`. */
  readonly limits?: { readonly [name: string]: Limits };
  readonly budget?: BudgetSettings;
}

export const listOf = (value: OneOrMore | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value;
