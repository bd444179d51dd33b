// The rules about records: found broken, and mended, before the view is looked at.
import type { FormatName } from '../../conversation/types.ts';
import { records as anthropic } from '../../dialects/anthropic/record-constraints.ts';
import { records as bedrock } from '../../dialects/bedrock/record-constraints.ts';
import { records as cohere } from '../../dialects/cohere/record-constraints.ts';
import { records as gemini } from '../../dialects/gemini/record-constraints.ts';
import { records as mistral } from '../../dialects/mistral/record-constraints.ts';
import { records as openai } from '../../dialects/openai/record-constraints.ts';
import { records as responses } from '../../dialects/openai-responses/record-constraints.ts';
import type {
  Finding,
  Mended,
  RecordConstraints,
  RecordRule,
  Records,
  RecordsMended,
} from '../../dialects/record-rules.ts';
import { foreignRule } from './foreign.ts';
import { schemaRules } from './schemas.ts';
import { shapeRule } from './shape-rule.ts';

const APIS: readonly RecordConstraints[] = [anthropic, openai, responses, gemini, bedrock, mistral, cohere];

const RULES: ReadonlyMap<FormatName, readonly RecordRule[]> = new Map(
  APIS.map((api) => [api.format, [...api.rules, shapeRule(api), foreignRule(api), ...schemaRules(api)]]),
);

const rulesOf = (format: FormatName): readonly RecordRule[] => RULES.get(format) ?? [];

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
