// A kept answer read again: out of the cache, out of a cassette.

import type { Delta } from '../../lib/conversation/delta.ts';
import type { Message } from '../../lib/conversation/types.ts';
import type { Format } from '../../lib/dialects/types.ts';
import { type Recorded, ReplyReader, readWhole } from '../../lib/providers/exchange.ts';
import { eventsIn } from '../../lib/providers/framing.ts';
import type { WireApi } from '../../lib/providers/wire.ts';

/** Throws AttemptFailed for one that is not whole. */
export function readRecorded(
  { body, streamed }: Recorded,
  provider: string,
  format: Format,
  api: WireApi,
  onDelta: ((delta: Delta) => void) | undefined,
): Message {
  const reading = { provider, format, api, now: () => 0, mask: (text: string) => text, ...(onDelta && { onDelta }) };
  if (!streamed) return readWhole(body, reading);
  const reader = new ReplyReader(reading);
  try {
    for (const event of eventsIn(body)) reader.push(event);
    return reader.end();
  } catch (error) {
    throw reader.failed(error);
  }
}
