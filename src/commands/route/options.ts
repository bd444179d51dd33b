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
  model: { type: 'string', short: 'm', arg: 'MODEL', summary: 'the model: a name, an alias, a URL, or "auto"' },
  fallback: { type: 'list', arg: 'MODEL', summary: 'a fallback: used if the model does not meet the constraints' },
  priority: {
    type: 'string',
    arg: 'WHAT',
    choices: PRIORITIES,
    summary: 'what to optimize when ai-route chooses the model',
  },
  strategy: {
    type: 'string',
    arg: 'NAME',
    choices: STRATEGIES,
    summary: 'how to choose among the models that meet the constraints',
  },
  task: {
    type: 'string',
    arg: 'TASK',
    choices: TASKS,
    summary: 'the kind of task (default: classified from the text)',
  },
  need: { type: 'list', arg: 'WHAT', summary: `what the model must be able to do: ${NEEDS.join(', ')}` },
  candidate: { type: 'list', arg: 'MODEL', summary: 'choose among the models with this name or pattern' },
  allow: { type: 'list', arg: 'PATTERN', summary: 'allow only models that match one of these patterns' },
  deny: { type: 'list', arg: 'PATTERN', summary: 'exclude models that match one of these patterns' },
  budget: {
    type: 'number',
    arg: 'USD',
    min: 0,
    summary: 'spending limit for today; models that would exceed it are rejected',
  },
  output: { type: 'integer', arg: 'TOKENS', min: 1, summary: 'expected length of the answer' },
  seed: { type: 'integer', arg: 'N', summary: 'where round-robin starts' },
  credentials: {
    type: 'string',
    arg: 'WHEN',
    choices: [...CREDENTIALS, 'logins'],
    summary:
      'whether a model needs an available API key; auto: if any candidate has one; logins: other programs’ logins count',
  },
  force: { type: 'boolean', summary: 'use the named model even if it cannot do what the conversation needs' },
  rules: { type: 'string', arg: 'FILE', summary: 'read rules and settings from a file' },
  models: { type: 'list', arg: 'FILE', summary: 'add a models.json to the catalogue' },
  agents: { type: 'list', arg: 'DIR', summary: 'also choose an agent from a directory, and use its model' },
  state: { type: 'string', arg: 'FILE', summary: 'the state file, with what other runs have sent and spent' },
  preprocess: { type: 'boolean', summary: 'first check whether a single call is enough, or no tool is needed' },
  'preprocess-with': { type: 'string', arg: 'MODEL', summary: 'let a small model do this check' },
  'wrap-completion': {
    type: 'boolean',
    summary: 'only convert a text answer at the end into a call of attempt_completion',
  },
  watch: { type: 'boolean', summary: 'reload the configuration when it changes' },
  explain: { type: 'boolean', summary: 'explain the decision on standard error, as a table' },
  'dry-run': { type: 'boolean', summary: 'print only the decisions' },
  'show-config': { type: 'boolean', summary: 'print every setting and its source' },
  check: { type: 'string', arg: 'RULES', summary: 'run the tests in a rules file' },
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
