// ai-condense: a conversation that fits its budget, and is still valid.
import { type Context, defineFilter } from '../../lib/cli/filter.ts';
import { type Conversation, conversations, emit } from '../../lib/formats/conversation.ts';
import { isAboutData } from '../../lib/formats/read.ts';
import { EXIT, Failure } from '../../lib/ir/failure.ts';
import type { Rec } from '../../lib/ir/record.ts';
import { condense, type OnOverflow } from './condense.ts';
import { itemsOf } from './outcome.ts';
import { meansOf, type Policy } from './policy.ts';
import { boundsOf, readExtent, readSize, type SizeOptions } from './settings.ts';
import { DEFAULT, STRATEGIES } from './strategies/table.ts';
import { readToolRules } from './tool-rules.ts';

export default defineFilter({
  name: 'ai-condense',
  summary: 'make a conversation fit a token budget, still valid',
  description: `
    Makes a conversation fit.`,
  options: {
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
  },
  exits: { 1: 'what must stay does not fit the budget', 78: 'the window of the model is not known' },
  see: ['ai-route', 'ai-complete'],
  examples: [],
  *run(records, options, context) {
    if (options.budget === undefined)
      throw new Failure(EXIT.usage, 'no size is given', { hint: 'use --budget N or N%' });
    const sizes: SizeOptions = {
      budget: readSize('budget', options.budget),
      trigger: options.trigger === undefined ? undefined : readSize('trigger', options.trigger),
      window: options.window,
      reserve: options.reserve,
    };
    const names = options.strategy.flatMap((list) => list.split(',')).filter(Boolean);
    for (const name of names)
      if (!STRATEGIES.some((strategy) => strategy.name === name))
        throw new Failure(EXIT.usage, `option --strategy cannot be "${name}"`);
    const policy: Policy = {
      ...meansOf(names.length > 0 ? names : DEFAULT),
      keepFirst: options['keep-first'],
      keepLast: readExtent('keep-last', options['keep-last']),
      rule: readToolRules(options.tool),
      clearAtLeast: options['clear-at-least'],
    };
    for (const conversation of conversations(records))
      yield* guarded(conversation, policy, sizes, options['on-overflow'] as OnOverflow, context);
  },
});

/** A conversation that cannot be read ends the program, or is passed on as it came. */
function guarded(
  conversation: Conversation,
  policy: Policy,
  sizes: SizeOptions,
  onOverflow: OnOverflow,
  context: Context,
): Iterable<Rec> {
  try {
    const outcome = condense(conversation, policy, boundsOf(conversation, sizes), onOverflow);
    return outcome === undefined
      ? emit(conversation)
      : emit({ ...conversation, items: [...itemsOf(outcome, conversation)] }, conversation);
  } catch (error) {
    if (!isAboutData(error)) throw error;
    context.bad(error);
    return emit(conversation);
  }
}
