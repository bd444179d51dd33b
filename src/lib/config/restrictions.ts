// A project's file came with the project's data: it may lower budgets and rates, and says nothing else.
import { statSync } from 'node:fs';
import { EXIT, Failure } from '../failure/failure.ts';
import { isObject } from '../json/values.ts';
import { readRate } from '../state/limits.ts';
import { hasMarks } from './expand.ts';
import type { Layer } from './layers.ts';
import { type Parsers, parseText, readText } from './read.ts';
import { restrictionsSchema } from './schema.ts';
import type { Config, Limits } from './types.ts';
import { validate } from './zod.ts';

interface Restrictions {
  readonly layer: Layer & { readonly values: Config };
  /** The paths of what the file says and may not. */
  readonly ignored: readonly string[];
}

type Values = { readonly [key: string]: unknown };

/** Bytes: a link in a repository may lead to a device without an end. */
const LARGEST = 1 << 20;

const BUDGETS = ['call', 'day', 'project'] as const;
const RATES = ['requests', 'tokens'] as const;

/** What may be said, by its path; `*` is any name. */
const SAID = new Set([...BUDGETS.map((of) => `budget.${of}`), ...RATES.map((of) => `limits.*.${of}`), 'route.budget']);

/**
 * What a project's file lowers of what the user's files allow (`below`). Nothing in it is expanded. Throws a Failure (78) for a file that is no
 * YAML, or for a budget or a rate that is none: what was to be kept would not be.
 */
export function readRestrictions(file: string, below: Config, parsers: Parsers): Restrictions {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found !== undefined && (!found.isFile() || found.size > LARGEST))
    throw new Failure(EXIT.config, 'cannot read the configuration: it is not a regular file of at most 1 MB', {
      place: file,
    });
  const parsed = parseText(parsers.yaml, readText(file), file);
  const ignored: string[] = [];
  const value = parsed.value ?? {};
  if (!isObject(value)) ignored.push('all of it');
  const said = isObject(value) ? picked(value, [], ignored) : {};
  const own = validate(restrictionsSchema(parsers.z), said, file);
  const values = lowered(own, below, ignored);
  return { layer: { name: file, values, placeOf: (path) => `${file}:${parsed.lineOf(path) ?? 1}` }, ignored };
}

/** The part that may be said; the paths of the rest are added to `ignored`. */
function picked(values: Values, path: readonly string[], ignored: string[]): Values {
  const kept = Object.entries(values).flatMap(([key, value]): [string, unknown][] => {
    const here = [...path, key];
    const pattern = here.map((step, at) => (at === 1 && path[0] === 'limits' ? '*' : step)).join('.');
    if (SAID.has(pattern) && !(typeof value === 'string' && hasMarks(value))) return [[key, value]];
    if (isObject(value) && [...SAID].some((one) => one.startsWith(`${pattern}.`)))
      return [[key, picked(value, here, ignored)]];
    if (value !== null) ignored.push(here.join('.'));
    return [];
  });
  return Object.fromEntries(kept);
}

/** What is lower than what the user allows, or what the user does not limit. */
function lowered({ budget = {}, limits = {}, route = {} }: Config, below: Config, ignored: string[]): Config {
  const least = (own: number | undefined, before: number | undefined, path: string) => {
    if (own === undefined || before === undefined || own <= before) return own;
    ignored.push(path);
    return undefined;
  };
  const budgets = BUDGETS.map((of) => [of, least(budget[of], below.budget?.[of], `budget.${of}`)] as const);
  const ofRoute = least(route.budget, below.route?.budget, 'route.budget');
  const some = <T extends object>(values: T) => (Object.keys(values).length > 0 ? values : undefined);
  const kept = {
    budget: some(Object.fromEntries(budgets.filter(([, usd]) => usd !== undefined))),
    limits: some(loweredLimits(limits, below.limits ?? {}, ignored)),
    route: ofRoute === undefined ? undefined : { budget: ofRoute },
  };
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined));
}

type AllLimits = { readonly [name: string]: Limits };

/** A limit of `provider/model` counts in the place of its provider's: it keeps what that says, and a provider's lowers those of its models. */
function loweredLimits(own: AllLimits, below: AllLimits, ignored: string[]): AllLimits {
  const inherited = Object.keys(below).filter((name) => at(own, providerOf(name)) !== undefined);
  const names = [...new Set([...Object.keys(own), ...inherited])];
  const all = names.map((name) => {
    const before = at(below, name) ?? at(below, providerOf(name)) ?? {};
    const wanted = at(own, name) ?? at(own, providerOf(name)) ?? {};
    const lower = RATES.filter((of) => {
      const [now, then] = [speedOf(wanted[of]), speedOf(before[of])];
      if (wanted[of] !== undefined && now > then && at(own, name) !== undefined) ignored.push(`limits.${name}.${of}`);
      return wanted[of] !== undefined && now <= then;
    });
    return [name, { ...before, ...Object.fromEntries(lower.map((of) => [of, wanted[of]])) }] as const;
  });
  return Object.fromEntries(all);
}

const at = (limits: AllLimits, name: string): Limits | undefined =>
  Object.hasOwn(limits, name) ? limits[name] : undefined;

const providerOf = (name: string): string => name.split('/')[0] ?? name;

const speedOf = (rate: string | undefined): number =>
  (rate === undefined ? undefined : readRate(rate)?.perSecond) ?? Number.POSITIVE_INFINITY;
