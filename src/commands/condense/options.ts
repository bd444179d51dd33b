// The options of ai-condense, and what they ask for.
import { readFileSync } from 'node:fs';
import type { Context, Options, Values } from '../../lib/cli/filter.ts';
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import type { OnOverflow } from './condenser.ts';
import type { Limits } from './limits.ts';
import { meansOf, type Policy } from './policy.ts';
import { readExtent, readSize, type SizeOptions, STANDARD } from './size-options.ts';
import { DEFAULT, STRATEGIES } from './strategies/table.ts';
import type { Asking } from './summary/summarise.ts';
import { readToolRules } from './tool-rules.ts';

export const OPTIONS = {
  budget: {
    type: 'string',
    arg: 'N|N%|auto',
    summary: 'the size to fit: tokens, percent of the context window, or half of it (default: 75%)',
  },
  trigger: {
    type: 'string',
    arg: 'N|N%',
    summary:
      'the size above which condensing starts; with only one of --trigger and --budget, 60% of that size is left',
  },
  window: {
    type: 'integer',
    arg: 'TOKENS',
    min: 1,
    summary: "the model's context window, if the catalogue does not list it",
  },
  reserve: { type: 'integer', arg: 'TOKENS', min: 0, summary: 'tokens reserved for the answer' },
  strategy: { type: 'list', arg: 'NAME,…', summary: 'the methods to use; see above' },
  'on-overflow': {
    type: 'string',
    arg: 'WHAT',
    choices: ['truncate', 'compact', 'error'],
    default: 'truncate',
    summary: 'what to do if the strategies are not enough',
  },
  'keep-first': { type: 'integer', arg: 'N', min: 0, default: 0, summary: 'keep the first N messages' },
  'keep-last': { type: 'string', arg: 'N|Nt', summary: 'keep the last N messages (or N tokens, with a t) unchanged' },
  tool: {
    type: 'list',
    arg: 'TOOL=RULE',
    summary: 'what to do with the results of a tool: keep, clear or clip:TOKENS',
  },
  'clear-at-least': {
    type: 'integer',
    arg: 'TOKENS',
    min: 0,
    default: 0,
    summary: 'remove at least this much at once, so that the prompt cache is invalidated less often',
  },
  'max-bytes': { type: 'string', arg: 'N', summary: 'maximum size of the conversation in bytes, for example 20M' },
  'max-images': {
    type: 'integer',
    arg: 'N',
    min: 0,
    summary: 'maximum number of images; the oldest are replaced by placeholders',
  },
  system: {
    type: 'boolean',
    summary: 'condense the system prompt too: remove tool catalogues and format instructions',
  },
  explain: {
    type: 'boolean',
    summary: 'report on standard error what size each strategy would leave, and what it costs',
  },
  with: {
    type: 'string',
    arg: 'COMMAND',
    summary: 'the command that writes summaries: it reads a conversation and appends an answer',
  },
  prompt: { type: 'string', arg: 'FILE', summary: 'use the summary prompt in this file instead of the built-in one' },
  suffix: {
    type: 'boolean',
    summary: 'append the summary request to the whole conversation, which the provider has in its prompt cache',
  },
  timeout: { type: 'number', arg: 'SECONDS', default: 120, min: 0.001, summary: 'maximum time for a summary' },
  mark: { type: 'boolean', summary: 'keep removed records in the output, marked as hidden from the model' },
  ledger: {
    type: 'string',
    arg: 'FILE',
    summary: 'append each removed record to a file: id, tokens, SHA-256, reason, the line',
  },
  backup: {
    type: 'string',
    arg: 'DIR',
    summary: 'write the whole transcript to a file in DIR before anything is removed',
  },
  hooks: {
    type: 'optional',
    arg: 'FILE',
    summary: 'run the PreCompact and PostCompact hooks of FILE, else of AI_HOOKS; the transcript is saved first',
  },
  restore: {
    type: 'boolean',
    summary: 'write the original conversation, from the marks, or from --ledger or --backup',
  },
} as const satisfies Options;

