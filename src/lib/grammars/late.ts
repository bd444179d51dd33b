// The libraries behind the grammars, loaded when the first text needs them.
import { loadLate } from '../ir/late.ts';
import type { jsonrepair } from './json-repair.ts';
import type { parse } from './yaml-parse.ts';

interface Late {
  readonly 'json-repair': { readonly jsonrepair: typeof jsonrepair };
  readonly 'yaml-parse': { readonly parse: typeof parse };
}

const loaded = new Map<keyof Late, unknown>();

export function late<Name extends keyof Late>(name: Name): Late[Name] {
  const found = loaded.get(name) ?? loadLate(import.meta.url, name);
  loaded.set(name, found);
  return found as Late[Name];
}
