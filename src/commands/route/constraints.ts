// What no choice may break. A line in the table is one constraint: its name, and why a candidate does not meet it.
import type { Need } from '../../lib/config/types.ts';
import type { Model } from '../../lib/models/types.ts';
import { type Candidate, costOfTurn, familyFor, type Turn } from './candidate.ts';

/** What one conversation demands, and what the configuration does. */
export interface Demand extends Turn {
  /** The answer's limit that the head names. */
  readonly maxTokens?: number;
  readonly needs: ReadonlyMap<Need, string>;
  /** USD that are left of the budget. */
  readonly budget?: number;
  readonly allowed?: (name: string) => boolean;
  readonly denied?: (name: string) => boolean;
}

export interface Rejection {
  readonly model: string;
  readonly constraint: string;
  readonly why: string;
}

/** Why a candidate is out; undefined if it is not. */
type Check = (candidate: Candidate, demand: Demand) => string | undefined;

/** Whether a model can; undefined for one that the catalogue does not list. What its row does not list, a model cannot. */
function can(model: Model | undefined, need: Need): boolean | undefined {
  if (model === undefined) return undefined;
  switch (need) {
    case 'tools':
    case 'reasoning':
    case 'schema':
      return model[need] === true;
    case 'streaming':
      return model.streaming !== false;
    default:
      return model.input?.includes(need) === true;
  }
}

const WORDS: { readonly [need in Need]: string } = {
  image: 'take images',
  document: 'take documents',
  audio: 'take audio',
  video: 'take video',
  tools: 'call tools',
  reasoning: 'reason',
  schema: 'answer by a schema',
  streaming: 'stream',
};

function lacks({ choice, named }: Candidate, need: Need, wanted: string): string | undefined {
  const able = choice.provider.quirks?.tools === false && need === 'tools' ? false : can(choice.facts, need);
  if (able === false) return `cannot ${WORDS[need]}, which is needed: ${wanted}`;
  return able === undefined && !named ? `not known to ${WORDS[need]}, which is needed: ${wanted}` : undefined;
}

const context: Check = (candidate, { prompt, output }) => {
  const { facts } = candidate.choice;
  if (facts?.context === undefined) return candidate.named ? undefined : 'its context window is unknown';
  const room = Math.min(output, facts.output ?? output);
  const family = familyFor(candidate);
  if (prompt.fits(family, facts.context - room)) return undefined;
  return `needs ${prompt.count(family) + room} tokens with room for the answer, has ${facts.context}`;
};

const answer: Check = ({ choice: { facts } }, { maxTokens }) =>
  maxTokens !== undefined && facts?.output !== undefined && maxTokens > facts.output
    ? `the head asks for ${maxTokens} tokens, its limit is ${facts.output}`
    : undefined;

const budget: Check = (one, turn) => {
  const { budget: left } = turn;
  if (left === undefined) return undefined;
  const { prompt } = turn;
  const most = costOfTurn(one, turn, () => prompt.most);
  if (most === undefined || most <= left) return undefined;
  const cost = costOfTurn(one, turn, () => prompt.count(familyFor(one))) ?? most;
  return cost > left ? `would cost $${usd(cost)}, $${usd(left)} is left` : undefined;
};

/** The budget cannot be kept with a model whose price is not known. */
const price: Check = (one, turn) =>
  turn.budget !== undefined && costOfTurn(one, turn, () => 0) === undefined
    ? 'its price is unknown, and a budget is set'
    : undefined;

const allow: Check = ({ name }, { allowed }) => (allowed && !allowed(name) ? 'it is not on the list' : undefined);

const deny: Check = ({ name }, { denied }) => (denied?.(name) ? 'it is on the list' : undefined);

const deprecated: Check = ({ choice: { facts }, named }, { now }) => {
  const since = facts?.deprecated;
  if (typeof since === 'string') return Date.parse(since) <= now ? `it is no longer served since ${since}` : undefined;
  return since && !named ? 'its provider has deprecated it' : undefined;
};

const chat: Check = ({ choice }) =>
  choice.provider.kind === 'classifier' ? 'it is a classifier, not a chat model' : undefined;

/** The constraint that is not met by what nobody knows. */
export const PRICE = 'price';

interface Constraint {
  readonly name: string;
  readonly check: Check;
}

const BEFORE: readonly Constraint[] = [
  { name: 'allow', check: allow },
  { name: 'deny', check: deny },
  { name: 'chat', check: chat },
  { name: 'deprecated', check: deprecated },
];

const AFTER: readonly Constraint[] = [
  { name: 'output', check: answer },
  { name: 'context', check: context },
  { name: PRICE, check: price },
  { name: 'budget', check: budget },
];

const NONE: readonly string[] = [];

/** The constraint that a candidate does not meet, the first of the table; undefined if it meets all. `without` are not tried. */
export function reject(candidate: Candidate, demand: Demand, without = NONE): Rejection | undefined {
  return (
    first(BEFORE, candidate, demand, without) ??
    needed(candidate, demand, without) ??
    first(AFTER, candidate, demand, without)
  );
}

function first(
  constraints: readonly Constraint[],
  candidate: Candidate,
  demand: Demand,
  without: readonly string[],
): Rejection | undefined {
  for (const { name, check } of constraints) {
    const why = without.includes(name) ? undefined : check(candidate, demand);
    if (why !== undefined) return { model: candidate.name, constraint: name, why };
  }
  return undefined;
}

function needed(candidate: Candidate, { needs }: Demand, without: readonly string[]): Rejection | undefined {
  if (needs.size === 0) return undefined;
  for (const [need, wanted] of needs) {
    const why = without.includes(need) ? undefined : lacks(candidate, need, wanted);
    if (why !== undefined) return { model: candidate.name, constraint: need, why };
  }
  return undefined;
}

/** Four significant digits say enough of an estimate. */
export const usd = (cost: number): number => Number(cost.toPrecision(4));
