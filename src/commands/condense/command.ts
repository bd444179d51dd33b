// ai-condense: a conversation that fits its budget, and is still valid.
import { type Context, defineFilter } from '../../lib/cli/filter.ts';
import { type Conversation, conversations, emit, headOf } from '../../lib/formats/conversation.ts';
import { isAboutData } from '../../lib/formats/read.ts';
import { EXIT, Failure, placeOf } from '../../lib/ir/failure.ts';
import type { Rec } from '../../lib/ir/record.ts';
import { modelNamed } from '../../lib/models/catalogue.ts';
import { dropSteps } from './drop-steps.ts';

export default defineFilter({
  name: 'ai-condense',
  summary: 'make a conversation fit a token budget, still valid',
  description: `
    Drops the oldest steps until the conversation fits: a step is a message of the user, or one of the assistant with the results of its
    tool calls. The system prompt, the first and the last message of the user, and the last step stay. A conversation that fits already
    leaves as the bytes it came in as.

    Sizes are estimates: one token for three bytes of JSON.`,
  options: {
    budget: { type: 'string', arg: 'N|N%', summary: "the size to fit, in tokens or in percent of the model's window" },
    window: {
      type: 'integer',
      arg: 'TOKENS',
      min: 1,
      summary: "the model's window, where the catalogue does not know it",
    },
  },
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
    if (options.budget === undefined)
      throw new Failure(EXIT.usage, 'no size is given', { hint: 'use --budget N or N%' });
    const budget = readBudget(options.budget);
    for (const conversation of conversations(records)) yield* guarded(conversation, budget, options.window, context);
  },
});

type Budget = { readonly tokens: number } | { readonly percent: number };

function readBudget(text: string): Budget {
  const match = /^(\d+(?:\.\d+)?)(%?)$/.exec(text);
  const number = Number(match?.[1]);
  if (match === null || number <= 0)
    throw new Failure(EXIT.usage, `option --budget needs a number of tokens or percent, not "${text}"`);
  return match[2] ? { percent: number } : { tokens: number };
}

/** A conversation that cannot be read ends the program, or is passed on as it came. */
function guarded(
  conversation: Conversation,
  budget: Budget,
  window: number | undefined,
  context: Context,
): Iterable<Rec> {
  try {
    return condense(conversation, budget, window);
  } catch (error) {
    if (!isAboutData(error)) throw error;
    context.bad(error);
    return emit(conversation);
  }
}

function condense(conversation: Conversation, budget: Budget, window: number | undefined): Iterable<Rec> {
  const limit = 'tokens' in budget ? budget.tokens : (budget.percent / 100) * windowOf(conversation, window);
  const { items, floor } = dropSteps(conversation, limit);
  if (items === undefined) {
    const place = placeOf(conversation.rolled ?? conversation.head?.rec ?? conversation.items[0]?.rec);
    throw new Failure(EXIT.no, `cannot fit ${Math.floor(limit)} tokens: what must stay takes ${floor}`, { place });
  }
  return emit({ ...conversation, items }, conversation);
}

function windowOf(conversation: Conversation, given: number | undefined): number {
  if (given !== undefined) return given;
  const { model } = headOf(conversation).head;
  const facts = model === undefined ? undefined : modelNamed(model);
  if (facts?.context !== undefined) return facts.context;
  const what = model === undefined ? 'no head names the model' : `the window of "${model}" is not known`;
  throw new Failure(EXIT.config, `cannot take a percentage: ${what}`, {
    hint: 'use --window TOKENS or --budget TOKENS',
  });
}
