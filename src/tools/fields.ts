// The arguments of a tool, each asked for by name. Numbers may be spelled as texts: models that write XML know no others.
import { ToolError } from '../lib/cli/tool.ts';
import { type JsonObject, kindOf } from '../lib/json/values.ts';

export function text(input: JsonObject, ...names: readonly string[]): string {
  const found = optionalText(input, ...names);
  if (found === undefined) throw new ToolError(`the argument "${names[0]}" is missing`);
  return found;
}

export function optionalText(input: JsonObject, ...names: readonly string[]): string | undefined {
  const name = names.find((each) => input[each] !== undefined && input[each] !== null);
  if (name === undefined) return undefined;
  const value = input[name];
  if (typeof value === 'string') return value;
  throw new ToolError(`the argument "${name}" must be a string, not ${kindOf(value)}`);
}

export function optionalInteger(input: JsonObject, least: number, ...names: readonly string[]): number | undefined {
  const name = names.find((each) => input[each] !== undefined && input[each] !== null && input[each] !== '');
  if (name === undefined) return undefined;
  const value = Number(input[name]);
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new ToolError(`the argument "${name}" must be a whole number, at least ${least}`);
}

export const flag = (input: JsonObject, ...names: readonly string[]): boolean =>
  names.some((name) => input[name] === true || input[name] === 'true');
