// A decision, and how it is written into the head.
import type { Task } from '../../lib/config/types.ts';
import type { JsonObject } from '../../lib/ir/json.ts';
import type { Choice } from '../../lib/models/resolve.ts';
import { type Rejection, usd } from './constraints.ts';

export interface Estimate {
  /** Tokens. */
  readonly input: number;
  readonly output: number;
  /** USD; undefined where a price is not known. */
  readonly cost?: number;
}

export interface Decision {
  readonly choice: Choice;
  readonly reason: string;
  readonly estimate: Estimate;
  /** What was asked for, where it is not the model's own id. */
  readonly requested?: string;
  readonly rule?: string;
  readonly task?: Task;
  /** How it was chosen, where several fitted and nobody had named one: `capability balanced`. */
  readonly strategy?: string;
  /** Models that would do as well, in order. */
  readonly fallbacks: readonly string[];
  readonly rejected: readonly Rejection[];
  /** What the model does not meet, and was named nevertheless. */
  readonly unmet: readonly Rejection[];
}

export const nameOf = ({ choice }: Decision): string => `${choice.provider.name}/${choice.model}`;

/** What `_meta.route` says. */
export function describeDecision(decision: Decision): JsonObject {
  const { choice, reason, estimate, requested, rule, task, strategy, fallbacks, rejected, unmet } = decision;
  return {
    provider: choice.provider.name,
    ...(choice.url !== undefined && { url: choice.url }),
    reason,
    ...(requested !== undefined && { requested }),
    ...(rule !== undefined && { rule }),
    ...(task !== undefined && { task }),
    ...(strategy !== undefined && { strategy }),
    estimate: {
      input_tokens: estimate.input,
      output_tokens: estimate.output,
      ...(estimate.cost !== undefined && { usd: usd(estimate.cost) }),
    },
    ...(fallbacks.length > 0 && { fallbacks: [...fallbacks] }),
    ...(rejected.length > 0 && { rejected: rejected.map((one) => ({ ...one })) }),
    ...(unmet.length > 0 && { unmet: unmet.map((one) => ({ ...one })) }),
  };
}

/** Which constraint removed which candidates, in one line. */
export function describeRejections(rejected: readonly Rejection[]): string {
  const groups = new Map<string, string[]>();
  for (const { constraint, why, model } of rejected) {
    const key = `${constraint} (${why})`;
    const models = groups.get(key);
    if (models) models.push(model);
    else groups.set(key, [model]);
  }
  return [...groups].map(([constraint, models]) => `${constraint} removed ${models.join(', ')}`).join('; ');
}
