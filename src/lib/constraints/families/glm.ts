// GLM of Z.ai: reasoning is kept over the calls of a turn if it comes back. https://docs.z.ai/guides/capabilities/thinking-mode

import { eachMessage } from '../../conversion/adaptation.ts';
import { constraintsOf } from '../../dialects/table.ts';
import { inField } from '../adapt/reasoning.ts';
import { intoLastResult } from '../adapt/result-text.ts';
import type { Adapter } from './types.ts';

export const glm: Adapter = {
  families: ['glm'],
  summary: 'reasoning in reasoning_content, text after results goes into the last of them',
  open: (_, to) =>
    constraintsOf(to).otherServers
      ? eachMessage(
          (head) => head,
          (message, lose) => inField(intoLastResult(message, lose), 'reasoning_content'),
        )
      : undefined,
};
