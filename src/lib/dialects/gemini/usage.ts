// Token counts: https://ai.google.dev/api/generate-content#UsageMetadata

import type { Lose, Usage } from '../../conversation/types.ts';
import { isObject, type JsonObject } from '../../json/values.ts';
import { own, residual } from '../codec/residual.ts';
import { GEMINI } from './name.ts';
import type { UsageFields } from './types.ts';

/**
 * The prompt includes what was cached, and not what tools put into it; the candidates do not include the thoughts. A count that is not there means
 * none, where others are.
 */
export function readUsage(native: unknown): Usage | undefined {
  if (!isObject(native)) return undefined;
  const { promptTokenCount, cachedContentTokenCount, candidatesTokenCount, thoughtsTokenCount, ...more }: UsageFields =
    native;
  const { toolUsePromptTokenCount, totalTokenCount, promptTokensDetails, candidatesTokensDetails, ...others } = more;
  const { cacheTokensDetails, toolUsePromptTokensDetails, trafficType, initialPromptTokenCount, ...rest } = others;
  const prompt = sum(promptTokenCount, toolUsePromptTokenCount);
  const counts = { toolUsePromptTokenCount, totalTokenCount, initialPromptTokenCount };
  const zeros = {
    candidatesTokenCount: candidatesTokenCount === 0 ? 0 : undefined,
    promptTokenCount: promptTokenCount === 0 ? 0 : undefined,
  };
  const details = {
    promptTokensDetails,
    candidatesTokensDetails,
    cacheTokensDetails,
    toolUsePromptTokensDetails,
    trafficType,
  };
  return {
    input: prompt === undefined ? undefined : Math.max(0, prompt - (cachedContentTokenCount ?? 0)),
    cacheRead: cachedContentTokenCount,
    output: sum(candidatesTokenCount, thoughtsTokenCount),
    reasoning: thoughtsTokenCount,
    ext: residual(GEMINI, rest, { ...counts, ...zeros, ...details }) ?? OWN,
  };
}

const OWN = { [GEMINI]: {} };

const sum = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0);

export function writeUsage(usage: Usage, lose: Lose): JsonObject {
  const kept = own(usage.ext, GEMINI);
  const { input, cacheRead, cacheWrite, output, reasoning } = usage;
  if (cacheWrite) lose('usage: cache write', 'it is included in the prompt tokens');
  const tools = Number(kept?.toolUsePromptTokenCount ?? 0);
  const prompt = input === undefined ? undefined : input + (cacheRead ?? 0) + (cacheWrite ?? 0) - tools;
  const said = output === undefined ? undefined : output - (reasoning ?? 0);
  return {
    ...kept,
    ...(prompt && { promptTokenCount: prompt }),
    ...(cacheRead !== undefined && { cachedContentTokenCount: cacheRead }),
    ...(said && { candidatesTokenCount: said }),
    ...(reasoning !== undefined && { thoughtsTokenCount: reasoning }),
    ...(kept === undefined && { totalTokenCount: (prompt ?? 0) + (output ?? 0) }),
  };
}
