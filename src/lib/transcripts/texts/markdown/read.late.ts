// Markdown as a conversation: role headings make turns, and our fences come back as what they were. Text without a role heading at its beginning
// is one user message, whatever headings it has.

import type { Message, Part, Role } from '../../../conversation/types.ts';
import type { Transcript } from '../../../dialects/types.ts';
import type { Json } from '../../../json/values.ts';
import { withoutEdges } from '../../legible.ts';
import { opening } from './fences.ts';
import { NEXT, roleIn, unguarded } from './headings.ts';

export function read(text: string): Transcript[] {
  const lines = text
    .replace(/^\ufeff/, '')
    .replaceAll('\r\n', '\n')
    .split('\n');
  if (!beginsWithRole(lines)) {
    const whole = text.replace(/^\ufeff/, '').trimEnd();
    return whole === '' ? [] : [{ head: {}, messages: [{ role: 'user', parts: [{ type: 'text', text: whole }] }] }];
  }
  const reader = new Reader();
  for (const line of lines) reader.line(line);
  return reader.end();
}

/** Whether nothing but a title and notes stand before the first role heading. */
function beginsWithRole(lines: readonly string[]): boolean {
  let titled = false;
  for (const line of lines) {
    if (isNote(line)) continue;
    if (roleIn(line)) return true;
    if (titled || !line.startsWith('# ')) return false;
    titled = true;
  }
  return false;
}

const isNote = (line: string): boolean => line.trim() === '' || line.startsWith('>') || line.trim() === '---';

interface Fence {
  readonly kind: string;
  readonly words: readonly string[];
  readonly closing: string;
  readonly lines: string[];
}

/** Collects lines into parts, parts into messages, and messages into conversations. */
class Reader {
  readonly #done: Transcript[] = [];
  #title: string | undefined;
  #messages: Message[] = [];
  /** undefined before the first turn of a conversation. */
  #role: Role | undefined;
  #parts: Part[] = [];
  #text: string[] = [];
  #fence: Fence | undefined;

  line(line: string): void {
    if (this.#fence) this.#fenced(line, this.#fence);
    else if (line.trimEnd() === NEXT) this.#endConversation();
    else this.#spoken(line);
  }

  end(): Transcript[] {
    if (this.#fence) this.#closeFence(this.#fence);
    this.#endConversation();
    return this.#done;
  }

  #fenced(line: string, fence: Fence): void {
    if (line.trimEnd() === fence.closing) this.#closeFence(fence);
    else fence.lines.push(line);
  }

  #spoken(line: string): void {
    const turn = roleIn(line);
    const fence = turn ? undefined : opening(line);
    if (turn) {
      this.#endMessage();
      this.#role = turn.role;
      if (turn.rest !== '') this.#text.push(turn.rest);
    } else if (this.#role === undefined) {
      if (line.startsWith('# ')) this.#title = line.slice(2).trim();
    } else if (fence) {
      this.#endText();
      this.#fence = { ...fence, lines: [] };
    } else this.#text.push(unguarded(line));
  }

  #endText(): void {
    const text = withoutEdges(this.#text.join('\n'));
    this.#text = [];
    if (text !== '') this.#parts.push({ type: 'text', text });
  }

  #closeFence({ kind, words, lines }: Fence): void {
    this.#fence = undefined;
    const content = lines.join('\n');
    const [first = '', second = '', ...marks] = words;
    if (kind === 'reasoning') this.#parts.push({ type: 'reasoning', text: content });
    else if (kind === 'call') this.#parts.push(call(first, second, marks, content));
    else if (kind === 'document') this.#parts.push(document(first, content));
    else this.#result(first, [second, ...marks], content);
  }

  /** A result ends the turn that it stands under: what follows it was said after it. */
  #result(callId: string, marks: readonly string[], content: string): void {
    const error = marks.includes('error') ? { error: true } : undefined;
    const parts: Part[] = content === '' ? [] : [{ type: 'text', text: content }];
    if (marks.includes('provider')) {
      this.#parts.push({ type: 'tool_result', callId, parts, by: 'provider', ...error });
      return;
    }
    this.#endMessage();
    this.#messages.push({ role: 'tool', parts: [{ type: 'tool_result', callId, parts, ...error }] });
  }

  #endMessage(): void {
    this.#endText();
    const parts = this.#parts;
    this.#parts = [];
    const role = this.#role === 'tool' ? 'user' : this.#role;
    if (role !== undefined && parts.length > 0) this.#messages.push({ role, parts });
  }

  #endConversation(): void {
    this.#endMessage();
    const title = this.#title;
    if (this.#messages.length > 0)
      this.#done.push({ head: {}, messages: this.#messages, ...(title !== undefined && { title }) });
    this.#messages = [];
    this.#title = undefined;
    this.#role = undefined;
  }
}

function call(name: string, id: string, marks: readonly string[], content: string): Part {
  const by = marks.includes('provider') ? ({ by: 'provider' } as const) : undefined;
  try {
    return { type: 'tool_call', id, name, input: JSON.parse(content) as Json, ...by };
  } catch {
    return { type: 'tool_call', id, name, text: content, ...by };
  }
}

function document(name: string, text: string): Part {
  return { type: 'media', kind: 'document', source: { type: 'text', text }, ...(name !== '' && { name }) };
}
