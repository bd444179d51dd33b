// Where candidates come from: names, lists, patterns, or the pool. Found once for a run.
import { anyOf } from '../../lib/config/glob.ts';
import { listOf, type RouteSettings, type Task } from '../../lib/config/types.ts';
import { type Names, resolveAll } from '../../lib/models/resolve.ts';
import { type LocalServer, servedBy } from '../../lib/models/served.ts';
import type { Settings } from '../../lib/models/settings.ts';
import type { Provider } from '../../lib/models/types.ts';
import { type Candidate, candidate, pool } from './candidate.ts';
import type { Engines } from './rules.ts';

export class Candidates {
  readonly #settings: Settings;
  readonly #route: RouteSettings;
  readonly #names: Names;
  readonly #engines: Engines | undefined;
  readonly #isAtHand: (provider: Provider) => boolean;
  readonly #servers: readonly LocalServer[] | undefined;
  readonly #byName = new Map<string, readonly Candidate[]>();
  readonly #byTask = new Map<Task | undefined, readonly Candidate[]>();

  /** Of a `name:tag` the one among `servers` that has it is meant; where they have not been looked for, Ollama. */
  constructor(
    settings: Settings,
    names: Names,
    engines: Engines | undefined,
    isAtHand: (p: Provider) => boolean,
    servers: readonly LocalServer[] | undefined,
  ) {
    this.#settings = settings;
    this.#route = settings.config.route ?? {};
    this.#names = names;
    this.#engines = engines;
    this.#isAtHand = isAtHand;
    this.#servers = servers;
  }

  /** The models that a name stands for, in order. Throws a Failure (78) for one that nothing is known of. */
  named(name: string): readonly Candidate[] {
    const known = this.#byName.get(name);
    if (known) return known;
    const found = resolveAll(name, this.#names).map((choice) => {
      const served = choice.tag && this.#servers ? servedBy(choice, this.#servers) : choice;
      return candidate(served, true, this.#names.env ?? {});
    });
    this.#byName.set(name, found);
    return found;
  }

  isAlias(name: string): boolean {
    return this.#settings.aliases.has(name);
  }

  /** Those that a list of names stands for, each once. */
  all(names: readonly string[]): Candidate[] {
    return unique(names.flatMap((name) => this.named(name)));
  }

  /** Whether the list for a task is the user's, in an order that counts. */
  isOrdered(task: Task | undefined): boolean {
    return task !== undefined && this.#route.tasks?.[task] !== undefined;
  }

  /** Those to choose among for a task: its own list, else the configured candidates, else the pool. */
  toChoose(task: Task | undefined): readonly Candidate[] {
    const own = task === undefined ? undefined : this.#route.tasks?.[task];
    const key = own === undefined ? undefined : task;
    const known = this.#byTask.get(key);
    if (known) return known;
    const found =
      own === undefined
        ? this.#route.candidates
          ? this.#matching(this.#route.candidates)
          : pool(this.#settings.catalogue, this.#isAtHand, this.#names.env ?? {})
        : this.all(listOf(own));
    this.#byTask.set(key, found);
    return found;
  }

  #matching(entries: readonly string[]): Candidate[] {
    return unique(entries.flatMap((entry) => (/[*?[{]/.test(entry) ? this.#fitting(entry) : this.named(entry))));
  }

  /** The catalogue's models that a pattern fits. */
  #fitting(pattern: string): Candidate[] {
    const { catalogue } = this.#settings;
    const fits = this.#engines ? anyOf(this.#engines.glob, [pattern], 'route.candidates') : () => false;
    return catalogue.all().flatMap((facts) => {
      const provider = catalogue.providers.get(facts.provider);
      if (!provider || !fits(`${facts.provider}/${facts.id}`)) return [];
      const choice = { provider, model: facts.id, facts, reason: `${pattern} fits it` };
      return [candidate(choice, false, this.#names.env ?? {})];
    });
  }
}

function unique(candidates: readonly Candidate[]): Candidate[] {
  const seen = new Set<string>();
  return candidates.filter(({ name }) => !seen.has(name) && seen.add(name));
}
