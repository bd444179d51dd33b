// What whole requests take, for tests of counting and of condensing.
import type { FormatName, Head, Message } from '../src/lib/conversation/types.ts';
import { counterFor } from '../src/lib/tokens/count.ts';

/** The tokens of a whole request: tools, system prompt, messages, media, and what the API puts around them. */
export function countTokens(
  model: string | undefined,
  request: { readonly head?: Head; readonly messages: readonly Message[] },
  format?: FormatName,
): number {
  const counter = counterFor(model ?? request.head?.model, format);
  return Math.ceil(
    request.messages.reduce((sum, message) => sum + counter.message(message), counter.head(request.head ?? {})),
  );
}
