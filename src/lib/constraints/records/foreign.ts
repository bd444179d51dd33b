// Parameters of other APIs. What no API knows is the user's own, and passes along. The APIs' words: anthropic: `stop: Extra inputs are not
// permitted`; openai: `Unrecognized request argument supplied: top_k`, `Unknown parameter: 'stop'`; gemini: `Unknown name "stop": Cannot find
// field.`; mistral: `extra_forbidden`; cohere: `unknown field: parameter 'stop' is not a valid field`; bedrock: `ValidationException`.

import { isParameter } from '../../dialects/codec/parameters.ts';
import { type RecordConstraints, type RecordRule, type Records, without } from '../../dialects/record-rules.ts';
import type { JsonObject } from '../../json/values.ts';

export function foreignRule({ parameters, isOwn = () => true }: RecordConstraints): RecordRule {
  const own = new Set(parameters.split(/\s+/));
  const foreignIn = (records: Records): string[] => {
    if (!isOwn(records)) return [];
    const { head = {} } = records;
    return Object.keys(head).filter((name) => !own.has(name) && isParameter(name) && head[name] !== null);
  };
  return {
    name: 'foreign-parameter',
    check: (records) =>
      foreignIn(records).map((name) => ({
        rule: 'foreign-parameter',
        what: `the API has no parameter "${name}"`,
        mend: 'remove it',
      })),
    mend(records) {
      const names = foreignIn(records);
      if (names.length === 0) return undefined;
      const head: JsonObject = without(records.head ?? {}, ...names);
      return {
        records: { ...records, head },
        did: [{ rule: 'foreign-parameter', did: `took ${names.join(', ')} away` }],
      };
    },
  };
}
