// Why a reply ended, for the APIs that took over the shapes of Chat Completions.
import type { Message, Stop, StopReason } from '../../ir/types.ts';
import { lookup } from '../fields.ts';

/** The reason by its word in the API's table; where a call was made, the content decides. */
export function readStop(
  raw: unknown,
  { parts }: Message,
  reasons: { readonly [raw: string]: StopReason },
): Stop | undefined {
  if (typeof raw !== 'string') return undefined;
  const calls = parts.some((part) => part.type === 'tool_call');
  const reason = lookup(reasons, raw) ?? 'other';
  return { reason: calls && (reason === 'stop' || reason === 'other') ? 'tool_calls' : reason, raw };
}
