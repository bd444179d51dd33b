// Which words of a git command let it run another program, or write where it was told to read. https://git-scm.com/docs
import type { ShellWord } from './words.ts';

/** Options before the subcommand that only say how it shows things. */
const GLOBAL = new Set(
  '--no-pager -P --no-optional-locks --literal-pathspecs --glob-pathspecs --version -v'.split(' '),
);
const GLOBAL_VALUED = new Set('-C -c --git-dir --work-tree --namespace --config-env --attr-source'.split(' '));

const DIFF = '- output ext-diff';

/**
 * By subcommand: the letters and the long names, which git takes abbreviated, of what runs a program or writes a file. Those that are not here
 * (aliases, and those that only run programs) are not known.
 */
const SUBCOMMANDS = new Map(
  [
    ...words(
      `status branch tag add commit checkout switch restore reset mv rm clean rev-parse ls-files ls-tree describe cat-file reflog worktree
      remote notes merge-base for-each-ref show-ref symbolic-ref name-rev count-objects fsck gc prune check-ignore check-attr cherry update-index
      verify-commit verify-tag sparse-checkout version show-branch update-ref hash-object submodule bisect bundle config am blame annotate rev-list`,
    ).map((name) => [name, '-']),
    ...words('log diff show shortlog whatchanged stash range-diff diff-tree diff-index diff-files').map((name) => [
      name,
      DIFF,
    ]),
    ['format-patch', '-o output ext-diff output-directory'],
    ['clone', '-uc upload-pack config template separate-git-dir'],
    ['init', '- template separate-git-dir'],
    ['fetch', '- upload-pack'],
    ['pull', '-s upload-pack strategy'],
    ['ls-remote', '- upload-pack exec'],
    ['push', '- receive-pack exec'],
    ['grep', '-O open-files-in-pager'],
    ['rebase', '-xs exec strategy'],
    ['merge', '-s strategy'],
    ['cherry-pick', '- strategy'],
    ['revert', '- strategy'],
    ['archive', '-o output exec remote'],
    ['apply', '- build-fake-ancestor unsafe-paths directory'],
  ].map(([name = '', line = '']) => {
    const [letters = '', ...longs] = line.split(' ');
    return [name, { letters: letters.slice(1), longs }] as const;
  }),
);

/** Subcommands of these that run what they are given, or write it into a file. */
const SECOND = new Map([
  ['submodule', /^(foreach|add|set-url)$/],
  ['bisect', /^(run|visualize|view)$/],
  ['bundle', /^create$/],
]);

/** The helper of a remote is a program: `ext::sh -c …`. */
const HELPER = /^(\w+:)?\w+::/;

function words(text: string): string[] {
  return text.split(/\s+/);
}

/** The places of the words that a wildcard does not take in. */
export function* gitOpenings(argv: readonly ShellWord[]): Generator<number> {
  let at = 1;
  for (; at < argv.length; at++) {
    const { value = '', operand = false } = argv[at] ?? {};
    if (operand && !argv[at]?.glob) break;
    if (!GLOBAL.has(value)) yield at;
    if (GLOBAL_VALUED.has(value)) at += 1;
  }
  const name = argv[at]?.value;
  if (at >= argv.length) return;
  const known = name === undefined ? undefined : SUBCOMMANDS.get(name);
  if (name === undefined || known === undefined) return yield at;
  if (name === 'config' && !readsConfig(argv.slice(at + 1))) yield argv.length - 1;
  const second = argv.findIndex(({ value }, i) => i > at && SECOND.get(name)?.test(value ?? ''));
  if (second > 0) yield second;
  yield* options(argv, at + 1, known);
}

interface Known {
  readonly letters: string;
  readonly longs: readonly string[];
}

function* options(argv: readonly ShellWord[], from: number, { letters, longs }: Known): Generator<number> {
  const risky = letters !== '' || longs.length > 0;
  for (let at = from; at < argv.length; at++) {
    const { value, operand, glob } = argv[at] ?? { value: undefined, operand: false, glob: false };
    if (value !== undefined && HELPER.test(value)) yield at;
    if (operand || (value === '-' && !glob)) continue;
    if (value === undefined || glob) {
      if (risky) yield at;
    } else if (value === '--' || value === '--end-of-options') return;
    else if (value.startsWith('--')) {
      const [name = ''] = value.slice(2).split('=', 1);
      if (name !== '' && longs.some((long) => long.startsWith(name))) yield at;
    } else if ([...value.slice(1)].some((letter) => letters.includes(letter))) yield at;
  }
}

/** `git config KEY`, and the options that read. A name and an address of one's own may be set. */
function readsConfig(argv: readonly ShellWord[]): boolean {
  const values = argv.map(({ value, single }) => (single ? value : undefined));
  if (values.includes(undefined)) return false;
  const options = values.filter((value) => value?.startsWith('-'));
  const operands = values.filter((value) => !value?.startsWith('-'));
  const [first = ''] = operands;
  if (!options.every((option) => READS.has(option ?? ''))) return false;
  if (first === 'get' || first === 'list') return operands.length <= 2;
  if (first === 'set' || first === 'unset' || first === 'edit') return false;
  return operands.length <= 1 || (/^user\.(name|email)$/.test(first) && operands.length === 2);
}

const READS = new Set(
  '--get --get-all --get-regexp --list -l --show-origin --show-scope --global --local --system --worktree --name-only --type=bool --type=int --bool --int -z --null --all --value'.split(
    ' ',
  ),
);
