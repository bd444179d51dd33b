// The texts of a message that can be searched, each with who said it.

import type { Message, Part, Role, Source } from '../../lib/conversation/types.ts';
import { isObject, type Json } from '../../lib/json/values.ts';

type Kind = 'text' | 'reasoning' | 'call' | 'result' | 'other';

export interface Passage {
  /** Who said it: what a tool gave back is the tool's, whatever message it stands in. */
  readonly role: Role | 'other';
  readonly kind: Kind;
  /** The tool of a call or a result, where it is known. */
  readonly tool?: string;
  readonly text: string;
}

/** The texts of a record of no known kind. */
export const otherPassages = (value: Json): Passage[] => [
  { role: 'other', kind: 'other', text: leaves(value, '').join('\n') },
];

/** The passages of a message, in order. Empty ones are left out. */
export function passagesOf({ role, parts }: Message, nameOf: (callId: string) => string | undefined): Passage[] {
  return parts.flatMap((part) => passagesIn(part, role, nameOf)).filter(({ text }) => text !== '');
}

function passagesIn(part: Part, role: Role, nameOf: (callId: string) => string | undefined): Passage[] {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return [{ role, kind: 'text', text: part.text }];
    case 'reasoning':
      return [{ role, kind: 'reasoning', text: part.text ?? '' }];
    case 'media':
      return [{ role, kind: 'text', text: [part.name ?? '', textOfSource(part.source)].filter(Boolean).join('\n') }];
    case 'tool_call':
      return [{ role, kind: 'call', tool: part.name, text: [part.name, ...argumentsOf(part)].join('\n') }];
    case 'tool_result': {
      const tool = part.name ?? nameOf(part.callId);
      return [{ role: 'tool', kind: 'result', ...(tool !== undefined && { tool }), text: textOf(part.parts) }];
    }
    case 'native':
      return [{ role, kind: 'text', text: leaves(part.value, '').join('\n') }];
  }
}

function argumentsOf({ input, text }: { readonly input?: Json; readonly text?: string }): string[] {
  return text === undefined ? leaves(input, '') : [text];
}

/** Every value of a JSON value on lines of its own, behind its name: `command: npm test`. */
function leaves(value: Json | undefined, name: string): string[] {
  const lines: string[] = [];
  const open: { readonly value: Json | undefined; readonly name: string }[] = [{ value, name }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const here = next;
    const inner = Array.isArray(here.value)
      ? here.value.map((each, i) => ({ value: each, name: `${here.name}[${i}]` }))
      : isObject(here.value)
        ? Object.entries(here.value).map(([key, each]) => ({
            value: each,
            name: here.name ? `${here.name}.${key}` : key,
          }))
        : undefined;
    if (inner) for (const one of inner.reverse()) open.push(one);
    else if (here.value !== undefined)
      lines.push(here.name ? `${here.name}: ${String(here.value)}` : String(here.value));
  }
  return lines;
}

const textOf = (parts: readonly Part[]): string =>
  parts
    .map((part) => {
      if (part.type === 'text' || part.type === 'refusal') return part.text;
      return part.type === 'media' ? textOfSource(part.source) : '';
    })
    .filter(Boolean)
    .join('\n');

/** What of a document is text. Data is not searched. */
function textOfSource(source: Source): string {
  if (source.type === 'text') return source.text;
  if (source.type === 'parts') return textOf(source.parts);
  return source.type === 'url' ? source.url : '';
}
