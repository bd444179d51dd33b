// Calls in JSON values, under all the keys that models use for a call's name, arguments and id.
import { isObject, type Json, type JsonObject } from '../json/values.ts';
import { asArguments } from './json.ts';
import type { Toolset } from './toolset.ts';
import type { Repair, Spoken } from './types.ts';

const NAMES = ['name', 'tool_name', 'toolName', 'function_name', 'functionName', 'tool', 'function', 'recipient_name'];
const LATER_NAMES = ['action', 'api', 'fn', 'func', 'call', 'method'];
const ARGUMENTS = ['arguments', 'parameters', 'params', 'args', 'input', 'tool_input', 'toolInput', 'action_input'];
const LATER_ARGUMENTS = ['kwargs', 'tool_args', 'function_args', 'tool_arguments', 'tool_parameters', 'argument'];
const IDS = ['id', 'tool_call_id', 'call_id', 'tool_use_id', 'toolUseId', 'callId'];

/** Keys whose value may be the tool's only argument. */
const LATER_INPUTS = new Set(['action_input', 'tool_input']);

const NAME_KEYS = [...NAMES, ...LATER_NAMES];
const ARGUMENT_KEYS = [...ARGUMENTS, ...LATER_ARGUMENTS];

/** Keys that hold a call, or a list of calls, and say so. */
const HOLDERS = ['function', 'functionCall', 'function_call', 'toolUse', 'tool_call', 'toolCall', 'call', 'tool_use'];
const LISTS = ['tool_calls', 'toolCalls', 'function_calls', 'tool_uses', 'calls'];

/** Keys beside the name that are no arguments. */
const BESIDE = new Set(['type', 'index', 'status', 'role', 'thought', 'reasoning', 'content', 'explanation', ...IDS]);

/** What stands for "no call" where a call is expected. */
const NO_CALL = /^(?:final answer|directly[-_]answer|no_function)$/i;

/** What is taken for a call. */
export interface Expected {
  readonly tools: Toolset;
  /** Something else says that this is a call: a name alone is enough. */
  readonly certain: boolean;
  /** The value had to be mended: nothing may be missing then. */
  readonly mended?: boolean;
  /** The name may be an object's only key. */
  readonly keyed?: boolean;
}

/** The calls of a JSON value: of an object, of the objects in a list, or of what wraps them. What is no call is left out. */
export function callsIn(value: Json, expected: Expected): Spoken[] {
  if (Array.isArray(value)) return value.flatMap((item) => (isObject(item) ? callsIn(item, expected) : []));
  if (!isObject(value)) return [];
  for (const key of LISTS) if (Array.isArray(value[key])) return callsIn(value[key], { ...expected, certain: true });
  const held = HOLDERS.find((key) => isObject(value[key]));
  if (held !== undefined) return within(value, value[held] as JsonObject, expected);
  const call = callOf(value, expected);
  return call ? [call] : [];
}

/** `{"id": …, "function": {"name": …, "arguments": …}}`: the id stands outside. */
function within(outer: JsonObject, inner: JsonObject, expected: Expected): Spoken[] {
  const id = idOf(outer);
  const named = typeof outer.name === 'string' && inner.name === undefined ? { ...inner, name: outer.name } : inner;
  return callsIn(named, { ...expected, certain: true }).map((call) => ({ ...call, ...(id !== undefined && { id }) }));
}

function callOf(object: JsonObject, { tools, certain, keyed, mended }: Expected): Spoken | undefined {
  const nameKey = NAME_KEYS.find((key) => typeof object[key] === 'string' && object[key] !== '');
  if (nameKey === undefined) return onlyKey(object, tools, keyed === true);
  const name = String(object[nameKey]);
  if (NO_CALL.test(name) || isDefinition(object)) return undefined;
  const key = ARGUMENT_KEYS.find((candidate) => candidate !== nameKey && Object.hasOwn(object, candidate));
  const id = idOf(object);
  const spoken = (value: Json, repairs?: readonly Repair[]): Spoken => ({
    name,
    ...(id !== undefined && { id }),
    arguments: { type: 'json', value },
    repairs,
  });
  if (key !== undefined) {
    if (!certain && isRecord(object, nameKey, key)) return undefined;
    const value = asArguments(object[key]);
    const only = LATER_INPUTS.has(key) && tools.resolve(name)?.tool !== undefined;
    return isObject(value) || certain || only || Array.isArray(value) ? spoken(value) : undefined;
  }
  const properties = propertiesOf(tools.resolve(name)?.tool?.schema);
  const rest = Object.entries(object).filter(
    ([other]) => other !== nameKey && (!BESIDE.has(other) || Object.hasOwn(properties, other)),
  );
  if (rest.length === 0) return certain && !mended ? spoken({}) : undefined;
  return flat(name, nameKey, rest, tools) ? spoken(Object.fromEntries(rest)) : undefined;
}

/** Whether an object has other keys than a call has: it is a record of something. */
function isRecord(object: JsonObject, nameKey: string, argumentsKey: string): boolean {
  return Object.keys(object).some((key) => key !== nameKey && key !== argumentsKey && !BESIDE.has(key));
}

function idOf(object: JsonObject): string | undefined {
  const key = IDS.find((candidate) => typeof object[candidate] === 'string' && object[candidate] !== '');
  return key === undefined ? undefined : String(object[key]);
}

/** `{"tool": "f", "k": "v"}`: the other keys are the arguments, if the tool is known and has them all. */
function flat(name: string, nameKey: string, rest: readonly [string, unknown][], tools: Toolset): boolean {
  const tool = tools.resolve(name)?.tool;
  if (tool === undefined || (nameKey === 'name' && Object.hasOwn(propertiesOf(tool.schema), 'name'))) return false;
  const properties = propertiesOf(tool.schema);
  return rest.every(([key]) => Object.hasOwn(properties, key));
}

function propertiesOf(schema: Json | undefined): JsonObject {
  return isObject(schema) && isObject(schema.properties) ? schema.properties : {};
}

/** `{"f": {…}}`: the only key is the tool. */
function onlyKey(object: JsonObject, tools: Toolset, keyed: boolean): Spoken | undefined {
  const [entry, ...others] = Object.entries(object);
  if (entry === undefined || others.length > 0) return undefined;
  const [name, value] = entry;
  if (!isObject(value) && !(keyed && (value === null || value === ''))) return undefined;
  if (ARGUMENT_KEYS.includes(name) || !(tools.has(name) || keyed)) return undefined;
  return { name, arguments: { type: 'json', value: asArguments(value) } };
}

/** A tool's definition has a name and parameters too: a JSON Schema. */
function isDefinition(object: JsonObject): boolean {
  const parameters = object.parameters ?? object.input_schema ?? object.inputSchema;
  if (!isObject(parameters)) return false;
  return parameters.type === 'object' && (isObject(parameters.properties) || object.description !== undefined);
}
