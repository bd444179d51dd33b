// What a call would touch: the paths, the command, the host.
import { resolve } from 'node:path';
import type { CallRecord } from '../conversation/loop-records.ts';
import { isObject, type JsonObject } from '../json/values.ts';
import { type RuledPath, ruledPath } from './path-rule.ts';
import { kindOf } from './rule.ts';

/** The paths that a call of a file tool names, as they were written. undefined: it names none, or in a way that nobody knows. */
export function pathsNamed({ name, input }: CallRecord): readonly string[] | undefined {
  const kind = kindOf(name);
  if (!isObject(input)) return undefined;
  const named = [input.file_path, input.notebook_path, input.path].filter((path) => path !== undefined);
  const listed = [...filesIn(input.files), ...filesIn(isObject(input.args) ? input.args.file : undefined)];
  const all = [...named, ...listed];
  if (!all.every((path) => typeof path === 'string')) return undefined;
  if (kind !== 'search') return all.length > 0 ? all : undefined;
  const begin = all.length > 0 ? all : ['.'];
  return typeof input.pattern === 'string' && knowsGlob(name) ? begin.map((path) => below(path, input)) : begin;
}

const knowsGlob = (name: string): boolean => name === 'Glob';

/** A glob may lead out of its directory: what stands before its first wildcard counts. */
function below(path: string, { pattern }: JsonObject): string {
  const literal = String(pattern).split(/[*?[{(!]/)[0] ?? '';
  const directory = literal.slice(0, literal.lastIndexOf('/') + 1);
  return directory.startsWith('/') ? directory : `${path}/${directory}`;
}

/** `path` of each entry of a list, or of the one entry. */
function filesIn(files: unknown): unknown[] {
  if (files === undefined) return [];
  return (Array.isArray(files) ? files : [files]).map((file) => (isObject(file) ? file.path : file));
}

/** The paths of a call with where they lead. undefined: nobody can say. */
export function pathsOf(call: CallRecord, cwd: string): readonly RuledPath[] | undefined {
  const tree = kindOf(call.name) === 'search';
  const paths = pathsNamed(call)?.map((path) => ruledPath(path, cwd, resolve(cwd, path), tree));
  return paths?.every((path) => path !== undefined) ? paths : undefined;
}

/** The host that a call wants to read from, in lower case, without the dot at the end; undefined if it is no address of the web. */
export function hostOf({ input }: CallRecord): string | undefined {
  if (!isObject(input) || typeof input.url !== 'string') return undefined;
  try {
    const url = new URL(input.url);
    return /^https?:$/.test(url.protocol) ? url.hostname.replace(/\.$/, '') : undefined;
  } catch {
    return undefined;
  }
}
