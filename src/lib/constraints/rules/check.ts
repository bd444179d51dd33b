// What breaks an API's rules in a conversation, and the conversation mended. Both take time that grows with its length.
import type { FormatName } from '../../conversation/types.ts';
import { RULES } from './table.ts';
import type { Checked, Finding, Mended, Repaired, Rule } from './types.ts';

const byFormat = new Map<FormatName, readonly Rule[]>();

/** The rules of one API. */
function rulesOf(format: FormatName): readonly Rule[] {
  const known = byFormat.get(format) ?? RULES.filter((rule) => rule.formats.includes(format));
  byFormat.set(format, known);
  return known;
}

/** What the API would refuse, the head first, then message by message. */
export function check(request: Checked): Finding[] {
  const found = rulesOf(request.format).flatMap((rule) => rule.check(request));
  return found.sort((a, b) => (a.message ?? -1) - (b.message ?? -1));
}

/** The request with all that can be mended without inventing content. Messages that were not changed are the same objects. */
export function repair(request: Checked): Repaired {
  let now = request;
  const did: Mended[] = [];
  for (const rule of rulesOf(request.format)) {
    const repaired = rule.repair?.(now);
    if (repaired === undefined) continue;
    now = repaired.request;
    for (const one of repaired.did) did.push(one);
  }
  return { request: now, did };
}
