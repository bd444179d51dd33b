// Another program of the suite, run on records: as a pipe would run it.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Context } from '../../lib/cli/filter.ts';
import { EXIT, Failure } from '../../lib/failure/failure.ts';

/** What it writes. Throws a Failure with its own status and words if it fails. */
export async function child(name: string, argv: readonly string[], input: string, context: Context): Promise<string> {
  const { spawn } = process.getBuiltinModule('node:child_process');
  const started = spawn(process.execPath, [entry(), name, ...argv], {
    cwd: context.cwd,
    env: context.env as NodeJS.ProcessEnv,
    stdio: 'pipe',
    signal: context.signal,
  });
  const [out, err]: [Uint8Array[], Uint8Array[]] = [[], []];
  started.stdout.on('data', (chunk) => out.push(chunk));
  started.stderr.on('data', (chunk) => err.push(chunk));
  started.stdin.on('error', () => {});
  started.stdin.end(input);
  const status = await new Promise<number | null>((done, fail) => {
    started.on('error', fail);
    started.on('close', done);
  });
  if (status === 0) return Buffer.concat(out).toString('utf8');
  const said = Buffer.concat(err).toString('utf8').trim().split('\n').at(-1) ?? '';
  throw new Failure(status ?? EXIT.interrupted, said || `${name} ended with status ${status}`);
}

/** The built programs' entry, or the sources' one. */
function entry(): string {
  const built = fileURLToPath(new URL('./start.cjs', import.meta.url));
  return existsSync(built) ? built : fileURLToPath(new URL('../../start.ts', import.meta.url));
}
