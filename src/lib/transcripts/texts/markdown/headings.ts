// Headings that begin a turn, and how a line of someone's text that looks like one is kept from doing so.
import type { Role } from '../../../conversation/types.ts';
import { opening } from './fences.ts';

const ROLES: { readonly [word: string]: Role } = {
  system: 'system',
  developer: 'developer',
  user: 'user',
  human: 'user',
  you: 'user',
  prompt: 'user',
  assistant: 'assistant',
  ai: 'assistant',
  model: 'assistant',
  chatgpt: 'assistant',
  claude: 'assistant',
  gemini: 'assistant',
  tool: 'tool',
};

/** `## User`, `### Assistant:`, `**Human:** with text behind it`. */
const HEADING = /^#{1,6} +(\w+):?$/;
const BOLD = /^\*\*(\w+)(?::\*\*|\*\*:) ?(.*)$/;

/** The role that a line gives the turn, and the text that stands behind it; undefined for any other line. */
export function roleIn(line: string): { role: Role; rest: string } | undefined {
  if (!line.startsWith('#') && !line.startsWith('**')) return undefined;
  const [, word, rest = ''] = HEADING.exec(line.trimEnd()) ?? BOLD.exec(line) ?? [];
  const name = word?.toLowerCase() ?? '';
  const role = Object.hasOwn(ROLES, name) ? ROLES[name] : undefined;
  return role && { role, rest };
}

const NAMES: { readonly [role in Role]: string } = {
  system: 'System',
  developer: 'Developer',
  user: 'User',
  assistant: 'Assistant',
  tool: 'Tool',
};

export const heading = (role: Role): string => `## ${NAMES[role]}\n`;

/** Stands between two conversations. */
export const NEXT = '<!-- next conversation -->';

const isOurs = (line: string): boolean =>
  line.trimEnd() === NEXT || roleIn(line) !== undefined || opening(line) !== undefined;

/** A line of text, with a backslash if it would be read as a heading or a fence of ours, or begins with such a backslash. */
export function guarded(line: string): string {
  const bare = line.replace(/^\\+/, '');
  return isOurs(bare) ? `\\${line}` : line;
}

/** The line as it was. */
export function unguarded(line: string): string {
  if (!line.startsWith('\\')) return line;
  const bare = line.replace(/^\\+/, '');
  return isOurs(bare) ? line.slice(1) : line;
}
