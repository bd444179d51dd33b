// The rules about records: found broken, and mended, before the view is looked at.
import type { FormatName } from '../../conversation/types.ts';
import type { Finding, Mended } from '../rules/types.ts';
import { anthropic } from './anthropic.ts';
import { bedrock } from './bedrock.ts';
import { bedrockTurns } from './bedrock-turns.ts';
import { chat } from './chat.ts';
import { foreign } from './foreign.ts';
import { gemini } from './gemini.ts';
import { geminiBody } from './gemini-body.ts';
import { responses } from './responses.ts';
import { schemas } from './schemas.ts';
import { shapes } from './shapes/table.ts';
import type { Records, RecordsMended, WireRule } from './types.ts';

const RULES: readonly WireRule[] = [
  ...anthropic,
  ...responses,
  ...chat,
  ...gemini,
  ...geminiBody,
  ...bedrock,
  ...bedrockTurns,
  ...shapes,
  ...foreign,
  ...schemas,
];

const rulesOf = (format: FormatName): readonly WireRule[] => RULES.filter(({ formats }) => formats.includes(format));

/** What the API would refuse of the records; `message` counts them. */
export const checkRecords = (format: FormatName, records: Records): Finding[] =>
  rulesOf(format).flatMap((rule) => rule.check(records));

/** The records with all that can be mended. Those that were not changed are the same objects. */
export function mendRecords(format: FormatName, records: Records): RecordsMended {
  let now = records;
  const did: Mended[] = [];
  for (const rule of rulesOf(format)) {
    const mended = rule.mend?.(now);
    if (mended === undefined) continue;
    now = mended.records;
    for (const one of mended.did) did.push(one);
  }
  return { records: now, did };
}
