// `--replay`: recorded conversations routed again, and what would have been different: the model, the cost, and the outcome where one is known.

import type { Message, Usage } from '../../lib/conversation/types.ts';
import { type Conversation, firstRecord, type Item, messageOf } from '../../lib/conversion/gather.ts';
import { isObject, type JsonObject } from '../../lib/json/values.ts';
import type { Catalogue } from '../../lib/models/catalogue.ts';
import { costOf } from '../../lib/models/cost.ts';
import { familyOf } from '../../lib/tokens/families.ts';
import { type Decision, nameOf } from './decision.ts';
import { roughTokens } from './prompt.ts';
import { View } from './view.ts';

/** A conversation up to its last answer, and that answer. */
interface Recorded {
  readonly question: Conversation;
  readonly answer?: Message;
}

/** What stands before the last answer was what the model was asked. */
export function questionOf(conversation: Conversation): Recorded {
  const { items } = conversation;
  const last = items.findLastIndex((item) => item.identity !== undefined);
  const answer = last < 0 ? undefined : messageOf(items[last] as Item);
  if (answer?.role !== 'assistant') return { question: conversation };
  return { question: { ...conversation, items: items.slice(0, last) }, answer };
}

/** The conversation as it was before it was routed: a model that was written into the head here is no wish of the client's. */
export function unrouted(conversation: Conversation): Conversation {
  const { head } = conversation;
  const value = head?.rec.value;
  if (!head || !isObject(value) || !isObject(value._meta) || !isObject(value._meta.route)) return conversation;
  const { model, _meta, ...body } = value;
  const { route, ...meta } = _meta as JsonObject;
  const asked = isObject(route) && typeof route.requested === 'string' ? { model: route.requested } : {};
  return { ...conversation, head: { ...head, rec: { ...head.rec, value: { ...body, ...asked, _meta: meta } } } };
}

interface Side {
  conversations: number;
  cost: number;
  /** Conversations whose cost is not known. */
  unpriced: number;
  score: number;
}

const side = (): Side => ({ conversations: 0, cost: 0, unpriced: 0, score: 0 });

export class Replay {
  readonly #catalogue: Catalogue;
  readonly #fullName: (name: string) => string;
  readonly #now: () => number;
  readonly #before = side();
  readonly #after = side();
  readonly #models = new Map<string, { before: number; after: number }>();
  /** Sums of the known outcomes of each model, over the conversations that have any. */
  readonly #outcomes = new Map<string, { sum: number; count: number }>();
  #judged = 0;
  #best = 0;
  #changed = 0;
  #unrouted = 0;

  /** `fullName` finds PROVIDER/MODEL for an id. */
  constructor(catalogue: Catalogue, fullName: (name: string) => string, now: () => number) {
    this.#catalogue = catalogue;
    this.#fullName = fullName;
    this.#now = now;
  }

