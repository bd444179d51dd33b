// `--help`, rendered from a program's description.
import { type Filter, type Option, optionsOf } from '../filter.ts';

const WIDTH = 80;

/** Statuses that mean the same in every program; a program's own come on top. */
const STATUSES: { readonly [status: number]: string } = {
  0: 'done',
  64: 'the command line is invalid',
  65: 'a line of the input is invalid',
  74: 'a file cannot be read or written',
};

export function renderHelp(filter: Filter): string {
  const options = Object.entries(optionsOf(filter)).map(
    ([name, option]) => [flags(name, option), optionText(option)] as const,
  );
  const sections = [
    usage(filter),
    `${filter.name}: ${filter.summary}`,
    ...filter.description
      .trim()
      .split(/\n\s*\n/)
      .map((paragraph) => wrap(paragraph.trim().replace(/\s+/g, ' '), 0)),
    `Options:\n${table(options)}`,
    `Exit status:\n${table(statuses(filter))}`,
    ...(filter.examples.length > 0
      ? [`Examples:\n${filter.examples.map((e) => `  ${e.command}\n      ${e.title}`).join('\n')}`]
      : []),
    ...(filter.see ? [`See also: ${filter.see.join(', ')}`] : []),
  ];
  return `${sections.join('\n\n')}\n`;
}

/** Exit statuses and what they mean: those of every program, and its own. */
export function statuses(filter: Filter): [string, string][] {
  return Object.entries({ ...STATUSES, ...filter.exits });
}

export function usage(filter: Filter): string {
  return ['Usage:', filter.name, '[OPTION]...', ...(filter.operands ?? []), filter.more ?? '[FILE]...'].join(' ');
}

/** `-n, --new` or `--budget TOKENS`. */
export function flags(name: string, option: Option): string {
  const value = option.type === 'boolean' ? '' : option.type === 'optional' ? `[=${option.arg}]` : ` ${option.arg}`;
  return `${option.short ? `-${option.short}, ` : ''}--${name}${value}`;
}

export function optionText(option: Option): string {
  const notes = [
    ...(option.choices ? [option.choices.join(', ')] : []),
    ...(option.default !== undefined && option.default !== false ? [`default: ${option.default}`] : []),
    ...(option.type === 'list' ? ['may be repeated'] : []),
  ];
  return notes.length > 0 ? `${option.summary} (${notes.join('; ')})` : option.summary;
}

/** Two columns; a left cell that is too wide stands on a line of its own. */
function table(rows: readonly (readonly [string, string])[]): string {
  const left = Math.min(26, Math.max(...rows.map(([cell]) => cell.length)) + 4);
  const line = ([cell, text]: readonly [string, string]) => {
    const body = wrap(text, left);
    return cell.length + 4 > left ? `  ${cell}\n${' '.repeat(left)}${body}` : `  ${cell.padEnd(left - 2)}${body}`;
  };
  return rows.map(line).join('\n');
}

function wrap(text: string, indent: number): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > WIDTH - indent) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join(`\n${' '.repeat(indent)}`);
}
