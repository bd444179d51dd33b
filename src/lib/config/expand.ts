// `${VAR}`, `${VAR:-default}` and `$(command)` in the texts of a configuration file. `$$` is a dollar.
import { EXIT, Failure } from '../failure/failure.ts';
import { isObject } from '../json/values.ts';
import { outputOf, type WordSplitter } from './command.ts';
import type { Env, Trust } from './places.ts';

export interface Expansion {
  readonly env: Env;
  readonly trust: Trust;
  readonly file: string;
  readonly words?: WordSplitter;
}

/** What a variable is called that may hold a secret. A file that may be a project's may not use one: it could send it anywhere. */
const SECRET = /KEY|TOKEN|SECRET|PASS|CREDENTIAL|AUTH|_PAT$/i;

const MARK = /\$[${(]/g;

/** Defaults within defaults go so deep. */
const DEEPEST = 20;

/** Whether anything in a text has to be expanded, and whether by a command. */
export const hasMarks = (text: string): boolean => /\$[${(]/.test(text);
export const hasCommand = (text: string): boolean => /(?<!\$)(?:\$\$)*\$\(/.test(text);

/** A text with its marks replaced. Throws a Failure (78) for a variable that is not set and has no default, and for what the file may not do. */
export function expand(text: string, path: string, expansion: Expansion, depth = 0): string {
  if (!hasMarks(text)) return text;
  const parts: string[] = [];
  let at = 0;
  for (;;) {
    MARK.lastIndex = at;
    const mark = MARK.exec(text);
    if (mark === null) return parts.join('') + text.slice(at);
    parts.push(text.slice(at, mark.index));
    at = mark.index + 2;
    if (mark[0] === '$$') {
      parts.push('$');
      continue;
    }
    const end = mark[0] === '$(' ? closing(text, at, '(', ')') : closing(text, at, '{', '}');
    if (end < 0) throw wrong(path, `${mark[0]} without its end`, expansion);
    const content = text.slice(at, end);
    parts.push(mark[0] === '$(' ? command(content, path, expansion) : variable(content, path, expansion, depth));
    at = end + 1;
  }
}

/** The bracket that ends what begins before `from`; those within it come in pairs. */
function closing(text: string, from: number, opens: string, closes: string): number {
  let open = 1;
  for (let i = from; i < text.length; i++) {
    if (text[i] === opens) open += 1;
    else if (text[i] === closes && --open === 0) return i;
  }
  return -1;
}

function variable(content: string, path: string, expansion: Expansion, depth: number): string {
  const { env, trust } = expansion;
  const [, name, otherwise] = /^(\w+)(?::-(.*))?$/s.exec(content) ?? [];
  if (name === undefined || depth > DEEPEST)
    throw wrong(path, `\${…} that is neither \${NAME} nor \${NAME:-default}`, expansion);
  if (trust !== 'user' && SECRET.test(name))
    throw wrong(path, `\${${name}}, which may be a secret; only the user's own files may use it`, expansion);
  if (env[name]) return String(env[name]);
  if (otherwise === undefined)
    throw wrong(path, `\${${name}}, which is not set`, expansion, `set it, or write \${${name}:-default}`);
  return expand(otherwise, path, expansion, depth + 1);
}

function command(text: string, path: string, expansion: Expansion): string {
  const { trust, words, env, file } = expansion;
  if (trust !== 'user') throw wrong(path, "$(…); only the user's own files may name commands", expansion);
  if (words === undefined) throw wrong(path, '$(…) where no command can be run', expansion);
  return outputOf(text, words, env, `${file}: ${path}`);
}

function wrong(path: string, what: string, { file }: Expansion, hint?: string): Failure {
  return new Failure(EXIT.config, `${path}: cannot use ${what}`, { place: file, hint });
}

/** Expands every text of a value but those whose path `keep` names. */
export function expandAll(
  value: unknown,
  expansion: Expansion,
  keep: (path: readonly string[]) => boolean,
  path: readonly string[] = [],
): unknown {
  if (typeof value === 'string') return keep(path) ? value : expand(value, path.join('.'), expansion);
  if (Array.isArray(value)) return value.map((item, i) => expandAll(item, expansion, keep, [...path, String(i)]));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, expandAll(inner, expansion, keep, [...path, key])]),
  );
}
