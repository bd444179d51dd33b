// One run: the settings, the router made of them, and what the options ask for besides.
import type { Context } from '../../lib/cli/filter.ts';
import { loadGlob } from '../../lib/config/glob.ts';
import { loadRegex } from '../../lib/config/regex.ts';
import type { Config } from '../../lib/config/types.ts';
import type { Conversation } from '../../lib/conversion/gather.ts';
import { Failure } from '../../lib/failure/failure.ts';
import type { JsonObject } from '../../lib/json/values.ts';
import { resolveModel } from '../../lib/models/resolve.ts';
import { addressesIn } from '../../lib/models/routed.ts';
import {
  type FileReader,
  hasFiles,
  isStale,
  loadFileReader,
  readSettings,
  type Settings,
  type Sources,
  stampsOf,
} from '../../lib/models/settings.ts';
import { stateFile } from '../../lib/state/place.ts';
import { seal } from '../../lib/state/seal.ts';
import { sharedState } from '../../lib/state/shared.ts';
import { readSnapshot } from '../../lib/state/snapshot.ts';
import type { Agents } from './agents/agents.ts';
import type { World } from './attempts.ts';
import type { Decision } from './decision.ts';
import { explain, type Kept, loadTable } from './explain.ts';
import { DEFAULTS, flagsOf, type RouteOptions } from './options.ts';
import { needsEngines } from './policy.ts';
import { Router } from './router.ts';
import { compileRules, type Engines } from './rules.ts';

export interface Session {
  readonly settings: Settings;
  readonly router: Router;
  readonly dryRun: boolean;
  readonly explain?: (place: string, decision: Decision | Kept) => void;
  /** Those of --agents. */
  readonly agents?: Agents;
  /** A model is named on the command line. */
  readonly isNamed: boolean;
  /** What --preprocess does to a conversation that has been routed. */
  readonly preprocess?: (conversation: Conversation) => Conversation;
  /** What --wrap-completion does. */
  readonly wrap?: (conversation: Conversation) => Conversation;
  /** A route with the seal of the addresses in it, so that ai-complete knows that a person named them. */
  sealed(route: JsonObject): JsonObject;
  /** Reads the settings again if they have changed, and --watch is given. */
  refresh(): void;
}

/** Loads what the options ask for, and nothing else. */
export async function openSession(options: RouteOptions, context: Context): Promise<Session> {
  const policy = options.check ?? options.rules;
  const flags = flagsOf(options);
  const sources: Sources = {
    env: context.env,
    cwd: context.cwd,
    defaults: DEFAULTS,
    flags: options.check !== undefined || options.replay ? withoutKeys(flags) : flags,
    models: options.models,
    ...(policy !== undefined && { policy }),
  };
  const reader = options.watch || hasFiles(sources) ? await loadFileReader() : undefined;
  const settings = readSettings(sources, reader);
  for (const text of settings.notes) context.note(text);
  const engines = options.watch || needsEngines(settings) ? await loadEngines() : undefined;
  const table = options.explain ? await loadTable() : undefined;
  const world = { ...asking(worldOf(options, context)), ...(await serversFor(settings, context)) };
  const watched = new Watched(sources, reader, settings, engines, world, context);
  return {
    get settings() {
      return watched.settings;
    },
    get router() {
      return watched.router;
    },
    dryRun: options['dry-run'],
    ...(table && { explain: (place, decision) => context.show(explain(table, place, decision)) }),
    isNamed: options.model !== undefined,
    ...(options.agents.length > 0 && { agents: await loadAgents(options, settings, world, context) }),
    ...(await lateStages(options, context)),
    sealed: (route) => sealed(route, context),
    refresh: () => options.watch && watched.refresh(),
  };
}

function sealed(route: JsonObject, { env, note }: Context): JsonObject {
  const addresses = addressesIn(route);
  if (addresses.length === 0) return route;
  const digest = seal(addresses, env);
  if (digest !== undefined) return { ...route, digest };
  note(
    'cannot sign the URL: there is no place for a key (set HOME or XDG_STATE_HOME); ai-complete will refuse the URL',
  );
  return route;
}