  /** Counts one conversation: `decision` is the new one, null where the head keeps its model. Returns what differs, if anything does. */
  add({ question, answer }: Recorded, decision: Decision | null | undefined): JsonObject | undefined {
    const view = new View(question);
    const expected = decision?.estimate.output ?? 0;
    const usageWith = (name = '') => answer?.usage ?? estimated(view, answer, expected, name);
    const recorded = recordedModel(view, answer);
    const before = recorded === undefined || recorded.includes('/') ? recorded : this.#fullName(recorded);
    const after = decision === null ? before : decision && nameOf(decision);
    const costs = [this.#cost(before, usageWith), this.#cost(after, usageWith)] as const;
    count(this.#before, costs[0]);
    if (after === undefined) this.#unrouted += 1;
    else count(this.#after, costs[1]);
    this.#countModels(before, after);
    const outcome = this.#judge(view, after);
    if (before === after) return undefined;
    this.#changed += 1;
    const { file, line } = firstRecord(question) ?? {};
    return {
      type: 'replay',
      ...(file !== undefined && { file, line }),
      before: before ?? null,
      after: after ?? null,
      usd_before: rounded(costs[0]),
      usd_after: rounded(costs[1]),
      ...(outcome !== undefined && { outcome }),
      reason: decision?.reason ?? 'no model fits',
    };
  }

  summary(): JsonObject {
    const models = [...this.#models].sort(([a], [b]) => (a < b ? -1 : 1));
    return {
      type: 'replay_summary',
      conversations: this.#before.conversations,
      changed: this.#changed,
      ...(this.#unrouted > 0 && { unrouted: this.#unrouted }),
      usd_before: dollars(this.#before.cost),
      usd_after: dollars(this.#after.cost),
      usd_difference: dollars(this.#after.cost - this.#before.cost),
      ...(this.#before.unpriced > 0 && { unpriced_before: this.#before.unpriced }),
      ...(this.#after.unpriced > 0 && { unpriced_after: this.#after.unpriced }),
      models: Object.fromEntries(models),
      ...(this.#judged > 0 && { outcomes: this.#judgement() }),
    };
  }

  #cost(name: string | undefined, usageWith: (name: string) => Usage): number | undefined {
    const slash = name?.indexOf('/') ?? -1;
    if (name === undefined || slash < 0) return undefined;
    const facts = this.#catalogue.model(name.slice(slash + 1), name.slice(0, slash));
    return facts?.price && costOf(facts.price, usageWith(name), this.#now());
  }

  #countModels(before: string | undefined, after: string | undefined): void {
    for (const [name, when] of [
      [before, 'before'],
      [after, 'after'],
    ] as const) {
      const counts = this.#models.get(name ?? 'none') ?? { before: 0, after: 0 };
      counts[when] += 1;
      this.#models.set(name ?? 'none', counts);
    }
  }

  /** How well the chosen model did, from 0 to 1, where the head's `_meta.outcomes` says so of it. */
  #judge({ head }: View, after: string | undefined): number | undefined {
    const outcomes = isObject(head.meta) && isObject(head.meta.outcomes) ? head.meta.outcomes : undefined;
    if (outcomes === undefined) return undefined;
    const known = Object.entries(outcomes).filter((entry): entry is [string, number] => typeof entry[1] === 'number');
    for (const [name, score] of known) {
      const { sum, count } = this.#outcomes.get(name) ?? { sum: 0, count: 0 };
      this.#outcomes.set(name, { sum: sum + score, count: count + 1 });
    }
    const score = known.find(([name]) => name === after || after?.endsWith(`/${name}`))?.[1];
    if (score === undefined) return undefined;
    this.#judged += 1;
    this.#after.score += score;
    this.#best += Math.max(...known.map(([, one]) => one));
    return score;
  }

  /**
   * The mean outcome of the policy, of each model alone, and of the best for each conversation. `gap_recovered` is where the policy stands between
   * the worst model (0) and the best one (1).
   */
  #judgement(): JsonObject {
    const alone = [...this.#outcomes].map(([name, { sum, count }]) => [name, sum / count] as const);
    const means = alone.map(([, mean]) => mean);
    const [low, high] = [Math.min(...means), Math.max(...means)];
    const policy = this.#after.score / this.#judged;
    return {
      judged: this.#judged,
      policy: digits(policy),
      always: Object.fromEntries(alone.map(([name, mean]) => [name, digits(mean)])),
      best_of_all: digits(this.#best / this.#judged),
      ...(high > low && { gap_recovered: digits((policy - low) / (high - low)) }),
    };
  }
}

function count(into: Side, cost: number | undefined): void {
  into.conversations += 1;
  if (cost === undefined) into.unpriced += 1;
  else into.cost += cost;
}

/** Who answered: the answer's own words, else the route, else the head's model. */
function recordedModel({ head, routed }: View, answer: Message | undefined): string | undefined {
  const provider = answer?.by?.provider ?? (typeof routed?.provider === 'string' ? routed.provider : undefined);
  const model = answer?.by?.model ?? head.model;
  if (model === undefined) return undefined;
  return provider === undefined ? model : `${provider}/${model}`;
}

/** What a model would take for the same texts: as much as a decision says. */
function estimated({ prompt }: View, answer: Message | undefined, expected: number, model: string): Usage {
  const family = familyOf(model);
  return { input: prompt.estimate(family), output: answer ? roughTokens(answer, family) : expected };
}

const rounded = (cost: number | undefined): number | null => (cost === undefined ? null : dollars(cost));

/** Without the noise of adding up. */
const dollars = (cost: number): number => Number(cost.toPrecision(10));

const digits = (value: number): number => Number(value.toPrecision(6));
