// What one run of ai-complete works with: its options, the configuration, the shared state and the files that the options name.
import type { Context } from '../../lib/cli/filter.ts';
import type { Validator } from '../../lib/config/json-schema.ts';
import type { BudgetSettings } from '../../lib/config/types.ts';
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import type { JsonObject } from '../../lib/json/values.ts';
import { loadSettings, type Settings } from '../../lib/models/settings.ts';
import type { Patience } from '../../lib/providers/watch.ts';
import { projectOf, stateFile } from '../../lib/state/place.ts';
import type { Spent, State } from '../../lib/state/state.ts';
import { type AllBudgets, budgetsOf, type CompleteOptions, ratesOf } from './options.ts';
import { type ConversationFlags, readFlags } from './prepare/flags.ts';
import type { Cassette, RecordExchange } from './receive/cassette.ts';
import type { ReplyCache } from './receive/reply-cache.ts';
import type { Trace } from './receive/trace.ts';
import { Gate } from './request/gate.ts';
import type { Target } from './select/target.ts';

export interface Run {
  readonly context: Context;
  readonly env: Context['env'];
  readonly now: () => number;
  readonly random: () => number;
  readonly options: CompleteOptions;
  readonly settings: Settings;
  /** What the flags add to every conversation; undefined where they add nothing. */
  readonly flags: ConversationFlags | undefined;
  /** The JSON Schema of --schema, and its validator. */
  readonly answerSchema: { readonly schema: JsonObject; readonly validate: Validator } | undefined;
  /** Prints a note on standard error, unless --quiet. */
  readonly note: (text: string) => void;
  /** The same, but each text only once: the lines of a dataset have the same notes. */
  readonly noteOnce: (text: string) => void;
  /** Opened when it is first asked for. */
  readonly gate: () => Promise<Gate>;
  readonly cache: ReplyCache | undefined;
  readonly trace: Trace | undefined;
  readonly recordExchange: RecordExchange | undefined;
  readonly patience: Patience;
  /** Cassettes that have been read, by path. */
  readonly cassettes: Map<string, Cassette>;
  /** The models that names were resolved to, so that each is resolved once. */
  readonly targets: Map<string, Target>;
  readonly modelNames: Map<string, Promise<string>>;
  /** How often a server has answered that it is overloaded or that a rate limit is reached: a dataset then has fewer requests in flight. */
  readonly pressure: { refused: number };
}

/** Seconds without a byte: before the answer begins, and within it. */
const FIRST_BYTE_TIMEOUT = 300;
const IDLE_TIMEOUT = 120;

/** Loads what the options ask for, and nothing else. Throws a Failure for a file or a setting that cannot be used. */
export async function openRun(options: CompleteOptions, context: Context): Promise<Run> {
  const { env, now, random } = context;
  const flags = await readFlags(options, context.cwd);
  const credentials = options.credentials as 'logins' | undefined;
  const settings = await loadSettings({ env, cwd: context.cwd, flags: { ...(credentials && { credentials }) } });
  const note = options.quiet ? () => {} : context.note;
  for (const text of settings.notes) note(text);
  const noted = new Set<string>();
  const idle = options['idle-timeout'];
  return {
    context,
    env,
    now,
    random,
    options,
    settings,
    flags,
    note,
    noteOnce: (text) => {
      if (!noted.has(text)) note(text);
      noted.add(text);
    },
    gate: once(() => openGate(options, settings, context, note)),
    cache:
      options.cache === undefined
        ? undefined
        : (await import('./receive/reply-cache.ts')).openCache(env, options.cache, now),
    trace: options.trace === undefined ? undefined : await openTrace(options.trace, context),
    recordExchange:
      options.record === undefined
        ? undefined
        : (await import('./receive/cassette.ts')).recordExchangesTo(options.record),
    patience: { first: idle ?? FIRST_BYTE_TIMEOUT, idle: idle ?? IDLE_TIMEOUT },
    cassettes: new Map(),
    targets: new Map(),
    modelNames: new Map(),
    pressure: { refused: 0 },
    answerSchema: options.schema === undefined ? undefined : await openSchema(flags),
  };
}

async function openSchema(flags: ConversationFlags | undefined): Promise<Run['answerSchema']> {
  const schema = flags?.head.responseFormat?.schema;
  if (schema === undefined) return undefined;
  const { loadValidator } = await import('../../lib/config/json-schema.ts');
  return { schema: schema as JsonObject, validate: await loadValidator() };
}

function once<T>(make: () => T): () => T {
  let held: { readonly value: T } | undefined;
  return () => {
    held ??= { value: make() };
    return held.value;
  };
}

async function openTrace(path: string, { now, random }: Context): Promise<Trace> {
  const { Trace } = await import('./receive/trace.ts');
  const id = (bytes: number) =>
    Array.from({ length: bytes }, () =>
      Math.floor(random() * 256)
        .toString(16)
        .padStart(2, '0'),
    ).join('');
  return new Trace(path, now, id);
}

async function openGate(
  options: CompleteOptions,
  settings: Settings,
  context: Context,
  note: Run['note'],
): Promise<Gate> {
  const project = projectOf(context.env, context.cwd);
  const { alerts: _, command: __, ...configured } = settings.config.budget ?? {};
  const budgets = { ...configured, ...budgetsOf(options.budget) };
  const rates = ratesOf(options.limit);
  const { limits = {} } = settings.config;
  const needed = Object.keys(rates).length > 0 || budgets.day !== undefined || budgets.project !== undefined;
  const state = await openState(context, needed, note);
  const alerts = settings.config.budget;
  const onSpent = state && alerts?.alerts ? await watchBudgets(alerts, budgets, state, project, context) : () => {};
  return new Gate({ state, project, now: context.now, random: context.random, budgets, rates, limits, onSpent });
}

/** Undefined where there is no place for it. Throws a Failure (78) only if limits or budgets cannot be kept without. */
async function openState({ env, now }: Context, needed: boolean, note: Run['note']): Promise<State | undefined> {
  const file = stateFile(env);
  if (file === undefined) {
    if (!needed) return undefined;
    throw new Failure(EXIT.config, 'cannot enforce limits or budgets: there is no shared state', {
      hint: 'set HOME, or AI_STATE to a file',
    });
  }
  try {
    const { State } = await import('../../lib/state/state.ts');
    return new State(file, now);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    if (needed) throw new Failure(EXIT.config, `cannot open the shared state: ${why}`, { place: file });
    note(
      `${file}: cannot open the shared state: ${why} (rate limits, budgets and costs are not recorded; AI_STATE=off hides this note)`,
    );
    return undefined;
  }
}

async function watchBudgets(
  settings: BudgetSettings,
  budgets: AllBudgets,
  state: State,
  project: string,
  context: Context,
): Promise<(spent: Spent) => void> {
  const { alertBudgets } = await import('./request/budget-alerts.ts');
  return (spent) => alertBudgets(spent, { settings, budgets, state, project, context });
}
