// A decision, and how it is written into the head.
import type { Task } from '../../lib/config/types.ts';
import type { JsonObject } from '../../lib/json/values.ts';
import type { Choice } from '../../lib/models/resolve.ts';
import type { ChosenAgent } from './agents/agents.ts';
import { type Rejection, usd } from './constraints.ts';

interface Estimate {
  /** Tokens. */
  readonly input: number;
  readonly output: number;
  /** What the tokens of the prompt come from: see `Prompt.basis`. */
  readonly basis: string;
  /** USD; undefined where a price is not known. */
  readonly cost?: number;
}

export interface Decision {
  readonly choice: Choice;
  readonly reason: string;
  /** Where the provider's credential seems to be; not part of what the head says. */
  readonly credential?: string;
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
  /** The agent that works on it, where one was chosen. */
  readonly agent?: ChosenAgent;
  /** What the model does not meet, and was named nevertheless. */
  readonly unmet: readonly Rejection[];
}

export const nameOf = ({ choice }: Decision): string => `${choice.provider.name}/${choice.model}`;

/** What `_meta.route` says. */
export function describeDecision(decision: Decision): JsonObject {
  const { choice, reason, estimate, requested, rule, task, strategy, fallbacks, rejected, unmet, agent } = decision;
  return {
    provider: choice.provider.name,
    ...(choice.url !== undefined && { url: choice.url }),
    reason,
    ...(requested !== undefined && { requested }),
    ...(rule !== undefined && { rule }),
    ...(task !== undefined && { task }),
    ...(strategy !== undefined && { strategy }),
    ...(agent && describeAgent(agent)),
    estimate: {
      input_tokens: estimate.input,
      output_tokens: estimate.output,
      basis: estimate.basis,
      usd: estimate.cost === undefined ? null : usd(estimate.cost),
    },
    ...(fallbacks.length > 0 && { fallbacks: [...fallbacks] }),
    ...(rejected.length > 0 && { rejected: rejected.map((one) => ({ ...one })) }),
    ...(unmet.length > 0 && { unmet: unmet.map((one) => ({ ...one })) }),
  };
}

export const describeAgent = ({ agent: { name, file }, why }: ChosenAgent): JsonObject => ({
  agent: name,
  agent_file: file,
  agent_reason: why,
});

/** Which constraint removed which candidates, in one line: why, if that is the same for all of them. */
export function describeRejections(rejected: readonly Rejection[]): string {
  const groups = new Map<string, Rejection[]>();
  for (const one of rejected) {
    const group = groups.get(one.constraint);
    if (group) group.push(one);
    else groups.set(one.constraint, [one]);
  }
  return [...groups].map(([constraint, group]) => `${constraint} ${removed(group)}`).join('; ');
}

function removed(group: readonly Rejection[]): string {
  const [first] = group;
  const same = group.every(({ why }) => why === first?.why);
  const told = group.map(({ model, why }) => (same || group.length > TOLD ? model : `${model} (${why})`));
  const why = same ? `(${first?.why}) ` : group.length > TOLD ? `(${first?.why}; others alike) ` : '';
  return `${why}removed ${told.join(', ')}`;
}

/** So many candidates are told each with its own reason. */
const TOLD = 5;
