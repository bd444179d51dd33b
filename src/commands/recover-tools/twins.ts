// The same call, told twice in one message: structured and as text, or in two formats.
import { isObject, type Json, type JsonObject } from '../../lib/json/values.ts';
import type { Call } from './judge.ts';

export class Twins {
  readonly #ids = new Map<string, { readonly id: string; readonly format: string }>();

  /** Takes a call; '' is the format of a structured one. */
  add({ name, input }: Pick<Call, 'name' | 'input'>, id: string, format: string): void {
    this.#ids.set(keyOf(name, input), { id, format });
  }

  /** The id of the same call, structured already or found in another format. */
  of({ name, input }: Call, format: string): string | undefined {
    const twin = this.#ids.get(keyOf(name, input));
    return twin && twin.format !== format ? twin.id : undefined;
  }
}

const keyOf = (name: string, input: Json): string => `${name}\0${canonical(input)}`;

/** JSON with its keys in order. */
function canonical(value: Json): string {
  return JSON.stringify(value, (_, inner: Json) => (isObject(inner) ? ordered(inner) : inner));
}

function ordered(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}
