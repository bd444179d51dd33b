// The shape of a configuration file, and of a file of rules.
import { type Config, CREDENTIALS, NEEDS, PRIORITIES, type RouteSettings, STRATEGIES, TASKS } from './types.ts';
import type { Schema, Z } from './zod.ts';

/** A file of rules: what a configuration says under `route`, with aliases and a model of its own. */
export type Policy = RouteSettings & Pick<Config, 'aliases' | 'model'>;

export function policySchema(z: Z): Schema<Policy> {
  const { aliases, model } = names(z);
  return z.strictObject({ model, aliases, ...routeFields(z) }) as unknown as Schema<Policy>;
}

/** `provider` is the schema of one provider, which the catalogue knows. */
export function configSchema(z: Z, provider: Schema<unknown>): Schema<Config> {
  const { aliases, model } = names(z);
  return z.strictObject({
    model,
    small_model: z.optional(z.string().check(z.minLength(1))),
    aliases,
    providers: z.optional(z.record(z.string(), provider)),
    models: z.optional(oneOrMore(z)),
    route: z.optional(z.strictObject(routeFields(z))),
    credentials: z.optional(z.literal('logins')),
    ...spendingFields(z),
  }) as unknown as Schema<Config>;
}

/** What a project's file may say. */
export function restrictionsSchema(z: Z): Schema<Config> {
  const budget = z.optional(z.number().check(z.nonnegative()));
  return z.strictObject({
    ...spendingFields(z),
    route: z.optional(z.strictObject({ budget })),
  }) as unknown as Schema<Config>;
}

function spendingFields(z: Z) {
  const rate = z.optional(
    z.string().check(z.regex(/^\s*\d+(\.\d+)?\s*\/\s*(s|sec|second|m|min|minute|h|hour|d|day)\s*$/)),
  );
  const usd = z.optional(z.number().check(z.nonnegative()));
  return {
    limits: z.optional(z.record(z.string(), z.strictObject({ requests: rate, tokens: rate }))),
    budget: z.optional(
      z.strictObject({
        call: usd,
        day: usd,
        project: usd,
        alerts: z.optional(z.array(z.number().check(z.positive()))),
        command: z.optional(z.string().check(z.minLength(1))),
      }),
    ),
  };
}

const names = (z: Z) => ({
  model: z.optional(z.string().check(z.minLength(1))),
  aliases: z.optional(z.record(z.string(), oneOrMore(z))),
});

function oneOrMore(z: Z) {
  const text = z.string().check(z.minLength(1));
  return z.union([text, z.array(text).check(z.minLength(1))]);
}

function routeFields(z: Z) {
  const texts = z.array(z.string().check(z.minLength(1)));
  const test = z.strictObject({
    name: z.optional(z.string()),
    text: z.optional(z.string()),
    conversation: z.optional(z.array(z.record(z.string(), z.json()))),
    expect: z.union([
      z.string(),
      z.strictObject({
        model: z.optional(z.string()),
        not: z.optional(z.string()),
        rule: z.optional(z.string()),
        task: z.optional(z.enum(TASKS)),
      }),
    ]),
  });
  return {
    priority: z.optional(z.enum(PRIORITIES)),
    strategy: z.optional(z.enum(STRATEGIES)),
    task: z.optional(z.enum(TASKS)),
    tasks: z.optional(z.partialRecord(z.enum(TASKS), oneOrMore(z))),
    need: z.optional(z.array(z.enum(NEEDS))),
    candidates: z.optional(texts),
    allow: z.optional(texts),
    deny: z.optional(texts),
    fallbacks: z.optional(texts),
    budget: z.optional(z.number().check(z.nonnegative())),
    output: z.optional(z.int().check(z.positive())),
    seed: z.optional(z.int()),
    credentials: z.optional(z.enum(CREDENTIALS)),
    rules: z.optional(z.array(ruleSchema(z))),
    agents: z.optional(z.array(ruleSchema(z))),
    tests: z.optional(z.array(test)),
  };
}

function ruleSchema(z: Z) {
  const range = z.strictObject({ above: z.optional(z.number()), below: z.optional(z.number()) });
  const oneTask = z.enum(TASKS);
  const oneNeed = z.enum(NEEDS);
  const scalar = z.union([z.string(), z.number(), z.boolean(), z.strictObject({ matches: z.string() })]);
  const when = z.strictObject({
    text: z.optional(z.string()),
    task: z.optional(z.union([oneTask, z.array(oneTask)])),
    tokens: z.optional(range),
    chars: z.optional(range),
    messages: z.optional(range),
    tools: z.optional(oneOrMore(z)),
    needs: z.optional(z.union([oneNeed, z.array(oneNeed)])),
    metadata: z.optional(z.record(z.string(), scalar)),
    model: z.optional(oneOrMore(z)),
  });
  return z.strictObject({
    name: z.optional(z.string()),
    priority: z.optional(z.number()),
    when: z.optional(when),
    use: oneOrMore(z),
  });
}
