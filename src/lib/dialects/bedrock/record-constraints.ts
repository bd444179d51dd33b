// What the API refuses of its own records: rules, shapes, parameters and where its schemas stand.
import { textIn } from '../../json/values.ts';
import { listOf, objectOf, type RecordConstraints, toolSchema } from '../record-rules.ts';
import { BEDROCK } from './name.ts';
import { bedrock } from './rules.ts';
import { bedrockHead, bedrockMessage } from './shape.ts';
import { bedrockTurns } from './turn-rules.ts';

export const records: RecordConstraints = {
  format: BEDROCK,
  rules: [...bedrock, ...bedrockTurns],
  head: bedrockHead,
  message: bedrockMessage,
  parameters: `modelId model stream messages system inferenceConfig toolConfig guardrailConfig additionalModelRequestFields promptVariables
    additionalModelResponseFieldPaths requestMetadata performanceConfig serviceTier outputConfig`,
  schemas: ({ toolConfig }) =>
    listOf(objectOf(toolConfig).tools).flatMap(({ toolSpec }) =>
      toolSchema(objectOf(toolSpec).name, objectOf(objectOf(toolSpec).inputSchema).json, objectOf(toolSpec).strict),
    ),
  namesProperties: ({ head }) => textIn(head?.modelId).includes('claude'),
};
