// Settings in the environment: AI_ROUTE_PRIORITY=cost and the like.
import { EXIT, Failure } from '../failure/failure.ts';
import type { Layer } from './layers.ts';
import type { Env } from './places.ts';
import { CREDENTIALS, NEEDS, PRIORITIES, type RouteSettings, STRATEGIES, TASKS } from './types.ts';

type Read = (text: string) => unknown;

const oneOf =
  (choices: readonly string[]): Read =>
  (text) =>
    choices.includes(text) ? text : undefined;

const some =
  (choices?: readonly string[]): Read =>
  (text) => {
    const all = text.split(',').map((word) => word.trim());
    return all.every((word) => word !== '' && (choices?.includes(word) ?? true)) ? all : undefined;
  };

const number: Read = (text) => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined);
const integer: Read = (text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : undefined);

/** Which variable says which setting of `route`, what is expected of it, and how it is read. */
const VARIABLES: { readonly [variable: string]: readonly [keyof RouteSettings, string, Read] } = {
  AI_ROUTE_PRIORITY: ['priority', PRIORITIES.join(', '), oneOf(PRIORITIES)],
  AI_ROUTE_STRATEGY: ['strategy', STRATEGIES.join(', '), oneOf(STRATEGIES)],
  AI_ROUTE_TASK: ['task', TASKS.join(', '), oneOf(TASKS)],
  AI_ROUTE_NEED: ['need', `some of ${NEEDS.join(', ')}`, some(NEEDS)],
  AI_ROUTE_CANDIDATES: ['candidates', 'names separated by commas', some()],
  AI_ROUTE_ALLOW: ['allow', 'patterns separated by commas', some()],
  AI_ROUTE_DENY: ['deny', 'patterns separated by commas', some()],
  AI_ROUTE_FALLBACKS: ['fallbacks', 'models separated by commas', some()],
  AI_ROUTE_BUDGET: ['budget', 'a number of USD', number],
  AI_ROUTE_OUTPUT: ['output', 'a number of tokens', integer],
  AI_ROUTE_SEED: ['seed', 'a whole number', integer],
  AI_ROUTE_CREDENTIALS: ['credentials', CREDENTIALS.join(', '), oneOf(CREDENTIALS)],
};

/** The layer of the environment. `model` is what it says of the model, and in which variable. Throws a Failure (78) for a value that is none. */
export function environmentLayer(env: Env, model: { variable: string; value: string } | undefined): Layer {
  const route: { [field: string]: unknown } = {};
  const places = new Map<string, string>();
  for (const [variable, [field, expected, read]] of Object.entries(VARIABLES)) {
    const text = env[variable];
    if (!text) continue;
    const value = read(text);
    if (value === undefined) throw new Failure(EXIT.config, `expected ${expected}`, { place: variable });
    route[field] = value;
    places.set(`route.${field}`, variable);
  }
  const small = env.AI_SMALL_MODEL;
  const routed = places.size > 0;
  if (model) places.set('model', model.variable);
  if (small) places.set('small_model', 'AI_SMALL_MODEL');
  return {
    name: 'environment',
    values: {
      ...(model && { model: model.value }),
      ...(small && { small_model: small }),
      ...(routed && { route }),
    },
    placeOf: (path) => {
      const variable = places.get(path.slice(0, 2).join('.'));
      return variable === undefined ? undefined : `environment ${variable}`;
    },
  };
}
