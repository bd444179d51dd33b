// Rules: what must hold of a conversation, and which model it gets then.
import { anyOf, type GlobCompiler } from '../../lib/config/glob.ts';
import { compile, type RegexEngine } from '../../lib/config/regex.ts';
import { listOf, type Range, type Rule, type When } from '../../lib/config/types.ts';
import { isObject, type JsonObject } from '../../lib/json/values.ts';
import type { Classification } from './classify.ts';
import type { View } from './view.ts';

export interface CompiledRule {
  /** What the rule is called in reasons: its name, or its place. */
  readonly label: string;
  readonly use: readonly string[];
  matches(view: View, task: () => Classification | undefined): boolean;
}

export interface Engines {
  readonly regex: RegexEngine;
  readonly glob: GlobCompiler;
}

type Test = (view: View, task: () => Classification | undefined) => boolean;

/** The rules in the order in which they are tried: by priority, then as they stand. Throws a Failure (78) for a pattern that is none. */
export function compileRules(rules: readonly Rule[], engines: Engines, file: string): CompiledRule[] {
  return rules
    .map((rule, at) => ({ rule, place: `route.rules[${at}]`, label: rule.name ?? `rule ${at + 1}` }))
    .sort((a, b) => (b.rule.priority ?? 0) - (a.rule.priority ?? 0))
    .map(({ rule, place, label }) => {
      const tests = testsOf(rule.when ?? {}, engines, `${file}: ${place}`);
      return {
        label,
        use: listOf(rule.use),
        matches: (view, task) => tests.every((test) => test(view, task)),
      };
    });
}

/** The cheap ones first: a rule that cannot match is not to cost anything. */
function testsOf(when: When, engines: Engines, place: string): Test[] {
  const { model, tools, messages, needs, metadata, chars, tokens, text, task } = when;
  const named = (patterns: typeof model) => anyOf(engines.glob, listOf(patterns), place);
  return [
    model !== undefined && modelTest(named(model)),
    tools !== undefined && toolsTest(named(tools)),
    messages && ((view: View) => within(view.messages.length, messages)),
    needs !== undefined && ((view: View) => listOf(needs).every((need) => view.needs.has(need as never))),
    ...Object.entries(metadata ?? {}).map(([field, wanted]) => metadataTest(field, wanted, engines, place)),
    chars && ((view: View) => within(view.lastText.length, chars)),
    tokens && tokensTest(tokens),
    text !== undefined && textTest(compile(engines.regex, text, place)),
    task !== undefined && taskTest(listOf(task)),
  ].filter((test) => typeof test === 'function');
}

const modelTest =
  (fits: (name: string) => boolean): Test =>
  (view) =>
    fits(view.requested ?? '');

const toolsTest =
  (fits: (name: string) => boolean): Test =>
  (view) =>
    view.toolNames.some(fits);

const tokensTest =
  ({ above, below }: Range): Test =>
  ({ prompt, family }) =>
    (above === undefined || !prompt.fits(family, above)) && (below === undefined || prompt.fits(family, below - 1));

const textTest =
  (fits: (text: string) => boolean): Test =>
  (view) =>
    fits(view.lastText);

const taskTest =
  (tasks: readonly string[]): Test =>
  (_, task) => {
    const found = task();
    return found !== undefined && tasks.includes(found.task);
  };

function metadataTest(
  field: string,
  wanted: NonNullable<When['metadata']>[string],
  engines: Engines,
  place: string,
): Test {
  const fits =
    typeof wanted === 'object'
      ? compile(engines.regex, wanted.matches, place)
      : (text: string) => text === String(wanted);
  return (view) => {
    const value = fieldOf(view, field);
    return (
      (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') && fits(String(value))
    );
  };
}

/** A field of the head's metadata, else one of the head that no API names; `a.b` is the field b of a. */
function fieldOf({ head }: View, field: string): unknown {
  return at(head.metadata ?? undefined, field) ?? at(head.extra, field);
}

function at(object: JsonObject | undefined, path: string): unknown {
  if (object !== undefined && Object.hasOwn(object, path)) return object[path];
  let value: unknown = object;
  for (const step of path.split('.')) value = isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  return value;
}

const within = (number: number, { above, below }: Range): boolean =>
  (above === undefined || number > above) && (below === undefined || number < below);
