// Programs that run another program, which their arguments name.

interface Runner {
  /** Options that take a value of their own, and options that take none. */
  readonly valued?: string;
  readonly plain?: string;
  /** Operands before the command. */
  readonly skip?: number;
  /** `NAME=value` may stand before the command. */
  readonly assigns?: true;
  /** The command may be judged in its place: nothing else changes. */
  readonly harmless?: true;
  /** The command gets more arguments when it runs. */
  readonly appends?: true;
  /** The words are joined to a script. */
  readonly joins?: true;
  /** What these options are given is a script. */
  readonly script?: string;
}

const SHELL: Runner = {
  script: '-c',
  plain: '-e -u -x -v -i -l -s --login --norc --noprofile --posix',
  valued: '-o -O',
};

/** By name. The options are those of the GNU and util-linux manuals, bash's own, and OpenSSH's. */
const RUNNERS = new Map<string, Runner>([
  [
    'timeout',
    { valued: '-s -k --signal --kill-after', plain: '-v --preserve-status --foreground', skip: 1, harmless: true },
  ],
  ['nice', { valued: '-n --adjustment', harmless: true }],
  ['nohup', { harmless: true }],
  ['time', { plain: '-p -v', harmless: true }],
  ['stdbuf', { valued: '-i -o -e --input --output --error', harmless: true }],
  ['command', { plain: '-p', harmless: true }],
  ['builtin', { harmless: true }],
  ['exec', { valued: '-a', plain: '-c -l' }],
  [
    'env',
    {
      valued: '-u -C --unset --chdir',
      plain: '-i -0 -v - --ignore-environment --null --debug',
      assigns: true,
      script: '-S --split-string',
    },
  ],
  ['setsid', { plain: '-c -f -w' }],
  ['ionice', { valued: '-c -n -p --class --classdata', plain: '-t' }],
  ['chrt', { plain: '-b -f -i -o -r', skip: 1 }],
  ['taskset', { plain: '-a -c --all-tasks --cpu-list', skip: 1 }],
  ['watch', { valued: '-n --interval', plain: '-d -t -b -e -g -c', joins: true }],
  ['flock', { valued: '-w -E --timeout', plain: '-n -x -s -u -e -o -F', skip: 1, script: '-c --command' }],
  [
    'xargs',
    {
      valued: '-I -n -P -L -s -d -E -a --max-args --max-procs --max-lines --delimiter',
      plain: '-0 -r -t -p -x',
      appends: true,
    },
  ],
  ['sudo', { valued: '-u -g -h -p -C -T -r -t -D -R --user --group', plain: '-n -E -H -S -k -b -A', assigns: true }],
  ['doas', { valued: '-u -C', plain: '-n' }],
  ['chroot', { skip: 1 }],
  [
    'ssh',
    {
      valued: '-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w',
      plain: '-T -t -q -A -n -N -v',
      skip: 1,
      joins: true,
    },
  ],
  ['su', { plain: '-', valued: '-s -g', skip: 1, script: '-c --command' }],
  ['script', { plain: '-q -e -f -a', script: '-c --command', skip: 1 }],
  ['sh', SHELL],
  ['bash', SHELL],
  ['dash', SHELL],
  ['zsh', SHELL],
  ['ksh', SHELL],
  ['ash', SHELL],
  ['fish', { script: '-c --command', plain: '-l -i' }],
]);

/** Those whose arguments are only looked through: what runs may be any of them. */
const OTHERS = new Set(
  `eval parallel busybox toybox runuser pkexec unshare nsenter strace ltrace firejail bwrap fakeroot proot valgrind perf hyperfine systemd-run setarch linux32 linux64
  i386 x86_64 uname26 prlimit numactl chpst softlimit cgexec eatmydata faketime torsocks torify proxychains proxychains4 dbus-launch runcon sg
  setpriv systemd-inhibit unbuffer rlwrap rr cpulimit unshare timelimit ssh-agent
  dbus-run-session xvfb-run expect at batch trap alias coproc npx pnpx bunx uvx`.split(/\s+/),
);

/** The subcommands with which a package manager runs a program. People allow these as a whole. */
const MANAGERS = new Map(
  `npm:exec,x pnpm:exec,dlx yarn:exec,dlx bun:x uv:run poetry:run pipenv:run direnv:exec devbox:run mise:exec,x asdf:exec conda:run
  nix:run,shell,develop`
    .split(/\s+/)
    .map((line) => [line.split(':')[0] ?? '', new Set(line.split(':')[1]?.split(','))] as const),
);

const ALLOWED_WHOLE = new Set('npx pnpx bunx uvx'.split(' '));

type Argv = readonly (string | undefined)[];

/** What a runner runs: the command or the script at a place of its arguments, nothing, or nobody knows. */
type Inner =
  | {
      readonly at: number;
      readonly script: boolean;
      readonly harmless: boolean;
      readonly appends: boolean;
      readonly joins: boolean;
      /** Every option before it is known, so that it can be nowhere else. */
      readonly certain: boolean;
    }
  | 'nothing'
  | 'unknown';

/** Where in the arguments stands what is run. */
export function innerOf(argv: Argv): Inner {
  const [name = ''] = argv;
  if (name === 'find') return innerOfFind(argv);
  if (isFd(name)) return argv.some((word) => word === undefined || RUNS_IN_FD.test(word)) ? 'unknown' : 'nothing';
  const runner = RUNNERS.get(name);
  if (runner) return innerOfRunner(runner, argv);
  return OTHERS.has(name) && !ALLOWED_WHOLE.has(name) ? 'unknown' : 'nothing';
}

