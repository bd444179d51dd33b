// What the sizes of a run mean for one conversation.

import type { Head } from '../../lib/conversation/types.ts';
import { type Conversation, headOf } from '../../lib/conversion/gather.ts';
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import { modelNamed } from '../../lib/models/catalogue.ts';
import type { Price } from '../../lib/models/types.ts';
import { batchedSize, cachePrices } from './batch.ts';
import type { Bounds } from './fold.ts';
import type { Size, SizeOptions } from './size-options.ts';
import type { WindowOf } from './window.ts';

/** Where nobody names a size and the window is not known: that of most models. Tokens. */
const USUAL_WINDOW = 128_000;

export const ASSUMED = `the context window is unknown: assuming ${USUAL_WINDOW} tokens (use --window TOKENS or --budget TOKENS)`;

/** How much of a single size is left. Without it each request of a session would be condensed anew, and none found in the prompt cache. */
const LEFT = 0.6;

export interface Windows {
  readonly of: WindowOf;
  /** Told where the usual window is taken for one that is not known. */
  readonly assume: () => void;
}

/** The limits for one conversation, in tokens. Throws a Failure (78) where a window is needed and not known. */
export function boundsOf(conversation: Conversation, options: SizeOptions, windows: Windows): Bounds {
  const { head } = headOf(conversation);
  const known = options.window ?? windows.of(head);
  const window = known ?? (options.assumes ? USUAL_WINDOW : undefined);
  if (window !== known) windows.assume();
  const room = roomBeside(head, known, options);
  const budget = Math.min(tokensOf(options.budget, window, head), room);
  const trigger = options.trigger === undefined ? budget : tokensOf(options.trigger, window, head);
  const reached = Math.max(budget, Math.min(trigger, room));
  if (options.clearAtLeast >= reached)
    throw new Failure(
      EXIT.usage,
      `cannot remove ${options.clearAtLeast} tokens: there are only ${Math.floor(reached)}`,
      {
        hint: 'use a smaller --clear-at-least, or a larger --trigger',
      },
    );
  const fitting = Math.max(1, Math.min(budget, reached - options.clearAtLeast));
  const batched = options.single
    ? Math.min(fitting, LEFT * budget)
    : batchedSize(fitting, reached, cachePrices(priceOf(head)));
  return { budget: fitting, trigger: reached, batched };
}

/** The catalogue's price of the head's model. USD for a million tokens. */
export const priceOf = ({ model }: Head): Price | undefined =>
  typeof model === 'string' ? modelNamed(model)?.price : undefined;

/** What a window leaves beside the answer: --reserve, or what the head allows the answer to take. */
function roomBeside(head: Head, window: number | undefined, { reserve, budget }: SizeOptions): number {
  const answer = reserve ?? (typeof head.maxTokens === 'number' ? head.maxTokens : 0);
  if (window !== undefined) return leaves(window, answer);
  if (reserve === undefined || typeof budget !== 'object' || !('tokens' in budget)) return Number.POSITIVE_INFINITY;
  return leaves(budget.tokens, reserve);
}

function leaves(whole: number, answer: number): number {
  if (answer < whole) return whole - answer;
  throw new Failure(EXIT.config, `cannot reserve ${answer} tokens for the answer: there are only ${whole}`);
}

function tokensOf(size: Size, window: number | undefined, head: Head): number {
  if (typeof size === 'object' && 'tokens' in size) return size.tokens;
  if (window !== undefined) return (window * (size === 'auto' ? 50 : size.percent)) / 100;
  const what = head.model === undefined ? 'no model is named' : `the context window of "${head.model}" is unknown`;
  throw new Failure(EXIT.config, `cannot compute a percentage: ${what}`, {
    hint: 'use --window TOKENS or --budget TOKENS',
  });
}
