// Options with which a program that looks harmless runs another one, or writes where it was told to read. The manuals of each name them.

const OPENS = new Map<string, RegExp>([
  [
    'git',
    /^(-c|--config-env|--exec-path|--upload-pack|--receive-pack|-O|--open-files-in-pager|--ext-diff|--output)(=|$|[^-=])/,
  ],
  ['rg', /^--(pre|hostname-bin)(=|$)/],
  [
    'tar',
    /^(-I|-F|--(checkpoint-action|to-command|use-compress-program|info-script|new-volume-script|rmt-command|rsh-command))/,
  ],
  ['sort', /^(-o|--output|--compress-program)/],
  ['man', /^(-P|-H|--pager|--html)/],
  ['rsync', /^(-e|--rsh|--rsync-path)/],
  ['zip', /^(-TT|--unzip-command)/],
  ['printf', /^-v/],
  ['go', /^-(exec|toolexec|vettool)(=|$)/],
  ['awk', /^(-f|-i|-l|--(file|include|load))/],
  ['sed', /^(-i|--in-place)/],
]);

/** The first word that makes a wildcard too wide for it; undefined if there is none. */
export function opening(argv: readonly (string | undefined)[]): string | undefined {
  const pattern = OPENS.get(argv[0] ?? '');
  return pattern && argv.slice(1).find((word) => word !== undefined && pattern.test(word));
}
