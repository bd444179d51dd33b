// Whether the input of a call is as its tool's JSON Schema says. The only file that knows the validator.
import type { Ajv as Checker } from 'ajv';
import { isObject, type Json } from '../json/values.ts';
import { loadRegex, type RegexEngine } from './regex.ts';

/** What is wrong with an input; undefined if nothing is. */
export type Validator = (schema: Json | undefined, input: Json) => string | undefined;

export async function loadValidator(): Promise<Validator> {
  const [loaded, regex] = await Promise.all([import('ajv'), loadRegex()]);
  const settings = {
    strict: false,
    validateFormats: false,
    logger: false as const,
    code: { regExp: linear(regex) },
  };
  // The bundle hands over a CommonJS module as its default.
  const { Ajv } = ('Ajv' in loaded ? loaded : (loaded as { default: unknown }).default) as typeof import('ajv');
  return (schema, input) => check(new Ajv(settings), schema, input);
}

/** Patterns of schemas come with the request: they are matched in linear time. */
function linear(regex: RegexEngine) {
  const compile = (pattern: string) => {
    const compiled = regex.RE2JS.compile(pattern);
    return { test: (text: string) => compiled.test(text) };
  };
  return Object.assign(compile, { code: 'new RegExp' });
}

/** A schema that cannot be understood allows nothing. */
function check(ajv: Checker, schema: Json | undefined, input: Json): string | undefined {
  if (schema === undefined)
    return isObject(input) && Object.keys(input).length === 0 ? undefined : 'it takes no arguments';
  if (!isObject(schema)) return 'its schema is not an object';
  const { $schema, ...plain } = schema;
  try {
    const validate = ajv.compile(plain);
    if (validate(input)) return undefined;
    const [error] = validate.errors ?? [];
    return `${error?.instancePath || 'the input'} ${error?.message ?? 'does not fit'}`;
  } catch {
    return 'its schema is not valid';
  }
}
