// The manual page, in man(7) macros, rendered from a program's description.
import { type Filter, optionsOf } from '../filter.ts';
import { flags, optionText, statuses, usage } from './help.ts';

export function renderMan(filter: Filter, version: string): string {
  const options = Object.entries(optionsOf(filter)).map(([name, option]) =>
    item(flags(name, option), optionText(option)),
  );
  const examples = filter.examples.map(
    ({ title, command }) => `.PP\n${text(title)}:\n.PP\n.EX\n    ${text(command)}\n.EE`,
  );
  return [
    `.TH ${filter.name.toUpperCase()} 1 "" "ai-coreutils ${version}" "User Commands"`,
    `.ad l\n.SH NAME\n${text(filter.name)} \\- ${text(filter.summary)}`,
    `.SH SYNOPSIS\n${text(usage(filter).replace(/^Usage: /, ''))}`,
    `.SH DESCRIPTION\n${paragraphs(filter.description)}`,
    `.SH OPTIONS\n${options.join('\n')}`,
    `.SH "EXIT STATUS"\n${statuses(filter)
      .map(([status, meaning]) => item(status, meaning))
      .join('\n')}`,
    ...(examples.length > 0 ? [`.SH EXAMPLES\n${examples.join('\n')}`] : []),
    ...(filter.see ? [`.SH "SEE ALSO"\n${filter.see.map((name) => `${text(name)}(1)`).join(', ')}`] : []),
  ]
    .join('\n')
    .concat('\n');
}

const item = (head: string, body: string): string => `.TP\n.B ${text(head)}\n${text(body)}`;

function paragraphs(description: string): string {
  const all = description.trim().split(/\n\s*\n/);
  return all.map((paragraph) => text(paragraph.trim().replace(/\s+/g, ' '))).join('\n.PP\n');
}

/** Text as roff takes it: backslashes, dashes and what is not ASCII escaped, and no line that begins like a request. */
function text(plain: string): string {
  const wide = (character: string) => `\\[u${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`;
  const escaped = plain
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/[^\n -~]/gu, wide)
    // A line may break behind a comma, where words are long.
    .replace(/,(?=\S)/g, ',\\:');
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}
