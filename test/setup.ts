// Before the first test: the workers inherit what surroundings.sh leaves of the caller's environment, and a home of the run's own.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export default function setup(): () => void {
  const said = execFileSync('sh', ['-c', '. "$0"; umask; env -0', join(import.meta.dirname, 'surroundings.sh')], {
    env: { ...process.env, ENV: '' },
    encoding: 'utf8',
  });
  const [umask = '', ...rest] = said.split(/\n(.*)/s);
  const kept = new Map(
    (rest[0] ?? '')
      .split('\0')
      .filter(Boolean)
      .map((pair) => pair.split(/=(.*)/s) as [string, string]),
  );
  for (const name of Object.keys(process.env)) if (!kept.has(name)) delete process.env[name];
  const home = mkdtempSync(join(tmpdir(), 'home-'));
  Object.assign(process.env, Object.fromEntries(kept), { HOME: home, NODE_ENV: 'test' });
  process.umask(Number.parseInt(umask, 8));
  return () => rmSync(home, { recursive: true, force: true });
}
