// Validation of users' files. The only file that knows the validator; it is loaded when there is a file to check.
import type * as Zod from 'zod/mini';
import { EXIT, Failure } from '../failure/failure.ts';
import { nearest } from '../text/nearest.ts';

export type Z = typeof Zod;
export type Schema<T> = Zod.ZodMiniType<T>;

export const loadZod = async (): Promise<Z> => import('zod/mini');

/** At most this many problems are told of one file. */
const TOLD = 5;

/**
 * The value, if it is as the schema says. Throws a Failure (78) that names file, path and what was expected; values that `hides` names are not
 * told.
 */
export function validate<T>(
  schema: Schema<T>,
  value: unknown,
  file: string,
  hides: (path: readonly string[]) => boolean = () => false,
): T {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const told = result.error.issues.map((issue) =>
    hides(issue.path.map(String)) ? { ...issue, input: undefined, code: issue.code } : issue,
  );
  const problems = told.flatMap((issue) => explain(issue as Issue, schema));
  const more = problems.length > TOLD ? `; and ${problems.length - TOLD} more` : '';
  throw new Failure(EXIT.config, `${problems.slice(0, TOLD).join('; ')}${more}`, { place: file });
}

type Issue = Zod.core.$ZodIssue;

function explain(issue: Issue, schema: unknown): string[] {
  const at = pathOf(issue.path);
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map(
      (key) => `${pathOf([...issue.path, key])}: no such setting${meant(key, keysAt(schema, issue.path))}`,
    );
  if (issue.code === 'invalid_union') {
    const [nearest = []] = issue.errors.toSorted((a, b) => depth(b) - depth(a));
    const inner = nearest.flatMap((one) => explain({ ...one, path: [...issue.path, ...one.path] } as Issue, schema));
    if (nearest.some((one) => one.path.length > 0)) return inner;
    const wanted = issue.errors.flatMap((errors) => errors.map(expected));
    return [`${at}: expected ${[...new Set(wanted)].join(' or ')}, found ${found(issue.input)}`];
  }
  return [`${at}: expected ${expected(issue)}, found ${found(issue.input)}`];
}

/** More names are not told. */
const NAMES = 10;

/** The known name that was probably meant; else all of them, if they are few. */
function meant(key: string, names: readonly string[]): string {
  const close = nearest(key, names);
  if (close !== undefined) return ` (did you mean "${close}"?)`;
  return names.length > 0 && names.length <= NAMES ? ` (there are ${names.join(', ')})` : '';
}

/** The names that a schema has at a path; none where it has alternatives. */
function keysAt(schema: unknown, [step, ...rest]: readonly PropertyKey[]): string[] {
  const { def } = (schema as { _zod: { def: Definition } })._zod;
  if (def.innerType) return keysAt(def.innerType, step === undefined ? [] : [step, ...rest]);
  if (step === undefined) return Object.keys(def.shape ?? {});
  const inner = def.element ?? def.valueType ?? def.shape?.[String(step)];
  return inner === undefined ? [] : keysAt(inner, rest);
}

interface Definition {
  readonly innerType?: unknown;
  readonly element?: unknown;
  readonly valueType?: unknown;
  readonly shape?: { readonly [name: string]: unknown };
}

const depth = (issues: readonly Issue[]): number => Math.max(...issues.map((issue) => issue.path.length));

/** What the schema wanted, in words. */
function expected(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return /^[aeiou]/.test(issue.expected) ? `an ${issue.expected}` : `a ${issue.expected}`;
    case 'invalid_value':
      return issue.values.map((value) => JSON.stringify(value)).join(', ');
    case 'too_small':
      return issue.origin === 'number' ? `a number of at least ${issue.minimum}` : `at least ${issue.minimum} of them`;
    case 'too_big':
      return `at most ${issue.maximum}`;
    default:
      return issue.message;
  }
}

/** Short, in one line, and without what may be a secret: only its kind, but for words and numbers of a few characters. */
function found(input: unknown): string {
  if (input === undefined) return 'nothing';
  if (input === null || typeof input === 'boolean' || typeof input === 'number') return String(input);
  if (typeof input === 'string') return /^[\w .:/-]{1,40}$/.test(input) ? JSON.stringify(input) : 'a text';
  return Array.isArray(input) ? 'a list' : 'an object';
}

/** `models.anthropic["claude-x"].price.input` */
function pathOf(path: readonly PropertyKey[]): string {
  const text = path
    .map((step) =>
      typeof step === 'number'
        ? `[${step}]`
        : /^[\w-]+$/.test(String(step))
          ? `.${String(step)}`
          : `[${JSON.stringify(step)}]`,
    )
    .join('');
  return text.replace(/^\./, '') || 'the whole';
}
