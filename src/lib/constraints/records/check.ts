// The rules about records: found broken, and mended, before the view is looked at.
import type { FormatName } from '../../conversation/types.ts';
import { anthropic } from '../../dialects/anthropic/rules.ts';
import { bedrock } from '../../dialects/bedrock/rules.ts';
import { bedrockTurns } from '../../dialects/bedrock/turn-rules.ts';
import { cohere } from '../../dialects/cohere/rules.ts';
import { geminiBody } from '../../dialects/gemini/body-rules.ts';
import { gemini } from '../../dialects/gemini/rules.ts';
import { mistral } from '../../dialects/mistral/rules.ts';
import { openai } from '../../dialects/openai/rules.ts';
import { responses } from '../../dialects/openai-responses/rules.ts';
import type { Records, RecordsMended, WireRule } from '../../dialects/record-rules.ts';
import type { Finding, Mended } from '../rules/types.ts';
import { foreign } from './foreign.ts';
import { schemas } from './schemas.ts';
import { shapes } from './shape-table.ts';

const RULES: readonly WireRule[] = [
  ...anthropic,
  ...responses,
  ...openai,
  ...mistral,
  ...cohere,
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
