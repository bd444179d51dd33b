// ai-condense: a conversation that fits its budget, and is still valid.
import { type Context, defineFilter } from '../../lib/cli/filter.ts';
import { type Conversation, conversations, emit } from '../../lib/formats/conversation.ts';
import { isAboutData, misshapen } from '../../lib/formats/read.ts';
import { type Rec, record } from '../../lib/ir/record.ts';
import { condense, type OnOverflow } from './condense.ts';
import { OPTIONS, policyFrom, sizesFrom } from './options.ts';
import { itemsOf } from './outcome.ts';
import type { Policy } from './policy.ts';
import { boundsOf, type SizeOptions } from './settings.ts';

export default defineFilter({
  name: 'ai-condense',
  summary: 'make a conversation fit a token budget, still valid',
  description: `
    Makes a conversation fit.`,
  options: OPTIONS,
  exits: { 1: 'what must stay does not fit the budget', 78: 'the window of the model is not known' },
  see: ['ai-route', 'ai-complete'],
  examples: [
    {
      title: 'keep the first message and what fits of the latest turns',
      command: 'ai-condense --budget 30',
      stdin: `{"role":"user","content":"My name is Ada."}
{"role":"assistant","content":"Hello Ada."}
{"role":"user","content":"What is the weather?"}
{"role":"assistant","content":"I cannot see it from here."}
{"role":"user","content":"And my name?"}
`,
      stdout: `{"role":"user","content":"My name is Ada."}
{"role":"user","content":"And my name?"}
`,
    },
  ],
  *run(records, options, context) {
    const sizes = sizesFrom(options);
    const policy = policyFrom(options);
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
    const failure = misshapen(error, firstOf(conversation));
    if (!isAboutData(failure)) throw failure;
    context.bad(failure);
    return emit(conversation);
  }
}

const firstOf = ({ rolled, head, items }: Conversation): Rec => rolled ?? head?.rec ?? items[0]?.rec ?? record(null);
