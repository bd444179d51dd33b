// The options of ai-condense, and what they ask for.
import type { Options, Values } from '../../lib/cli/filter.ts';
import { EXIT, Failure } from '../../lib/ir/failure.ts';
import type { OnOverflow } from './condense.ts';
import { meansOf, type Policy } from './policy.ts';
import { readExtent, readSize, type SizeOptions } from './settings.ts';
import { DEFAULT, STRATEGIES } from './strategies/table.ts';
import { readToolRules } from './tool-rules.ts';

export const OPTIONS = {
  budget: {
    type: 'string',
    arg: 'N|N%|auto',
    summary: 'the size that the result must fit: tokens, percent of the window, or half of it',
  },
  trigger: { type: 'string', arg: 'N|N%', summary: 'the size above which anything is done (default: the budget)' },
  window: {
    type: 'integer',
    arg: 'TOKENS',
    min: 1,
    summary: "the model's window, where the catalogue does not know it",
  },
  reserve: { type: 'integer', arg: 'TOKENS', min: 0, summary: 'room for the answer' },
  strategy: { type: 'list', arg: 'NAME,…', summary: 'what may be done' },
  'on-overflow': {
    type: 'string',
    arg: 'WHAT',
    choices: ['truncate', 'compact', 'error'],
    default: 'truncate',
    summary: 'where the strategies do not suffice',
  },
  'keep-first': { type: 'integer', arg: 'N', min: 0, default: 0, summary: 'messages at the beginning that stay' },
  'keep-last': { type: 'string', arg: 'N|Nt', summary: 'messages, or tokens, at the end that stay as they are' },
  tool: { type: 'list', arg: 'TOOL=RULE', summary: 'keep, clear or clip:TOKENS for the results of a tool' },
  'clear-at-least': {
    type: 'integer',
    arg: 'TOKENS',
    min: 0,
    default: 0,
    summary: 'trim whole steps only if that saves so much',
  },
  mark: { type: 'boolean', summary: 'what goes stays in the stream, marked as hidden from the model' },
  ledger: {
    type: 'string',
    arg: 'FILE',
    summary: 'add what is taken out to a file: id, tokens, SHA-256, reason, the line',
  },
  backup: {
    type: 'string',
    arg: 'DIR',
    summary: 'write the whole transcript to a file in DIR before anything is taken out',
  },
  restore: { type: 'boolean', summary: 'give the original back, from the marks, or from --ledger or --backup' },
} as const satisfies Options;

export type Given = Values<typeof OPTIONS>;

/** What a run is to do with each conversation. */
export interface Job {
  readonly sizes: SizeOptions;
  readonly policy: Policy;
  readonly onOverflow: OnOverflow;
}

/** Throws a Failure (64). */
export function jobFrom(given: Given): Job {
  return { sizes: sizesFrom(given), policy: policyFrom(given), onOverflow: given['on-overflow'] as OnOverflow };
}

function sizesFrom(given: Given): SizeOptions {
  if (given.budget === undefined) throw new Failure(EXIT.usage, 'no size is given', { hint: 'use --budget N or N%' });
  return {
    budget: readSize('budget', given.budget),
    trigger: given.trigger === undefined ? undefined : readSize('trigger', given.trigger),
    window: given.window,
    reserve: given.reserve,
  };
}

function policyFrom(given: Given): Policy {
  const names = given.strategy.flatMap((list) => list.split(',')).filter(Boolean);
  const known = STRATEGIES.map(({ name }) => name);
  for (const name of names)
    if (!known.includes(name))
      throw new Failure(EXIT.usage, `option --strategy cannot be "${name}": use ${known.join(', ')}`);
  return {
    ...meansOf(names.length > 0 ? names : DEFAULT),
    keepFirst: given['keep-first'],
    keepLast: readExtent('keep-last', given['keep-last']),
    rule: readToolRules(given.tool),
    clearAtLeast: given['clear-at-least'],
  };
}
