// What the API refuses of its own records: rules, shapes, parameters and where its schemas stand.
import { listOf, type RecordConstraints, toolSchema } from '../record-rules.ts';
import { geminiBody } from './body-rules.ts';
import { GEMINI } from './name.ts';
import { gemini } from './rules.ts';
import { geminiContent, geminiHead } from './shape.ts';

export const records: RecordConstraints = {
  format: GEMINI,
  rules: [...gemini, ...geminiBody],
  head: geminiHead,
  message: geminiContent,
  parameters: `contents systemInstruction tools toolConfig safetySettings cachedContent labels serviceTier generationConfig modelArmorConfig model stream
    store continuationToken`,
  schemas: (head) =>
    listOf(head.tools)
      .flatMap(({ functionDeclarations }) => listOf(functionDeclarations))
      .flatMap(({ name, parametersJsonSchema }) => toolSchema(name, parametersJsonSchema)),
};
