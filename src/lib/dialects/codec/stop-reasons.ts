// Why a reply ended: the words of each API for it, and the reasons that they stand for.
import type { Form, FormatName, Message, Stop, StopReason } from '../../conversation/types.ts';
import { lookup } from './fields.ts';

/** An API's words, and what each of them means. */
type Reasons = { readonly [word: string]: StopReason };

/** The reason by its word in the API's table; where a call was made, the content decides. */
export function readStop(raw: unknown, { parts }: Pick<Message, 'parts'>, reasons: Reasons): Stop | undefined {
  if (typeof raw !== 'string') return undefined;
  const calls = parts.some((part) => part.type === 'tool_call' && part.by === undefined);
  const reason = lookup(reasons, raw) ?? 'other';
  return { reason: calls && (reason === 'stop' || reason === 'other') ? 'tool_calls' : reason, raw };
}

const formOf = (format: FormatName): string => `${format}:stop`;

/** Remembers the word of a reply, so that the same API's reply has it again, whatever it is. */
export const stopForm = (format: FormatName, raw: unknown): Form | undefined =>
  typeof raw === 'string' ? { [formOf(format)]: raw } : undefined;

/**
 * The word of an API for why a reply ended: the one that it used itself, as long as that says what the view says, else one of its own. A word of
 * another API never gets here: clients know those of their API alone.
 */
export function writeStop<Word extends string>(
  message: Message,
  format: FormatName,
  reasons: Reasons,
  words: { readonly [reason in StopReason]: Word },
  read: (raw: string) => Stop | undefined = (raw) => readStop(raw, message, reasons),
): string | undefined {
  const { stop, form } = message;
  if (stop === undefined) return undefined;
  const own = form?.[formOf(format)];
  if (own !== undefined && own === stop.raw && read(own)?.reason === stop.reason) return own;
  return lookup(reasons, stop.raw) === stop.reason && typeof stop.raw === 'string' ? stop.raw : words[stop.reason];
}
