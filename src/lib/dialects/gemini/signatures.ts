// Thought signatures on calls: https://ai.google.dev/gemini-api/docs/thought-signatures
import { modelName } from '../../conversation/model-name.ts';

/** What stands for a signature that is not there: https://ai.google.dev/gemini-api/docs/thought-signatures#faqs */
export const NO_SIGNATURE = 'skip_thought_signature_validator';

/** Whether a model refuses calls that are not signed. */
export function needsSignatures(model: string | undefined): boolean {
  const name = modelName(model);
  return name?.family === 'gemini' && name.version >= 3;
}
