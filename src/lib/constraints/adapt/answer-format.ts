// Where the format of an answer does not go with what else a request asks for.

import type { FormatName, Head, Lose } from '../../conversation/types.ts';
import type { Adaptation } from '../../conversion/adaptation.ts';

/** cohere: `json_object` is `not supported when used in combination with tools or documents`, by the client's own words. */
export function goodAnswers(to: FormatName): Adaptation {
  return {
    head(head: Head, lose: Lose): Head {
      const { responseFormat, tools } = head;
      const asked = to === 'cohere' && (responseFormat?.type === 'json' || responseFormat?.type === 'schema');
      if (!asked || tools === undefined || !tools.some(({ type }) => type !== 'provider')) return head;
      lose('response_format', 'the API does not support it together with tools');
      return { ...head, responseFormat: undefined };
    },
  };
}