export type Given = Values<typeof OPTIONS>;

/** What a run is to do with each conversation. */
export interface Job {
  readonly sizes: SizeOptions;
  readonly policy: Policy;
  readonly limits: Limits;
  readonly system: 'never' | 'over' | 'always';
  readonly explain: boolean;
  readonly onOverflow: OnOverflow;
  /** How summaries are asked for, if they are. */
  readonly asking?: Asking & { readonly suffix: boolean };
}

/** What asks for a summary where no command is named: the configured small model, else extraction without a model. */
const defaultCommand = (small = 'extract'): string => `ai-complete -m '${small.replaceAll("'", "'\\''")}'`;

/** Whether a summary is wanted, and nobody says of whom. */
export const asksSmallModel = (given: Given): boolean => wantsSummary(given) && given.with === undefined;

/** `small`: the model that is configured for small work. Throws a Failure (64; 74 where a prompt cannot be read). */
export function jobFrom(given: Given, context: Context, small?: string): Job {
  return {
    sizes: sizesFrom(given),
    policy: policyFrom(given),
    limits: { bytes: readBytes(given['max-bytes']), images: given['max-images'] },
    system: given.system ? (given.budget === undefined ? 'always' : 'over') : 'never',
    explain: given.explain,
    onOverflow: given['on-overflow'] as OnOverflow,
    ...(wantsSummary(given) && { asking: askingFrom(given, context, small) }),
  };
}

const namesIn = (given: Given): string[] => given.strategy.flatMap((list) => list.split(',')).filter(Boolean);

const wantsSummary = (given: Given): boolean =>
  given.with !== undefined || given.suffix || given.prompt !== undefined || namesIn(given).includes('summary');

function askingFrom(
  given: Given,
  { env, note }: Context,
  small: string | undefined,
): Asking & { readonly suffix: boolean } {
  const command = { line: given.with ?? defaultCommand(small), timeout: given.timeout * 1000, env };
  return {
    command,
    extractive: given.with === undefined && small === undefined,
    own: given.prompt === undefined ? undefined : readPrompt(given.prompt),
    note,
    suffix: given.suffix,
  };
}

function readPrompt(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Failure(EXIT.io, `cannot read the prompt: ${(error as Error).message}`, { place: path });
  }
}

function sizesFrom(given: Given): SizeOptions {
  const other = given.system || given['max-bytes'] !== undefined || given['max-images'] !== undefined;
  const budget = given.budget === undefined ? undefined : readSize('budget', given.budget);
  const trigger = given.trigger === undefined ? undefined : readSize('trigger', given.trigger);
  const assumes = budget === undefined && trigger === undefined && !other;
  return {
    budget: budget ?? trigger ?? (assumes ? STANDARD : { tokens: Number.POSITIVE_INFINITY }),
    trigger: budget && trigger,
    single: budget === undefined || trigger === undefined,
    assumes,
    window: given.window,
    reserve: given.reserve,
    clearAtLeast: given['clear-at-least'],
  };
}

function readBytes(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const match = /^(\d+(?:\.\d+)?)([kmg]?)b?$/i.exec(text);
  if (match === null || Number(match[1]) <= 0)
    throw new Failure(EXIT.usage, `option --max-bytes needs a number as in 500k or 20M, not "${text}"`);
  return Number(match[1]) * 1000 ** ['', 'k', 'm', 'g'].indexOf((match[2] ?? '').toLowerCase());
}

function policyFrom(given: Given): Policy {
  const names = namesIn(given);
  const known = STRATEGIES.map(({ name }) => name);
  for (const name of names)
    if (!known.includes(name))
      throw new Failure(EXIT.usage, `option --strategy cannot be "${name}": use ${known.join(', ')}`);
  const all = [...(names.length > 0 ? names : DEFAULT), ...(wantsSummary(given) ? ['summary'] : [])];
  return {
    ...meansOf(all),
    keepFirst: given['keep-first'],
    keepLast: readExtent('keep-last', given['keep-last']),
    rule: readToolRules(given.tool),
    summariser: undefined,
  };
}
