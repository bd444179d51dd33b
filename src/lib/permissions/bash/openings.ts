// Options with which a program that looks harmless runs another one, or writes where it was told to read. The manuals of each name them.

const OPENS = new Map<string, readonly RegExp[]>([
  [
    'git',
    [
      /^(-c|--config-env|--exec-path|--upload-pack|--receive-pack|-O|--open-files-in-pager|--ext-diff|--output|-x|--exec|--extcmd)(=|$|[^-=])/,
      /^(foreach|run|filter-branch|filter-repo|instaweb|daemon)$/,
      // Settings that name a program: https://git-scm.com/docs/git-config
      /^(alias|include|includeif|filter|difftool|mergetool|guitool|pager|remote-ext)\./i,
      /^core\.(pager|editor|sshcommand|hookspath|fsmonitor|askpass|gitproxy|alternaterefscommand)(=|$)/i,
      /^(diff|merge|credential|gpg|sequence|uploadpack|receive|trailer|interactive|web|man|browser|sendemail|submodule|remote|protocol)\..*(external|command|textconv|driver|helper|program|editor|hook|cmd|difffilter|path|update|pack|vcs|allow|key|proc|server)(=|$)/i,
    ],
  ],
  ['rg', [/^--(pre|hostname-bin)(=|$)/]],
  [
    'tar',
    [
      /^(-I|-F|--(checkpoint-action|to-command|use-compress-program|info-script|new-volume-script|rmt-command|rsh-command))/,
    ],
  ],
  ['sort', [/^(-o|--output|--compress-program)/]],
  ['man', [/^(-P|-H|--pager|--html)/]],
  ['rsync', [/^(-e|--rsh|--rsync-path)/]],
  ['zip', [/^(-TT|--unzip-command)/]],
  ['printf', [/^-v/]],
  ['go', [/^-(exec|toolexec|vettool)(=|$)/]],
  ['awk', [/^(-f|-i|-l|--(file|include|load))/]],
  ['sed', [/^(-i|--in-place)/]],
]);

/** The first word that makes a wildcard too wide for it; undefined if there is none. */
export function opening(argv: readonly (string | undefined)[]): string | undefined {
  const patterns = OPENS.get(argv[0] ?? '');
  return argv.slice(1).find((word) => word !== undefined && patterns?.some((pattern) => pattern.test(word)));
}
