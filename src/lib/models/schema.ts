// What the data files and a user's models.json may say.
import type { Schema, Z } from '../config/zod.ts';
import type { Catalogue, UserModels } from './catalogue.ts';
import type { Quirks } from './types.ts';

/** The dialects that a provider can speak: names of the table of formats, and the classifiers', which nobody speaks yet. */
export const DIALECTS = [
  'openai',
  'openai-responses',
  'anthropic',
  'gemini',
  'bedrock',
  'ollama',
  'mistral',
  'cohere',
  'typesafe-system-one',
] as const;

/** A base URL: http or https, with or without `{VARIABLES}`, without credentials or a slash at its end. */
const URL_SHAPE = /^https?:\/\/[^\s/@?#]+(\/[^\s@?#]*)?(?<!\/)$/;

const VARIABLE = /^[A-Za-z0-9_]+$/;

/** A user's models.json, `known` being the catalogue that it adds to: what it refers to must be there or in itself. */
export function userModelsSchema(z: Z, known: Catalogue): Schema<UserModels> {
  const { provider, model } = rowSchemas(z);
  const file = z.strictObject({
    $schema: z.optional(z.string()),
    default: z.optional(z.string()),
    providers: z.optional(z.record(z.string(), z.partial(provider))),
    models: z.optional(z.record(z.string(), z.record(z.string(), model))),
    overrides: z.optional(z.record(z.string(), z.partial(model))),
  });
  return file.check((context) => {
    for (const { path, wanted, input } of unknownNames(context.value as UserModels, known))
      context.issues.push({ code: 'custom', path: [...path], message: wanted, input });
  }) as unknown as Schema<UserModels>;
}

interface Unknown {
  readonly path: readonly string[];
  readonly wanted: string;
  readonly input: string;
}

function* unknownNames(file: UserModels, known: Catalogue): Generator<Unknown> {
  const has = (name: string, id: string) =>
    known.model(id, name) !== undefined || Object.hasOwn(file.models?.[name] ?? {}, id);
  const isModel = (full: string) => {
    const slash = full.indexOf('/');
    return slash > 0 && has(full.slice(0, slash), full.slice(slash + 1));
  };
  for (const [name, { apis }] of Object.entries(file.providers ?? {}))
    if (apis === undefined && !known.providers.has(name))
      yield {
        path: ['providers', name],
        wanted: '"apis", because there is no built-in provider of this name',
        input: name,
      };
  for (const name of Object.keys(file.models ?? {}))
    if (!known.providers.has(name) && !Object.hasOwn(file.providers ?? {}, name))
      yield { path: ['models', name], wanted: 'the name of a provider', input: name };
  for (const name of Object.keys(file.overrides ?? {}))
    if (!isModel(name)) yield { path: ['overrides', name], wanted: 'PROVIDER/MODEL of a known model', input: name };
  if (file.default !== undefined && !isModel(file.default))
    yield { path: ['default'], wanted: 'PROVIDER/MODEL of a known model', input: file.default };
}

/** The schemas of one provider and one model. */
export function rowSchemas(z: Z) {
  const text = z.string().check(z.minLength(1));
  const count = z.int().check(z.positive());
  const rank = z.number().check(z.minimum(0), z.maximum(5));
  const quirks = quirksSchema(z);
  const url = z.string().check(z.regex(URL_SHAPE, 'a URL such as https://host/v1'));
  const provider = z.strictObject({
    title: z.optional(text),
    kind: z.optional(z.enum(['vendor', 'cloud', 'gateway', 'subscription', 'local', 'classifier'])),
    apis: z.partialRecord(z.enum(DIALECTS), url),
    keys: z.optional(z.array(z.string().check(z.regex(VARIABLE, 'the name of an environment variable')))),
    tokens: z.optional(z.array(z.string().check(z.regex(VARIABLE, 'the name of an environment variable')))),
    url_from: z.optional(z.array(z.string().check(z.regex(VARIABLE, 'the name of an environment variable')))),
    auth: z.optional(z.enum(['bearer', 'x-api-key', 'api-key', 'x-goog-api-key'])),
    logins: z.optional(z.array(z.enum(['claude-code', 'codex', 'codex-key', 'gemini-cli', 'aws', 'google']))),
    hosts: z.optional(z.array(text)),
    headers: z.optional(z.record(z.string(), z.string())),
    prefixes: z.optional(z.array(text)),
    names: z.optional(z.array(text)),
    unserved: z.optional(z.array(text)),
    quirks: z.optional(quirks),
  });
  const model = z.strictObject({
    name: z.optional(text),
    api: z.optional(z.enum(DIALECTS)),
    context: z.optional(count),
    output: z.optional(count),
    input: z.optional(z.array(z.enum(['text', 'image', 'audio', 'video', 'document']))),
    tools: z.optional(z.boolean()),
    reasoning: z.optional(z.boolean()),
    schema: z.optional(z.boolean()),
    streaming: z.optional(z.boolean()),
    price: z.optional(priceSchema(z)),
    deprecated: z.optional(
      z.union([z.boolean(), z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/, 'a day such as 2026-12-31'))]),
    ),
    quality: z.optional(rank),
    speed: z.optional(rank),
    current: z.optional(z.boolean()),
    as: z.optional(text),
    effort: z.optional(z.record(z.string(), z.nullable(z.string()))),
    cache_ttl: z.optional(z.array(count)),
    quirks: z.optional(quirks),
    from: z.optional(text),
    disputed: z.optional(z.record(z.string(), z.json())),
  });
  return { provider, model };
}

function quirksSchema(z: Z) {
  const flag = z.optional(z.boolean());
  const names = z.optional(z.array(z.string().check(z.minLength(1))));
  const fields: { readonly [quirk in keyof Required<Quirks>]: unknown } = {
    max_tokens_field: z.optional(z.enum(['max_tokens', 'max_completion_tokens'])),
    developer_role: flag,
    store: flag,
    tools: flag,
    strict_tools: flag,
    tools_with_history: flag,
    reasoning_effort: flag,
    temperature: flag,
    temperature_range: z.optional(z.tuple([z.number(), z.number()])),
    usage_in_streaming: flag,
    cache_control: z.optional(z.enum(['anthropic'])),
    unsupported: names,
    strip: names,
    rename: z.optional(z.record(z.string(), z.string())),
  };
  return z.strictObject(fields as never);
}

function priceSchema(z: Z) {
  const cost = z.optional(z.number().check(z.nonnegative()));
  const rates = { input: cost, output: cost, cache_read: cost, cache_write: cost, cache_write_1h: cost };
  const time = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time such as 08:30'));
  return z.strictObject({
    ...rates,
    tiers: z.optional(z.array(z.strictObject({ above: z.int().check(z.nonnegative()), ...rates }))),
    hours: z.optional(z.array(z.strictObject({ from: time, to: time, ...rates }))),
  });
}
