// Plain text as a conversation: one user message, unless it begins with a role (`user:` on a line of its own, or with text behind it).
import type { Message, Role } from '../../../conversation/types.ts';
import type { Transcript } from '../../../dialects/types.ts';
import { withoutEdges } from '../../legible.ts';

const ROLES: { readonly [word: string]: Role } = {
  system: 'system',
  developer: 'developer',
  user: 'user',
  human: 'user',
  assistant: 'assistant',
  ai: 'assistant',
  model: 'assistant',
};

export function read(text: string): Transcript[] {
  const whole = text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
  const lines = whole.split('\n');
  const first = lines.find((line) => line.trim() !== '' && !line.startsWith('#'));
  if (first === undefined || roleIn(first) === undefined) {
    const said = text.replace(/^\ufeff/, '').trimEnd();
    return said === '' ? [] : [{ head: {}, messages: [{ role: 'user', parts: [{ type: 'text', text: said }] }] }];
  }
  return [{ head: {}, messages: turns(lines) }];
}

function roleIn(line: string): { role: Role; rest: string } | undefined {
  const [, word, rest = ''] = /^([A-Za-z]+):(?: +(.*))?$/.exec(line.trimEnd()) ?? [];
  const name = word?.toLowerCase() ?? '';
  const role = Object.hasOwn(ROLES, name) ? ROLES[name] : undefined;
  return role && { role, rest };
}

function turns(lines: readonly string[]): Message[] {
  const messages: Message[] = [];
  let role: Role | undefined;
  let said: string[] = [];
  const end = () => {
    const text = withoutEdges(outdented(said).join('\n'));
    if (role !== undefined && text !== '') messages.push({ role, parts: [{ type: 'text', text }] });
    said = [];
  };
  for (const line of lines) {
    const turn = roleIn(line);
    if (turn) {
      end();
      role = turn.role;
      if (turn.rest !== '') said.push(turn.rest);
    } else said.push(line);
  }
  end();
  return messages;
}

/** Our writer indents what is said by two. */
function outdented(lines: readonly string[]): readonly string[] {
  return lines.every((line) => line === '' || line.startsWith('  ')) ? lines.map((line) => line.slice(2)) : lines;
}
