// Completion for shells, rendered from the same table of options.
import { type Filter, type Option, optionsOf } from '../filter.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof SHELLS)[number];

export function renderCompletion(filter: Filter, shell: Shell): string {
  return { bash, zsh, fish }[shell](filter, Object.entries(optionsOf(filter)));
}

type Rows = [string, Option][];

function bash({ name }: Filter, rows: Rows): string {
  const words = rows.flatMap(([option, { short }]) => [`--${option}`, ...(short ? [`-${short}`] : [])]).join(' ');
  const cases = rows
    .filter(([, { choices }]) => choices)
    .map(
      ([option, { choices }]) =>
        `    --${option}) COMPREPLY=($(compgen -W '${choices?.join(' ')}' -- "$word")); return ;;`,
    );
  const fn = `_${name.replaceAll('-', '_')}`;
  return `${fn}() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]}
  case $before in
${cases.join('\n')}
  esac
  if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '${words}' -- "$word")); else COMPREPLY=($(compgen -f -- "$word")); fi
}
complete -o filenames -F ${fn} ${name}
`;
}

function zsh({ name }: Filter, rows: Rows): string {
  const specs = rows.map(([option, { type, short, summary, arg, choices }]) => {
    const said = summary.replaceAll('[', '(').replaceAll(']', ')').replaceAll(':', '\\:').replaceAll("'", "'\\''");
    const value = type === 'boolean' ? '' : `:${arg}:${choices ? `(${choices.join(' ')})` : '_files'}`;
    const equals = type === 'boolean' ? '' : type === 'optional' ? '=-' : '=';
    const spelled = short ? `'(-${short} --${option})'{-${short},--${option}${equals}}` : `--${option}${equals}`;
    return `  ${short ? spelled : `'${spelled}`}${short ? "'" : ''}[${said}]${value}'`;
  });
  return `#compdef ${name}\n_arguments -s \\\n${specs.join(' \\\n')} \\\n  '*:file:_files'\n`;
}

function fish({ name }: Filter, rows: Rows): string {
  return rows
    .map(([option, { type, short, summary, choices }]) => {
      const value = type === 'boolean' || type === 'optional' ? '' : choices ? ` -xa '${choices.join(' ')}'` : ' -r';
      return `complete -c ${name}${short ? ` -s ${short}` : ''} -l ${option}${value} -d '${summary.replaceAll("'", "\\'")}'\n`;
    })
    .join('');
}
