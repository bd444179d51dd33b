// Runs automations: one watcher for files, times and git's events. Each run gets its event as JSON on standard input; what has run is written as JSON
// lines. An automation runs once at a time: what happens meanwhile is one event more.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, relative, resolve } from 'node:path';
import { watch } from 'chokidar';
import { Cron } from 'croner';
import { Runs } from './automations/runs.ts';
import { type Automation, readAutomations } from './automations/settings.ts';

const [file = '', check] = process.argv.slice(2).sort((a) => (a === '--check' ? 1 : -1));
const cwd = dirname(resolve(file));

/** Something that can be stopped. */
type Stop = () => unknown;

/** A burst of changes is one event: an editor writes a file in several steps, a checkout many files. */
const QUIET = 200;

function onFiles({ files }: Automation, runs: Runs): Stop {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch(cwd, {
    cwd,
    ignoreInitial: true,
    // The directories in between are looked into, unless nobody means them.
    ignored: (path) => /(^|\/)(\.git|node_modules)(\/|$)/.test(relative(cwd, resolve(cwd, path))),
  });
  watcher.on('all', (kind, path) => {
    if (kind.endsWith('Dir') || !files?.matches(path)) return;
    changed.add(path);
    clearTimeout(timer);
    timer = setTimeout(() => {
      runs.happened({ on: 'files', paths: [...changed].sort() });
      changed.clear();
    }, QUIET);
  });
  watcher.on('ready', () => runs.ready());
  return () => watcher.close();
}

function onTime({ cron, timezone }: Automation, runs: Runs): Stop {
  const job = new Cron(cron ?? '', { ...(timezone && { timezone }) }, () => runs.happened({ on: 'cron' }));
  runs.ready();
  return () => job.stop();
}

/** Git writes a line into the log of HEAD for whatever moves it: `old new who when\tcommit (amend): subject`. */
function onGit({ git }: Automation, runs: Runs): Stop {
  const log = resolve(
    cwd,
    execFileSync('git', ['rev-parse', '--git-path', 'logs/HEAD'], { cwd, encoding: 'utf8' }).trim(),
  );
  const read = () => (existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : []);
  let known = read().length;
  const watcher = watch(dirname(log), { ignoreInitial: true, depth: 0 });
  watcher.on('all', (_, path) => {
    if (basename(path) !== 'HEAD') return;
    const lines = read();
    for (const line of lines.slice(known)) {
      const [, before, after, action] = /^(\S+) (\S+) .*\t(\w[\w-]*)/.exec(line) ?? [];
      if (action !== undefined && git?.includes(action)) runs.happened({ on: 'git', action, before, after });
    }
    known = lines.length;
  });
  watcher.on('ready', () => runs.ready());
  return () => watcher.close();
}

const automations = await readAutomations(file, cwd).catch((error: Error & { place?: string }) => {
  console.error(`watch: ${error.place ?? file}: ${error.message}`);
  process.exit(78);
});
if (check === undefined) {
  const stop = new AbortController();
  for (const { name } of automations.filter(({ enabled }) => !enabled))
    console.log(JSON.stringify({ type: 'disabled', automation: name }));
  const enabled = automations.filter((automation) => automation.enabled);
  const stops = enabled.map((automation) => {
    const runs = new Runs(automation, cwd, stop.signal);
    return automation.files
      ? onFiles(automation, runs)
      : automation.git
        ? onGit(automation, runs)
        : onTime(automation, runs);
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, async () => {
      stop.abort();
      await Promise.all(stops.map((each) => each()));
    });
}