/** The servers of this machine, if a model that is configured is a `name:tag`. */
async function serversFor({ config, catalogue }: Settings, { env, signal }: Context): Promise<Pick<World, 'servers'>> {
  const { model, aliases, route = {} } = config;
  const said = JSON.stringify([model, aliases, route.fallbacks, route.candidates, route.tasks, route.rules]);
  const names = said.match(TAGGED)?.map((text) => JSON.parse(text) as string) ?? [];
  if (!names.some((name) => isTagged(name, catalogue))) return {};
  const { localServers } = await import('../../lib/providers/local.ts');
  return { servers: await localServers(catalogue, env, signal) };
}

const TAGGED = /"[^\s":]+:[^\s":]+"/g;

function isTagged(name: string, catalogue: Settings['catalogue']): boolean {
  try {
    return resolveModel(name, { catalogue }).tag === true;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}

async function loadAgents(
  { agents: directories }: RouteOptions,
  { config }: Settings,
  { state }: World,
  context: Context,
): Promise<Agents> {
  const { strategy = 'capability', agents: rules = [], seed = 0 } = config.route ?? {};
  const [{ Agents }, { readAgents }] = await Promise.all([import('./agents/agents.ts'), import('./agents/read.ts')]);
  const found = await readAgents(directories, context.cwd, ({ place, message }) =>
    context.note(`${place}: ${message}; ignored`),
  );
  const compiled = rules.length === 0 ? [] : compileRules(rules, await loadEngines(), 'agents');
  return new Agents(found, { strategy, rules: compiled, state, seed });
}

async function lateStages(options: RouteOptions, context: Context): Promise<Pick<Session, 'preprocess' | 'wrap'>> {
  if (options['wrap-completion']) return { wrap: (await import('./preprocess/wrap.ts')).wrapCompletion };
  const model = options['preprocess-with'];
  if (!options.preprocess && model === undefined) return {};
  const [{ preprocess }, { loadValidator }] = await Promise.all([
    import('./preprocess/preprocess.ts'),
    import('../../lib/config/json-schema.ts'),
  ]);
  const stage = { validate: await loadValidator(), ...(model !== undefined && { model }) };
  return { preprocess: (conversation) => preprocess(conversation, stage, context) };
}

/** A policy that is tried out says the same whatever keys are at hand, unless it is told to look. */
const withoutKeys = (flags: Config): Config => ({ ...flags, route: { credentials: 'ignore', ...flags.route } });

async function loadEngines(): Promise<Engines> {
  const [regex, glob] = await Promise.all([loadRegex(), loadGlob()]);
  return { regex, glob };
}

function worldOf(options: RouteOptions, context: Context): World {
  return {
    env: context.env,
    now: context.now,
    force: options.force,
    state: options.state === undefined ? sharedState(stateFile(context.env), context.now) : readSnapshot(options.state),
  };
}

/** The turn is asked for once in a run: models and agents count on from the same. */
function asking(world: World): World {
  const { state } = world;
  let asked: { readonly turn: number | undefined } | undefined;
  const turn = () => {
    asked ??= { turn: state.turn() };
    return asked.turn;
  };
  return { ...world, state: { ...state, turn } };
}

class Watched {
  readonly #sources: Sources;
  readonly #reader: FileReader | undefined;
  readonly #engines: Engines | undefined;
  readonly #world: World;
  readonly #context: Context;
  settings: Settings;
  router: Router;

  constructor(
    sources: Sources,
    reader: FileReader | undefined,
    settings: Settings,
    engines: Engines | undefined,
    world: World,
    context: Context,
  ) {
    this.#sources = sources;
    this.#reader = reader;
    this.#engines = engines;
    this.#world = world;
    this.#context = context;
    this.settings = settings;
    this.router = new Router(settings, engines, world);
  }

  /** A configuration that has become wrong is told, and the last good one stays. */
  refresh(): void {
    if (!isStale(this.settings)) return;
    try {
      const settings = readSettings(this.#sources, this.#reader);
      this.router = new Router(settings, this.#engines, this.#world);
      for (const text of settings.notes) if (!this.settings.notes.includes(text)) this.#context.note(text);
      this.settings = settings;
      this.#context.note('the configuration has changed and was reloaded');
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.settings = { ...this.settings, files: stampsOf(this.settings) };
      const place = error.place === undefined ? '' : `${error.place}: `;
      this.#context.note(
        `the changed configuration is invalid; the previous one stays in use: ${place}${error.message}`,
      );
    }
  }
}
