// The command line. The only file that knows the parser (yargs' own, without the rest of yargs: see src/README.md).
import parser from 'yargs-parser';
import { EXIT, Failure } from '../failure/failure.ts';
import { nearest } from '../text/nearest.ts';
import type { Option, Options } from './filter.ts';

interface CommandLine {
  readonly values: { readonly [name: string]: unknown };
  readonly operands: readonly string[];
}

/** Stands for "no value given" after an option whose value may be left out. No shell can pass a NUL. */
const ABSENT = '\0';

/**
 * Reads the arguments after the program's name. A repeated option keeps its last value, except a `list`.
 * Throws a Failure (64) that names the option, what is wrong and what was expected.
 */
export function parseOptions(argv: readonly string[], table: Options): CommandLine {
  const names = Object.keys(table);
  const of = (...types: Option['type'][]) => names.filter((name) => types.includes(table[name]?.type ?? 'string'));
  const valued = names.filter((name) => table[name]?.type !== 'boolean');
  const detailed = parser.detailed(prepare(argv, table), {
    array: [],
    boolean: of('boolean'),
    string: valued,
    narg: Object.fromEntries(valued.map((name) => [name, 1])),
    alias: Object.fromEntries(names.flatMap((name) => (table[name]?.short ? [[name, [table[name].short]]] : []))),
    configuration: {
      'boolean-negation': false,
      'camel-case-expansion': false,
      'dot-notation': false,
      'duplicate-arguments-array': true,
      'parse-numbers': false,
      'parse-positional-numbers': false,
      'strip-aliased': true,
    },
  });
  const { _: operands, ...given } = detailed.argv;
  for (const name of Object.keys(given)) if (!Object.hasOwn(table, name)) throw unknown(name, table);
  if (detailed.error) throw new Failure(EXIT.usage, lastWords(detailed.error.message));
  const values = names.map((name) => [name, read(name, table[name] as Option, given[name])]);
  return { values: Object.fromEntries(values), operands: operands.map(String) };
}

/** Settles what the parser cannot: an option that stands without its optional value, and a switch that was given one. */
function prepare(argv: readonly string[], table: Options): string[] {
  const end = argv.indexOf('--');
  return argv.map((word, i) => {
    if (!word.startsWith('--') || (end >= 0 && i >= end)) return word;
    const [name = '', value] = word.slice(2).split(/=(.*)/s);
    const type = Object.hasOwn(table, name) ? table[name]?.type : undefined;
    if (type === 'boolean' && value !== undefined) throw new Failure(EXIT.usage, `option --${name} takes no value`);
    return type === 'optional' && value === undefined ? `${word}=${ABSENT}` : word;
  });
}

function read(name: string, option: Option, given: unknown): unknown {
  const all = given === undefined ? [] : [given].flat();
  if (option.type === 'list') return all.map((value) => check(name, option, String(value)));
  const last = all.at(-1);
  if (option.type === 'boolean') return last === undefined ? (option.default ?? false) : last === true;
  if (last === undefined) return option.default;
  if (option.type === 'optional') return last === ABSENT ? '' : check(name, option, String(last));
  return option.type === 'string' ? check(name, option, String(last)) : number(name, option, String(last));
}

function check(name: string, option: Option, value: string): string {
  if (option.choices === undefined || option.choices.includes(value)) return value;
  throw new Failure(EXIT.usage, `option --${name} cannot be "${value}": use ${option.choices.join(', ')}`);
}

function number(name: string, option: Option, value: string): number {
  const wanted = option.type === 'integer' ? 'a whole number' : 'a number';
  const parsed = value.trim() === '' ? Number.NaN : Number(value);
  const good = option.type === 'integer' ? Number.isSafeInteger(parsed) : Number.isFinite(parsed);
  if (!good) throw new Failure(EXIT.usage, `option --${name} needs ${wanted}, not "${value}"`);
  if (option.min !== undefined && parsed < option.min)
    throw new Failure(EXIT.usage, `option --${name} must be at least ${option.min}, not ${value}`);
  if (option.max !== undefined && parsed > option.max)
    throw new Failure(EXIT.usage, `option --${name} must be at most ${option.max}, not ${value}`);
  return parsed;
}

function unknown(name: string, table: Options): Failure {
  const dashed = name.length === 1 ? `-${name}` : `--${name}`;
  const close = name.length === 1 ? undefined : nearest(name, Object.keys(table));
  return new Failure(EXIT.usage, `unknown option ${dashed}`, { hint: close ? `did you mean --${close}?` : undefined });
}

/** yargs-parser's only complaint that reaches here: `Not enough arguments following: NAME`. */
function lastWords(message: string): string {
  const name = /following: (.*)$/.exec(message)?.[1];
  return name === undefined ? message : `option ${name.length === 1 ? '-' : '--'}${name} needs a value`;
}
