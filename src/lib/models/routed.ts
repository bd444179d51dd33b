// What `_meta.route` of a head says of where a conversation goes.

import { EXIT, Failure } from '../failure/failure.ts';
import type { JsonObject } from '../json/values.ts';
import { quoted } from '../text/control-characters.ts';
import { isAddress } from './address.ts';

/** The addresses in a route: that of the model, and those among the fallbacks. A digest speaks of all of them together. */
export function addressesIn({ url, fallbacks }: JsonObject): string[] {
  const others = Array.isArray(fallbacks) ? fallbacks.filter((name) => typeof name === 'string') : [];
  return [...(typeof url === 'string' ? [url] : []), ...others.filter(isAddress)];
}

/** An address of a record, or of a file that came with others' data, that no person is known to have named. */
export class ForeignAddress extends Failure {
  constructor(address: string, place?: string) {
    super(
      EXIT.notPermitted,
      `cannot use the URL ${JSON.stringify(shown(address))}: only the command line, the environment and the user's configuration may name one`,
      {
        place,
        hint: 'name it with -m or --base-url, in AI_MODEL or in the configuration, or with ai-route -m URL run by the same user',
      },
    );
  }
}

/** Without a password or a query, which may be a key. */
const shown = (address: string): string =>
  quoted(address.replace(/^([a-z]+:\/\/)[^/]*@/i, '$1').replace(/[?#].*$/s, ''), 200);
