// What decides, in which order: made once of the settings, used for every conversation.
import { anyOf } from '../../lib/config/glob.ts';
import type { Layer } from '../../lib/config/layers.ts';
import type { Credentials, Priority, RouteSettings, StrategyName, Task } from '../../lib/config/types.ts';
import type { Settings } from '../../lib/models/settings.ts';
import { type CompiledRule, compileRules, type Engines } from './rules.ts';

/** One thing that may say which model it is. The first that says so counts. */
export type Step =
  | { readonly type: 'model'; readonly name: string; readonly from: string; readonly secret: boolean }
  | { readonly type: 'rules'; readonly rules: readonly CompiledRule[] }
  | { readonly type: 'choice' };

export interface Policy {
  /** In order, before what the head says. */
  readonly steps: readonly Step[];
  readonly priority: Priority;
  /** Somebody asked for the priority: it also orders models that were named in an order. */
  readonly ordering: boolean;
  readonly strategy: StrategyName;
  readonly credentials: Credentials;
  readonly settings: RouteSettings;
  readonly task?: Task;
  readonly allowed?: (name: string) => boolean;
  readonly denied?: (name: string) => boolean;
  /** Something is demanded of whatever model it is. */
  readonly demands: boolean;
}

/** A model by this name is chosen, not named. */
export const AUTO = 'auto';

export function makePolicy(settings: Settings, engines: Engines | undefined): Policy {
  const { config, layers } = settings;
  const route = config.route ?? {};
  const { priority = 'balanced', strategy = 'capability', credentials = 'auto', task, allow, deny } = route;
  const said = layers.slice(1).some(({ values }) => routeOf(values).priority !== undefined);
  return {
    steps: stepsOf(layers, engines),
    priority,
    ordering: said || strategy !== 'capability',
    strategy,
    credentials,
    settings: route,
    ...(task !== undefined && { task }),
    ...(allow && engines && { allowed: listed(allow, engines) }),
    ...(deny && engines && { denied: listed(deny, engines) }),
    demands: [route.need, allow, deny].some((list) => (list?.length ?? 0) > 0) || route.budget !== undefined,
  };
}

/** Whether patterns have to be understood. */
export function needsEngines({ config, layers }: Settings): boolean {
  const { allow, deny, candidates } = config.route ?? {};
  const rules = layers.some(({ values }) => (routeOf(values).rules?.length ?? 0) > 0);
  return rules || allow !== undefined || deny !== undefined || candidates !== undefined;
}

const routeOf = (values: object): RouteSettings => (values as { route?: RouteSettings }).route ?? {};

/** PROVIDER/MODEL fits a pattern, or the id alone does. */
function listed(patterns: readonly string[], { glob }: Engines): (name: string) => boolean {
  const fits = anyOf(glob, patterns, 'route.allow or route.deny');
  return (name) => fits(name) || fits(name.slice(name.indexOf('/') + 1));
}

/** From the last layer to the first: its rules, then its model. Flags name a model or ask for a choice. */
function stepsOf(layers: readonly Layer[], engines: Engines | undefined): Step[] {
  const steps: Step[] = [];
  let ruled = false;
  for (const layer of layers.toReversed()) {
    const { model } = layer.values as { model?: string };
    const { rules, priority, strategy, task, candidates } = routeOf(layer.values);
    if (rules && !ruled && engines) {
      ruled = true;
      steps.push({ type: 'rules', rules: compileRules(rules, engines, layer.name) });
    }
    if (model !== undefined) steps.push(modelStep(model, layer));
    else if (layer.name === 'flags' && [priority, strategy, task, candidates].some((one) => one !== undefined))
      steps.push({ type: 'choice' });
  }
  return steps;
}

function modelStep(name: string, layer: Layer): Step {
  if (name === AUTO) return { type: 'choice' };
  const from = layer.name === 'flags' ? '' : (layer.placeOf?.(['model']) ?? layer.name);
  return { type: 'model', name, from, secret: layer.hides?.(['model']) ?? false };
}
