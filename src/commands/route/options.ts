// The command line of ai-route, and what it says as a layer of settings.
import type { Options, Values } from '../../lib/cli/filter.ts';
import {
  type Config,
  CREDENTIALS,
  type Credentials,
  NEEDS,
  PRIORITIES,
  type Priority,
  STRATEGIES,
  type StrategyName,
  TASKS,
  type Task,
} from '../../lib/config/types.ts';
import { EXIT, Failure } from '../../lib/failure/failure.ts';

export const OPTIONS = {
  model: { type: 'string', short: 'm', arg: 'MODEL', summary: 'the model: a name, an alias, an address, or "auto"' },
  fallback: { type: 'list', arg: 'MODEL', summary: 'what else may answer if the model does not fit' },
  priority: { type: 'string', arg: 'WHAT', choices: PRIORITIES, summary: 'what counts when a model is chosen' },
  strategy: { type: 'string', arg: 'NAME', choices: STRATEGIES, summary: 'how one of those that fit is chosen' },
  task: {
    type: 'string',
    arg: 'TASK',
    choices: TASKS,
    summary: 'the kind of task; found out from the text without it',
  },
  need: { type: 'list', arg: 'WHAT', summary: `what the model must be able to do: ${NEEDS.join(', ')}` },
  candidate: { type: 'list', arg: 'MODEL', summary: 'choose among these names and patterns' },
  allow: { type: 'list', arg: 'PATTERN', summary: 'only models that fit one of these' },
  deny: { type: 'list', arg: 'PATTERN', summary: 'no model that fits one of these' },
  budget: { type: 'number', arg: 'USD', min: 0, summary: 'what may be spent today; no model that would cost more' },
  output: { type: 'integer', arg: 'TOKENS', min: 1, summary: 'how long an answer to expect' },
  seed: { type: 'integer', arg: 'N', summary: 'where a round begins' },
  credentials: {
    type: 'string',
    arg: 'WHEN',
    choices: [...CREDENTIALS, 'logins'],
    summary:
      'whether a key must be at hand: always, if any of those that fit has one, or never; logins: other programs’ count',
  },
  force: { type: 'boolean', summary: 'use the named model whatever the conversation needs' },
  rules: { type: 'string', arg: 'FILE', summary: 'take rules and settings from a file' },
  models: { type: 'list', arg: 'FILE', summary: 'add a models.json to the catalogue' },
  agents: { type: 'list', arg: 'DIR', summary: 'also choose one of the agents of a directory, and its model' },
  state: { type: 'string', arg: 'FILE', summary: 'what other runs have sent and spent' },
  preprocess: { type: 'boolean', summary: 'first see whether one call does it, or whether no tool is needed' },
  'preprocess-with': { type: 'string', arg: 'MODEL', summary: 'ask a small model for that' },
  'wrap-completion': { type: 'boolean', summary: 'only turn a plain last answer into a call of attempt_completion' },
  watch: { type: 'boolean', summary: 'read the configuration again when it changes' },
  explain: { type: 'boolean', summary: 'say why on standard error, as a table' },
  'dry-run': { type: 'boolean', summary: 'print only the decisions' },
  'show-config': { type: 'boolean', summary: 'print every setting with where it comes from' },
  check: { type: 'string', arg: 'RULES', summary: 'run the tests of a file of rules' },
  replay: { type: 'boolean', summary: 'route recorded conversations again, and print what differs' },
} as const satisfies Options;

export type RouteOptions = Values<typeof OPTIONS>;

/** What the command line says. Throws a Failure (64) for a need that is none. */
export function flagsOf(options: RouteOptions): Config {
  for (const need of options.need)
    if (!(NEEDS as readonly string[]).includes(need))
      throw new Failure(EXIT.usage, `option --need must be one of ${NEEDS.join(', ')}, not "${need}"`);
  const logins = options.credentials === 'logins';
  const some = <T>(list: readonly T[]) => (list.length > 0 ? list : undefined);
  const route = {
    priority: options.priority as Priority | undefined,
    strategy: options.strategy as StrategyName | undefined,
    task: options.task as Task | undefined,
    credentials: logins ? undefined : (options.credentials as Credentials | undefined),
    need: some(options.need),
    candidates: some(options.candidate),
    allow: some(options.allow),
    deny: some(options.deny),
    fallbacks: some(options.fallback),
    budget: options.budget,
    output: options.output,
    seed: options.seed,
  };
  const said = Object.fromEntries(Object.entries(route).filter(([, value]) => value !== undefined));
  return {
    ...(options.model !== undefined && { model: options.model }),
    ...(logins && { credentials: 'logins' as const }),
    ...(Object.keys(said).length > 0 && { route: said }),
  };
}

/** What holds where nothing else is said. */
export const DEFAULTS: Config = {
  route: { priority: 'balanced', strategy: 'capability', credentials: 'auto', output: 4096 },
};
