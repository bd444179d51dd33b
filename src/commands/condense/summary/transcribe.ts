// Messages as text for a summariser: bounded, whatever they hold.
import type { Message, Part } from '../../../lib/conversation/types.ts';
import { cut, textOf } from '../clip.ts';
import { isDigest } from '../digest/text.ts';

/** What one request to a summariser holds at most. Characters. */
const CHUNK = 80_000;

/** What is left of each kind of text. Characters. */
const LENGTHS = { user: 6000, assistant: 3000, call: 800, result: 1500, reasoning: 400 };
const SHORTEST = 60;

/** The messages in at most `most` pieces of bounded size: where they do not fit, everything is cut shorter. Digests of earlier runs are skipped: a summary is never summed up again. */
export function transcribe(messages: readonly Message[], most: number): string[] {
  const said = messages.filter((message) => !isDigest(message));
  const whole = said.flatMap((message) => linesOf(message, 1));
  const length = whole.reduce((sum, line) => sum + line.length + 1, 0);
  const all = length <= CHUNK * most ? chunked(whole) : [];
  if (all.length > 0 && all.length <= most) return all;
  if (length === 0) return [];
  const shorter = said.flatMap((message) => linesOf(message, (CHUNK * most * 0.8) / length));
  const chunks = chunked(shorter);
  return chunks.length <= most ? chunks : chunked([cut(shorter.join('\n'), CHUNK * most - 200)]);
}

function chunked(lines: readonly string[]): string[] {
  const chunks: string[] = [];
  let current = '';
  for (const line of lines.flatMap(pieces)) {
    if (current !== '' && current.length + line.length > CHUNK) {
      chunks.push(current);
      current = '';
    }
    current += current === '' ? line : `\n${line}`;
  }
  return current === '' ? chunks : [...chunks, current];
}

function pieces(line: string): string[] {
  if (line.length <= CHUNK) return [line];
  return Array.from({ length: Math.ceil(line.length / CHUNK) }, (_, i) =>
    line.slice(i * CHUNK, (i + 1) * CHUNK).toWellFormed(),
  );
}

function linesOf({ role, parts }: Message, share: number): string[] {
  return parts.map((part) => lineOf(part, role, share)).filter(Boolean);
}

function lineOf(part: Part, role: string, share: number): string {
  const clip = (text: string, most: number) => cut(text.trim(), Math.max(SHORTEST, most * share));
  switch (part.type) {
    case 'text':
    case 'refusal':
      return part.text.trim() === ''
        ? ''
        : `[${role}] ${clip(part.text, role === 'user' ? LENGTHS.user : LENGTHS.assistant)}`;
    case 'reasoning':
      return part.text ? `[thought] ${clip(part.text, LENGTHS.reasoning)}` : '';
    case 'tool_call':
      return `[call ${part.name}] ${clip(part.text ?? JSON.stringify(part.input) ?? '', LENGTHS.call)}`;
    case 'tool_result':
      return `[result${part.error ? ', failed' : ''}] ${clip(textOf(part.parts), LENGTHS.result)}`;
    case 'media':
      return part.source.type === 'text' ? `[file] ${clip(part.source.text, LENGTHS.result)}` : `[${part.kind}]`;
    case 'native':
      return '';
  }
}
