// Values from several sources, each overriding the ones before, and where each came from.
import { isObject } from '../json/values.ts';

export interface Layer {
  /** What the layer is called: `defaults`, a file, `environment`, `flags`. */
  readonly name: string;
  readonly values: object;
  /** A nearer place of one value: the file's line, the variable, the option. */
  placeOf?(path: readonly (string | number)[]): string | undefined;
  /** Whether the value came from a command, and so is never told. */
  hides?(path: readonly string[]): boolean;
}

type Values = { readonly [key: string]: unknown };

/** The layers as one. Objects are joined key by key; anything else replaces what was there before. */
export function join<T extends object>(layers: readonly Layer[]): T {
  return layers.reduce<Values>((below, { values }) => over(below, values as Values), {}) as T;
}

function over(below: Values, above: Values): Values {
  const joined = Object.entries(above).flatMap(([key, value]) => {
    if (value === undefined) return [];
    const before = Object.hasOwn(below, key) ? below[key] : undefined;
    return [[key, isObject(before) && isObject(value) ? over(before, value) : value]];
  });
  return { ...below, ...Object.fromEntries(joined) };
}

interface Origin {
  readonly path: readonly string[];
  readonly value: unknown;
  readonly place: string;
  readonly hidden: boolean;
}

/** Every value of the layers as one, with the place of the layer that it came from, in the order of their paths. */
export function origins(layers: readonly Layer[]): Origin[] {
  const above = layers.toReversed();
  return [...leaves(join<Values>(layers), [])]
    .map(([path, value]) => {
      const layer = above.find(({ values }) => at(values, path) !== undefined);
      const place = layer?.placeOf?.(path) ?? layer?.name ?? '';
      return { path, value, place, hidden: layer?.hides?.(path) ?? false };
    })
    .sort((a, b) => (a.path.join('.') < b.path.join('.') ? -1 : 1));
}

function at(values: object, path: readonly string[]): unknown {
  let value: unknown = values;
  for (const key of path) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value;
}

function* leaves(values: Values, path: readonly string[]): Generator<readonly [readonly string[], unknown]> {
  for (const [key, value] of Object.entries(values)) {
    if (value === undefined) continue;
    if (isObject(value) && Object.keys(value).length > 0) yield* leaves(value, [...path, key]);
    else yield [[...path, key], value];
  }
}
