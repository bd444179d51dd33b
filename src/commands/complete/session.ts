// One run: what the options, the configuration and the machine give it.
import type { Context } from '../../lib/cli/filter.ts';
import type { BudgetSettings } from '../../lib/config/types.ts';
import type { Head } from '../../lib/conversation/types.ts';
import type { Post } from '../../lib/credentials/types.ts';
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import type { JsonObject } from '../../lib/json/values.ts';
import { loadSettings, type Settings } from '../../lib/models/settings.ts';
import type { Recorded } from '../../lib/providers/exchange.ts';
import type { Patience } from '../../lib/providers/watch.ts';
import { projectOf, stateFile } from '../../lib/state/place.ts';
import type { Spent, State } from '../../lib/state/state.ts';
import type { ReplyCache } from './cache.ts';
import type { Cassette } from './cassette.ts';
import { Gate } from './gate.ts';
import { type AllBudgets, budgetsOf, type CompleteOptions, ratesOf } from './options.ts';
import type { Target } from './target.ts';
import type { Trace } from './trace.ts';

export interface Question {
  readonly provider: string;
  readonly api: string;
  /** The model's id, which some APIs have in the address alone. */
  readonly model: string;
  readonly streamed: boolean;
  readonly request: JsonObject;
}

export interface Session {
  readonly context: Context;
  readonly env: Context['env'];
  readonly now: () => number;
  readonly random: () => number;
  /** Says something on standard error, unless --quiet. */
  readonly note: (text: string) => void;
  /** The same, but what was said before is not said again: a dataset's lines have the same to say. */
  readonly noteOnce: (text: string) => void;
  readonly settings: Settings;
  /** Opened when it is first asked for. */
  readonly gate: () => Promise<Gate>;
  readonly cache: ReplyCache | undefined;
  readonly trace: Trace | undefined;
  readonly record: ((question: Question, answer: Recorded, mask: (text: string) => string) => void) | undefined;
  readonly patience: Patience;
  /** Cassettes that have been read. */
  readonly tapes: Map<string, Cassette>;
  /** What names have been found to mean. */
  readonly targets: Map<string, Target>;
  /** How often a server has said that it is too much: a dataset then asks for less at once. */
  readonly pressure: { refused: number };
  /** Trades a log-in for a token. */
  readonly post: Post;
  /** What the flags say goes before what the head does, exactly: the conversation's dialect may not be able to say it. */
  readonly flags: Head;
  readonly options: {
    readonly retries: number;
    readonly maxWait: number;
    readonly timeout: number;
    readonly cachePrompt: boolean;
    readonly condense: boolean;
    readonly model: string | undefined;
    readonly baseUrl: string | undefined;
    readonly fallback: readonly string[];
  };
}

/** Seconds. */
const SILENT_BEFORE = 300;
const SILENT_BETWEEN = 120;

/** Loads what the options ask for, and nothing else. */
export async function openSession(options: CompleteOptions, context: Context, flags: Head): Promise<Session> {
  const { env, now } = context;
  const credentials = options.credentials as 'logins' | undefined;
  const settings = await loadSettings({ env, cwd: context.cwd, flags: { ...(credentials && { credentials }) } });
  const note = options.quiet ? () => {} : context.note;
  for (const text of settings.notes) note(text);
  const noted = new Set<string>();
  const cache = options.cache === undefined ? undefined : (await import('./cache.ts')).cacheAt(env, options.cache, now);
  const idle = options['idle-timeout'];
  return {
    context,
    env,
    now,
    random: context.random,
    note,
    noteOnce: (text) => {
      if (!noted.has(text)) note(text);
      noted.add(text);
    },
    settings,
    gate: once(() => openGate(options, settings, context, note)),
    cache,
    trace: options.trace === undefined ? undefined : await openTrace(options.trace, context),
    record: options.record === undefined ? undefined : await openTape(options.record),
    patience: { first: idle ?? SILENT_BEFORE, idle: idle ?? SILENT_BETWEEN },
    tapes: new Map(),
    targets: new Map(),
    pressure: { refused: 0 },
    post: async (url, form) => (await import('./post.ts')).post(url, form, context),
    flags,
    options: {
      retries: options.retries,
      maxWait: options['max-wait'],
      timeout: options.timeout,
      cachePrompt: options['cache-prompt'],
      condense: options['condense-on-overflow'],
      model: options.model,
      baseUrl: options['base-url'],
      fallback: options.fallback,
    },
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

async function openTrace(path: string, { now, random }: Context): Promise<Trace> {
  const { Trace } = await import('./trace.ts');
  const id = (bytes: number) =>
    Array.from({ length: bytes }, () =>
      Math.floor(random() * 256)
        .toString(16)
        .padStart(2, '0'),
    ).join('');
  return new Trace(path, now, id);
}

async function openTape(path: string): Promise<NonNullable<Session['record']>> {
  const { tapeOf } = await import('./cassette.ts');
  return tapeOf(path);
}

async function openGate(
  options: CompleteOptions,
  settings: Settings,
  context: Context,
  note: Session['note'],
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
async function openState({ env, now }: Context, needed: boolean, note: Session['note']): Promise<State | undefined> {
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
  const { alert } = await import('./alerts.ts');
  return (spent) => alert(spent, { settings, budgets, state, project, context });
}
