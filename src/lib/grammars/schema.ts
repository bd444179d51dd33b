// What a JSON Schema admits at one place, as far as a text has to be given a type. https://json-schema.org/draft/2020-12
import { equal, isObject, type Json, type JsonObject } from '../json/values.ts';

export type TypeName = 'null' | 'boolean' | 'integer' | 'number' | 'array' | 'object' | 'string';

/** What is admitted. `any`: the schema does not say. */
export interface Admitted {
  readonly types: ReadonlySet<TypeName>;
  readonly any: boolean;
  /** The only values, where they are listed. */
  readonly values?: readonly Json[];
}

const ANY: Admitted = { types: new Set(), any: true };

/** Schemas nested deeper than this (a `$ref` to itself, say) admit anything. */
const DEEPEST = 12;

/** What models' prompts and other languages call the types. */
const SPELLINGS: readonly (readonly [RegExp, TypeName])[] = [
  [/^(?:str|text|varchar|char|enum)/, 'string'],
  [/^(?:u?int|long|short|unsigned)/, 'integer'],
  [/^(?:num|float|double|decimal)/, 'number'],
  [/^(?:bool|binary)/, 'boolean'],
  [/^(?:dict|obj|map)/, 'object'],
  [/^(?:list|arr|tuple|set)/, 'array'],
  [/^(?:null|none)/, 'null'],
];

function typeNamed(name: Json | undefined): TypeName | undefined {
  const word = String(name).trim().toLowerCase();
  return SPELLINGS.find(([pattern]) => pattern.test(word))?.[1];
}

/** Reads one tool's schema. */
export class Schema {
  readonly #root: Json | undefined;

  constructor(root: Json | undefined) {
    this.#root = root;
  }

