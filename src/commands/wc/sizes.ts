// What the parts of a conversation take, in tokens. Loaded when that is asked for: it reads the vocabularies.
import type { Role } from '../../lib/conversation/types.ts';
import { Calibration } from '../../lib/tokens/calibrate.ts';
import { counterFor } from '../../lib/tokens/count.ts';
import { roleOf, type Tally } from './tally.ts';

export interface Sizes {
  readonly roles: ReadonlyMap<Role, number>;
  /** The tools, and what else the head takes. */
  readonly head: number;
  /** What the next request takes: what the last answer reported, and an estimate of what came behind it. */
  readonly context: number;
  /** Whether the counts are exact, by the encoding of the model. */
  readonly exact: boolean;
}

/** Counts with the model's own encoding where it is known, else by an estimate that the answers' own reports correct. */
export function sizesOf({ head, all, last, format }: Tally, model: string | undefined): Sizes {
  const plain = counterFor(model, format);
  const counts = all.map((message) => plain.message(message));
  const calibration = new Calibration();
  for (const [i, message] of all.entries()) calibration.add(message, counts[i] ?? 0);
  const scale = plain.exact ? 1 : calibration.scale;
  const roles = new Map<Role, number>();
  for (const [i, message] of all.entries()) {
    const role = roleOf(message);
    roles.set(role, (roles.get(role) ?? 0) + (counts[i] ?? 0) * scale);
  }
  const headTokens = plain.head(head) * scale;
  const whole = [...roles.values()].reduce((sum, tokens) => sum + tokens, headTokens);
  const after = counts
    .slice(counts.length - (last?.after.length ?? 0))
    .reduce((sum, tokens) => sum + tokens * scale, 0);
  return {
    roles: new Map([...roles].map(([role, tokens]) => [role, Math.ceil(tokens)])),
    head: Math.ceil(headTokens),
    context: Math.ceil(last === undefined ? whole : last.tokens + (last.after.length === 0 ? 0 : after)),
    exact: plain.exact,
  };
}
