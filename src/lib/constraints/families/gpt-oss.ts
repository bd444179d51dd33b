// gpt-oss, OpenAI's open models: servers read their reasoning from `reasoning`. https://cookbook.openai.com/articles/gpt-oss/handle-raw-cot

import { eachMessage } from '../../conversion/adaptation.ts';
import { constraintsOf } from '../../dialects/table.ts';
import { inField } from '../adapt/reasoning.ts';
import type { Adapter } from './types.ts';

export const gptOss: Adapter = {
  families: ['gpt-oss'],
  summary: 'reasoning in the field "reasoning"',
  open: (_, to) =>
    constraintsOf(to).otherServers
      ? eachMessage(
          (head) => head,
          (message) => inField(message, 'reasoning'),
        )
      : undefined,
};
