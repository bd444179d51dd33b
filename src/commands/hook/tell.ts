// What hooks have to say to the person.
import type { Context } from '../../lib/cli/filter.ts';
import type { Outcome } from '../../lib/hooks/outcome.ts';
import { type Rec, record } from '../../lib/json/record.ts';
import type { Json } from '../../lib/json/values.ts';
import { visible } from '../../lib/text/control-characters.ts';

/** Warnings and messages, on standard error. */
export function tell({ messages, warnings }: Outcome, context: Context): void {
  for (const text of [...warnings, ...messages]) context.note(visible(text));
}

/** The record at which a loop ends. */
export function stopRecord(event: string, reason: string): Rec {
  const stop: Json = { type: 'stop', source: `hook:${event}`, reason };
  return record(stop);
}
