// --condense-on-overflow: the conversation as ai-condense makes it fit.
import type { Context } from '../../lib/cli/filter.ts';
import { type Conversation, conversations, emit } from '../../lib/conversion/gather.ts';
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import { record } from '../../lib/json/record.ts';
import type { Json } from '../../lib/json/values.ts';
import { child } from './child.ts';

/** The share of the window that the conversation may fill: the rest is the answer's. */
const SHARE = 0.75;
/** Where nobody says how large the window is. */
const UNKNOWN = 16_000;

/** The conversation in so many tokens less what an answer takes. Throws a Failure if ai-condense does not make it shorter. */
export async function condensed(
  conversation: Conversation,
  limit: number | undefined,
  context: Context,
): Promise<Conversation> {
  const budget = Math.floor((limit ?? UNKNOWN) * SHARE);
  const input = `${[...emit(conversation)].map(({ value }) => JSON.stringify(value)).join('\n')}\n`;
  const output = await child('ai-condense', ['--budget', String(budget)], input, context);
  const records = output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => record(JSON.parse(line) as Json));
  const [shorter] = conversations(records);
  if (shorter && output.length < input.length)
    return { ...shorter, format: conversation.format, decided: conversation.decided };
  throw new Failure(
    EXIT.badInput,
    'cannot complete: the conversation is too long for the model, and ai-condense cannot shorten it',
  );
}