  /** The schemas of the property `key`; `others` are the other arguments, which tell the branches of a union apart. */
  property(key: string, others: ReadonlyMap<string, string>): Json | undefined {
    return one(this.#properties(this.#root, key, others, 0));
  }

  /** The schemas of an object's property and of a list's items, below `schema`. */
  within(
    schema: Json | undefined,
    key: string | number,
    others: ReadonlyMap<string, string> = NOTHING,
  ): Json | undefined {
    if (typeof key === 'string') return one(this.#properties(schema, key, others, 0));
    return one(this.#branches(schema, 0).flatMap((here) => (here.items === undefined ? [] : [here.items])));
  }

  /** A schema with all that its unions and references lead to. */
  #branches(schema: Json | undefined, depth: number): JsonObject[] {
    const here = this.#resolved(schema, depth);
    if (!isObject(here) || depth > DEEPEST) return [];
    const inner = [...list(here.allOf), ...list(here.anyOf), ...list(here.oneOf)];
    return [here, ...inner.flatMap((branch) => this.#branches(branch, depth + 1))];
  }

  get root(): Json | undefined {
    return this.#root;
  }

  /** The names of the properties, in order. */
  keys(): string[] {
    const root = this.#resolved(this.#root, 0);
    return isObject(root) && isObject(root.properties) ? Object.keys(root.properties) : [];
  }

  #properties(schema: Json | undefined, key: string, others: ReadonlyMap<string, string>, depth: number): Json[] {
    const here = this.#resolved(schema, depth);
    if (!isObject(here) || depth > DEEPEST) return [];
    const own = isObject(here.properties) && Object.hasOwn(here.properties, key) ? here.properties[key] : undefined;
    const branches = [...list(here.allOf), ...this.#matching(here, key, others, depth)];
    const inner = branches.flatMap((branch) => this.#properties(branch, key, others, depth + 1));
    return own === undefined ? inner : inner.length > 0 ? [{ allOf: [own, ...inner] }] : [own];
  }

  /** The branches of a union that the other arguments fit. */
  #matching(schema: JsonObject, key: string, others: ReadonlyMap<string, string>, depth: number): Json[] {
    const branches = [...list(schema.anyOf), ...list(schema.oneOf)];
    const fitting = branches.filter((branch) => this.#fits(branch, key, others, depth + 1));
    return fitting.length > 0 ? fitting : branches;
  }

  #fits(branch: Json, key: string, others: ReadonlyMap<string, string>, depth: number): boolean {
    const here = this.#resolved(branch, depth);
    if (!isObject(here) || !isObject(here.properties)) return true;
    return Object.entries(here.properties).every(([name, property]) => {
      const text = others.get(name);
      const values = name === key ? undefined : this.admitted(property, depth + 1).values;
      return text === undefined || values === undefined || values.some((value) => says(text, value));
    });
  }

  /** What the schema admits. */
  admitted(schema: Json | undefined, depth = 0): Admitted {
    const here = this.#resolved(schema, depth);
    if (!isObject(here) || depth > DEEPEST) return ANY;
    const all = [own(here), ...list(here.allOf).map((part) => this.admitted(part, depth + 1))];
    for (const union of [here.anyOf, here.oneOf])
      if (Array.isArray(union)) all.push(either(union.map((part) => this.admitted(part, depth + 1))));
    if (here.nullable === true) return either([all.reduce(both), { types: new Set(['null']), any: false }]);
    return all.reduce(both);
  }

  /** Follows `$ref` within the schema. */
  #resolved(schema: Json | undefined, depth: number): Json | undefined {
    let here = schema;
    for (let step = depth; isObject(here) && typeof here.$ref === 'string' && step <= DEEPEST; step += 1) {
      const { $ref, ...beside } = here;
      const target = this.#at(String($ref));
      here = Object.keys(beside).length > 0 && target !== undefined ? { allOf: [target, beside] } : target;
    }
    return here;
  }

  #at(ref: string): Json | undefined {
    if (!ref.startsWith('#')) return undefined;
    let here: Json | undefined = this.#root;
    for (const step of ref.slice(1).split('/').slice(1)) {
      const key = decode(step).replaceAll('~1', '/').replaceAll('~0', '~');
      if (Array.isArray(here)) here = here[Number(key)];
      else here = isObject(here) && Object.hasOwn(here, key) ? here[key] : undefined;
    }
    return here;
  }
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

const NOTHING: ReadonlyMap<string, string> = new Map();

const one = (schemas: readonly Json[]): Json | undefined => (schemas.length > 1 ? { anyOf: [...schemas] } : schemas[0]);

const list = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);

function own(schema: JsonObject): Admitted {
  const { type, enum: values, const: only } = schema;
  if (only !== undefined) return { types: new Set([typeOf(only)]), any: false, values: [only] };
  if (Array.isArray(values)) return { types: new Set(values.map(typeOf)), any: false, values };
  const names = type === undefined ? implied(schema) : Array.isArray(type) ? type : [type];
  const types = names.map(typeNamed).filter((name) => name !== undefined);
  return types.length === 0 ? ANY : { types: new Set(types), any: false };
}

function implied(schema: JsonObject): string[] {
  if (schema.properties !== undefined || schema.additionalProperties !== undefined) return ['object'];
  return schema.items !== undefined || schema.prefixItems !== undefined ? ['array'] : [];
}

function typeOf(value: Json): TypeName {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value as TypeName;
}

function either(all: readonly Admitted[]): Admitted {
  if (all.length === 0 || all.some(({ any }) => any)) return ANY;
  const types = new Set(all.flatMap((one) => [...one.types]));
  const listed = all.every(({ values }) => values !== undefined);
  return { types, any: false, ...(listed && { values: all.flatMap(({ values }) => values ?? []) }) };
}

function both(a: Admitted, b: Admitted): Admitted {
  if (a.any) return b;
  if (b.any) return a;
  const types = new Set(
    [...a.types].filter((type) => b.types.has(type) || (type === 'integer' && b.types.has('number'))),
  );
  if (a.types.has('number') && b.types.has('integer')) types.add('integer');
  const values =
    a.values && b.values ? a.values.filter((v) => b.values?.some((w) => equal(v, w))) : (a.values ?? b.values);
  return { types, any: false, ...(values && { values }) };
}

/** Whether a text means a listed value. */
export function says(text: string, value: Json): boolean {
  const trimmed = text.trim();
  return typeof value === 'string' ? trimmed === value || text === value : trimmed === JSON.stringify(value);
}