function innerOfRunner(runner: Runner, argv: Argv): Inner {
  let skip = runner.skip ?? 0;
  let certain = true;
  for (let at = 1; at < argv.length; at++) {
    const word = argv[at];
    if (word === undefined) return 'unknown';
    const option = optionIn(runner, word);
    if (option === 'attached') return 'unknown';
    if (option === 'script')
      return { at: at + 1, script: true, harmless: false, appends: false, joins: false, certain };
    if (option === 'valued') at += 1;
    else if (option === 'unknown') certain = false;
    else if (option === 'operand') {
      if (runner.assigns && /^\w+=/.test(word)) return 'unknown';
      if (skip > 0) skip -= 1;
      else {
        const { harmless = false, appends = false, joins = false } = runner;
        return { at, script: false, harmless, appends, joins, certain };
      }
    }
  }
  return certain ? 'nothing' : 'unknown';
}

type OptionKind = 'operand' | 'script' | 'attached' | 'valued' | 'plain' | 'unknown';

function optionIn({ valued = '', plain = '', script = '' }: Runner, word: string): OptionKind {
  const lists = { valued: valued.split(' '), plain: plain.split(' '), script: script.split(' ') };
  if (lists.plain.includes(word) || word === '--') return 'plain';
  if (!word.startsWith('-') || word === '-') return 'operand';
  if (lists.script.includes(word) || (lists.script.includes('-c') && /^-[a-z]+c$/.test(word))) return 'script';
  if (lists.script.some((flag) => isAttached(flag, word))) return 'attached';
  if (lists.valued.includes(word)) return 'valued';
  if (/^-\d+$/.test(word)) return 'plain';
  return lists.valued.some((flag) => isAttached(flag, word)) ? 'plain' : 'unknown';
}

/** `-oVALUE`, `--option=VALUE`. */
const isAttached = (flag: string, word: string): boolean =>
  flag !== '' && word.length > flag.length && word.startsWith(flag.startsWith('--') ? `${flag}=` : flag);

/** What words of a runner or a manager may be a script: those with more than one word in them, and what is attached to an option. */
export function scriptsOf(argv: Argv): string[] {
  const words = argv.slice(1).filter((word) => word !== undefined);
  const attached = words.flatMap((word) => /^(?:--[\w-]+=|-[a-zA-Z])(.+)$/s.exec(word)?.[1] ?? []);
  return [...words.filter((word) => /[\s;&|`$(]/.test(word)), ...attached];
}

const RUNS_IN_FIND = /^(-exec|-execdir|-ok|-okdir)$/;
/** Also at the end of a cluster, and with the program attached. */
const RUNS_IN_FD = /^(-[a-zA-Z0-9]*[xX].*|--exec.*)$/;
const isFd = (name: string): boolean => name === 'fd' || name === 'fdfind';
const ACTS_IN_FIND = /^-(exec|execdir|ok|okdir|delete|fprint.*|fls)$/;

/** What one action runs; of several, or of one that writes or deletes, nothing is vouched for. */
function innerOfFind(argv: Argv): Inner {
  if (argv.includes(undefined)) return 'unknown';
  const acts = argv.flatMap((word, at) => (ACTS_IN_FIND.test(word ?? '') ? [at] : []));
  const [at] = acts;
  if (at === undefined) return 'nothing';
  if (acts.length > 1 || !/^-(exec|ok)/.test(argv[at] ?? '')) return 'unknown';
  return { at: at + 1, script: false, harmless: false, joins: false, appends: true, certain: true };
}

/** Where a package manager is told to run a program. */
export function managerAt(argv: Argv): number | undefined {
  const subcommands = MANAGERS.get(argv[0] ?? '');
  const at = argv.findIndex((word, i) => i > 0 && word !== undefined && subcommands?.has(word));
  return at > 0 ? at : undefined;
}

/** The places of a command's arguments where another command may begin. All of them where options are not known. */
export function beginnings(argv: Argv): number[] {
  const [name = ''] = argv;
  const all = argv.map((_, at) => at).slice(1);
  if (name === 'find') return all.filter((at) => RUNS_IN_FIND.test(argv[at - 1] ?? ''));
  if (isFd(name)) return all.filter((at) => RUNS_IN_FD.test(argv[at - 1] ?? ''));
  const subcommands = MANAGERS.get(name);
  if (subcommands) {
    const at = argv.findIndex((word) => word !== undefined && subcommands.has(word));
    return at < 0 ? [] : all.slice(at);
  }
  if (name === 'command' && (argv.includes('-v') || argv.includes('-V'))) return [];
  const runner = RUNNERS.get(name);
  if (runner === undefined) return OTHERS.has(name) ? all : [];
  const inner = innerOfRunner(runner, argv);
  if (inner === 'nothing') return [];
  return typeof inner === 'object' && inner.certain ? [inner.at] : all;
}

/** Whether a program may run another that its arguments name. */
export const isRunner = (name: string): boolean =>
  RUNNERS.has(name) || OTHERS.has(name) || MANAGERS.has(name) || name === 'find' || isFd(name);

/** A runner whose arguments, if they are not known, may name any program. */
export const mayRunAnything = (name: string): boolean => RUNNERS.has(name) || OTHERS.has(name) || isFd(name);

/** A shell that takes its script from standard input. */
export function readsScript(argv: Argv): boolean {
  return RUNNERS.get(argv[0] ?? '') === SHELL && (typeof innerOf(argv) === 'string' || argv.includes('-s'));
}
