// Which agent works on a conversation: by a rule, else by what it is for, by turn, or by load.
import type { StrategyName } from '../../../lib/config/types.ts';
import { EXIT, Failure } from '../../../lib/failure/failure.ts';
import type { SharedState } from '../../../lib/state/types.ts';
import { classify } from '../classify.ts';
import type { CompiledRule } from '../rules.ts';
import type { View } from '../view.ts';
import { wordsOf } from '../words.ts';
import type { Agent } from './read.ts';

export interface ChosenAgent {
  readonly agent: Agent;
  readonly why: string;
}

/** How the agents are to be chosen. */
interface AgentPolicy {
  readonly strategy: StrategyName;
  readonly rules: readonly CompiledRule[];
  readonly state: SharedState;
  readonly seed: number;
}

/** A word of an agent's name weighs as much as two of its description, and the kind of the task as much as one. */
const NAME = 2;

/** Under this name the shared state counts agents at work. */
const PROVIDER = 'agent';

export class Agents {
  readonly #agents: readonly Agent[];
  readonly #policy: AgentPolicy;
  #turn: number | undefined;

  /** Throws a Failure (78) if a rule names an agent that is not there. */
  constructor(agents: readonly Agent[], policy: AgentPolicy) {
    this.#agents = agents;
    this.#policy = policy;
    for (const { label, use } of policy.rules)
      for (const name of use)
        if (!agents.some((agent) => agent.name === name))
          throw new Failure(EXIT.config, `the rule ${JSON.stringify(label)} names the agent ${JSON.stringify(name)}`, {
            hint: `there are ${agents.map((agent) => agent.name).join(', ')}`,
          });
  }

  choose(view: View): ChosenAgent {
    const rule = this.#policy.rules.find((one) => one.matches(view, () => view.classified(classify)));
    const ruled = this.#agents.filter(({ name }) => rule?.use.includes(name));
    const among = rule ? ruled : this.#agents;
    const { agent, why } = among.length === 1 && among[0] ? { agent: among[0], why: '' } : this.#best(among, view);
    const parts = [rule && `the rule ${JSON.stringify(rule.label)} fits`, why].filter(Boolean);
    return { agent, why: parts.join('; ') || 'it is the only one' };
  }

  #best(agents: readonly Agent[], view: View): ChosenAgent {
    const { strategy, state, seed } = this.#policy;
    if (strategy === 'round-robin') {
      const turn = this.#turn ?? Math.abs((state.turn() ?? 0) + seed);
      this.#turn = turn + 1;
      const at = turn % agents.length;
      return { agent: agents[at] as Agent, why: `number ${at + 1} of ${agents.length} has its turn` };
    }
    if (strategy === 'load') return this.#idle(agents);
    return mostAble(agents, view);
  }

  #idle(agents: readonly Agent[]): ChosenAgent {
    const working = (agent: Agent) => this.#policy.state.inFlight(PROVIDER, agent.name);
    const agent = agents.reduce((best, one) => (working(one) < working(best) ? one : best));
    return { agent, why: `${working(agent)} at work` };
  }
}

/** The agent that has most words in common with what is asked; of equals, the first. */
function mostAble(agents: readonly Agent[], view: View): ChosenAgent {
  const found = view.classified(classify);
  const kind = found === undefined ? [] : wordsOf(`${found.task.replaceAll('_', ' ')} ${found.signals.join(' ')}`);
  const asked = new Set([...wordsOf(view.lastText), ...kind]);
  const all = agents.map((agent) => {
    const name = wordsOf(agent.name);
    const about = new Set([...name, ...wordsOf(agent.description)]);
    const shared = [...asked].filter((word) => about.has(word));
    const score = shared.reduce((sum, word) => sum + (name.includes(word) ? NAME : 1), 0);
    return { agent, shared, score };
  });
  const best = all.reduce((most, one) => (one.score > most.score ? one : most));
  const why =
    best.score === 0
      ? 'no description shares words with the request: the first agent'
      : `its description shares the most words with the request: ${best.shared.slice(0, 5).join(', ')}`;
  return { agent: best.agent, why };
}
