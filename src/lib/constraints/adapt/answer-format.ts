// Where the format of an answer does not go with what else a request asks for.

import type { FormatName, Head, Lose } from '../../conversation/types.ts';
import type { Adaptation } from '../../conversion/adaptation.ts';
import { constraintsOf } from '../../dialects/table.ts';

/** Where an answer can follow a format only in a request without tools, the tools stay and the format goes. */
export function goodAnswers(to: FormatName): Adaptation {
  return {
    head(head: Head, lose: Lose): Head {
      const { responseFormat, tools } = head;
      const alone = constraintsOf(to).answerFormatAlone;
      const asked = alone && (responseFormat?.type === 'json' || responseFormat?.type === 'schema');
      if (!asked || tools === undefined || !tools.some(({ type }) => type !== 'provider')) return head;
      lose('response_format', 'the API does not support it together with tools');
      return { ...head, responseFormat: undefined };
    },
  };
}
