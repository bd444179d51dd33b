// Modules that are loaded when they are first needed, without waiting: a filter reads and writes blocking.
import type { jsonrepair } from './json-repair.ts';
import type { parse } from './yaml-parse.ts';

interface Late {
  readonly 'json-repair': { readonly jsonrepair: typeof jsonrepair };
  readonly 'yaml-parse': { readonly parse: typeof parse };
}

/** The module of this folder by that name. It is an entry point of the build (scripts/build.ts). */
export function late<Name extends keyof Late>(name: Name): Late[Name] {
  const { createRequire } = process.getBuiltinModule('node:module');
  const suffix = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return createRequire(import.meta.url)(`./${name}.${suffix}`);
}
