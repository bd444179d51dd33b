// Amazon Bedrock's Converse API. https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
import type { Format } from '../types.ts';
import * as codec from './codec.late.ts';
import { constraints } from './constraints.ts';
import { endpoint } from './endpoint.ts';
import { BEDROCK } from './name.ts';
import { recognise, recogniseEvent } from './recognise.ts';

export const bedrock: Format = {
  ...codec,
  name: BEDROCK,
  summary: 'Amazon Bedrock Converse',
  messagesKey: 'messages',
  endpoint,
  recognise,
  framing: 'aws',
  recogniseEvent,
  constraints,
};
