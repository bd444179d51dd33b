// Llama's own template: `This model only supports single tool-calls at once!`.
// https://huggingface.co/meta-llama/Llama-3.1-8B-Instruct/blob/main/tokenizer_config.json

import type { Adaptation } from '../../conversion/adaptation.ts';
import { constraintsOf } from '../../dialects/table.ts';
import { OneCallAtATime } from '../adapt/single-calls.ts';
import type { Adapter } from './types.ts';

export const llama: Adapter = {
  families: ['llama'],
  summary: 'one tool call at a time, as Llama 3 was trained',
  open: ({ version }, to): Adaptation | undefined =>
    constraintsOf(to).chatTemplates && version >= 3 && version < 4 ? new OneCallAtATime() : undefined,
};
