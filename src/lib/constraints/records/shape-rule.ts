// The rule `shape`: fields that are missing, words that the API does not know, values of another kind.

import type { RecordConstraints, RecordRule } from '../../dialects/record-rules.ts';
import { mendedAt, type Shape, spoken, UNKNOWN, type Wrong } from '../../dialects/shapes.ts';
import type { JsonObject } from '../../json/values.ts';
import { quoted } from '../rules/build.ts';
import type { Finding, Mended } from '../rules/types.ts';

const NAME = 'shape';

/** Of each record the first thing that is wrong with it. */
export function shapeRule({ head, message, isOwn = () => true }: RecordConstraints): RecordRule {
  return {
    name: NAME,
    check(records): Finding[] {
      if (!isOwn(records)) return [];
      const top = records.head && head(records.head, []);
      const found = records.messages.flatMap((record, i): Finding[] => {
        const wrong = message(record, []);
        return wrong ? [{ rule: NAME, message: i, ...problem(wrong) }] : [];
      });
      return top ? [{ rule: NAME, ...problem(top) }, ...found] : found;
    },
    mend(records) {
      if (!isOwn(records)) return undefined;
      const did: Mended[] = [];
      const top = records.head && mended(records.head, head, undefined, did);
      const messages = records.messages.map((record, i) => mended(record, message, i, did));
      return did.length > 0 ? { records: { head: top, messages }, did } : undefined;
    },
  };
}

function problem({ path, is, must }: Wrong): { what: string; mend: string } {
  const at = quoted(spoken(path));
  if (must === UNKNOWN) return { what: `the API has no ${at}`, mend: 'remove it' };
  if (is === undefined) return { what: `${at} is missing`, mend: must === 'given' ? 'give it' : `it must be ${must}` };
  return { what: `${at} is ${quoted(is)}`, mend: `it must be ${must}` };
}

/** So many things can be wrong with one record. */
const MOST = 1000;

function mended(record: JsonObject, shape: Shape, message: number | undefined, did: Mended[]): JsonObject {
  let now = record;
  for (let turn = 0; turn < MOST; turn += 1) {
    const wrong = shape(now, []);
    if (!wrong?.mend?.path.length) break;
    const { path, value } = wrong.mend;
    now = mendedAt(now, path, value);
    const at = quoted(spoken(path));
    const said = value === undefined ? `took ${at} away: ${problem(wrong).what}` : `wrote ${at} as ${quoted(value)}`;
    did.push({ rule: NAME, message, did: said });
  }
  return now;
}
