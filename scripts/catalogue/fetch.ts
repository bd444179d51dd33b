// Packs a package from the registry, checks that it is the one that was looked at, and unpacks it.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execaSync } from 'execa';

export interface Source {
  readonly package: string;
  readonly version: string;
  readonly date: string;
  readonly licence: string;
  readonly integrity: string;
}

/** The directory of the unpacked package under `dir`. Throws if the tarball's hash is not the pinned one. */
export function fetchPackage({ package: name, version, integrity }: Source, dir: string): string {
  const run = (command: string, ...argv: string[]) => execaSync(command, argv, { cwd: dir }).stdout;
  const tarball = join(dir, run('npm', 'pack', '--silent', `${name}@${version}`));
  const hash = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
  if (hash !== integrity) throw new Error(`${name}@${version}: the tarball's hash is ${hash}, not ${integrity}`);
  const target = join(dir, name.replace('/', '-'));
  mkdirSync(target);
  run('tar', 'xzf', tarball, '-C', target, '--strip-components=1');
  return target;
}
