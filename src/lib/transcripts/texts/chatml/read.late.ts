// Turns of ChatML text.
import type { Message, Role } from '../../../conversation/types.ts';
import type { Transcript } from '../../../dialects/types.ts';
import { END, START, unguarded } from './marks.ts';

const ROLES: { readonly [role: string]: Role } = {
  system: 'system',
  developer: 'developer',
  user: 'user',
  assistant: 'assistant',
};

/** What stands between turns in some templates, and says nothing. */
const PADDING = /<s>|<\/s>|<\|(?:begin_of_text|endoftext|end_of_text)\|>/g;

/** The conversations of a text: an empty line between two turns parts them. A last turn without its end is one that a model shall go on with. */
export function read(text: string): Transcript[] {
  const conversations: Message[][] = [[]];
  let at = 0;
  while (at < text.length) {
    const start = text.indexOf(START, at);
    const between = text.slice(at, start < 0 ? text.length : start);
    const said = between.replace(PADDING, '').trim();
    if (said !== '') conversations.at(-1)?.push({ role: 'user', parts: [{ type: 'text', text: said }] });
    if (start < 0) break;
    if (at > 0 && /\n[ \t]*\n/.test(between)) conversations.push([]);
    const end = text.indexOf(END, start);
    const turn = readTurn(text.slice(start + START.length, end < 0 ? text.length : end), end >= 0);
    if (turn) conversations.at(-1)?.push(turn);
    at = end < 0 ? text.length : end + END.length;
  }
  return conversations.filter((messages) => messages.length > 0).map((messages) => ({ head: {}, messages }));
}

/** `role`, and perhaps `name=…`, up to the end of the line; then the text. An answer that has not begun is none. */
function readTurn(turn: string, whole: boolean): Message | undefined {
  const newline = turn.indexOf('\n');
  const first = newline < 0 ? turn : turn.slice(0, newline);
  const text = unguarded(newline < 0 ? '' : turn.slice(newline + 1));
  if (!whole && text === '') return undefined;
  const [word = '', ...more] = first.trim().split(/\s+/);
  const name = more.find((each) => each.startsWith('name='))?.slice('name='.length);
  const role = Object.hasOwn(ROLES, word) ? (ROLES[word] as Role) : 'user';
  return {
    role,
    parts: [{ type: 'text', text }],
    ...(name !== undefined && { name }),
    form: { chatml: word },
  };
}
