// Modules that are loaded when they are first needed, without waiting: a filter reads and writes blocking.

/**
 * The module `name` beside the one at `url` (its import.meta.url). In the bundle every module lies in one folder, so it is an entry point of
 * its own there (scripts/build.ts).
 */
export function loadLate(url: string, name: string): unknown {
  const { createRequire } = process.getBuiltinModule('node:module');
  const bundled = !url.endsWith('.ts');
  return createRequire(url)(bundled ? `./${name.replace(/^.*\//, '')}.cjs` : `./${name.replace(/^(?!\.)/, './')}.ts`);
}
