// A conversation as chat templates take it: a system prompt, and turns of texts. Tools and calls are texts, which ai-recover-tools reads.
import type { Head, Message, Part, Tool } from '../../lib/conversation/types.ts';

/** A turn as node-llama-cpp has it. */
export type Turn =
  | { readonly type: 'system' | 'user'; readonly text: string }
  | { readonly type: 'model'; readonly response: readonly string[] };

/** The turns before the last one of the user, and that one's text. */
export function asTurns(head: Head, messages: readonly Message[]): { readonly history: Turn[]; readonly last: string } {
  const system = messages
    .filter(({ role }) => role === 'system' || role === 'developer')
    .map(({ parts }) => textOf(parts));
  if (head.tools && head.tools.length > 0) system.push(toolsText(head.tools));
  const turns: Turn[] = system.length > 0 ? [{ type: 'system', text: system.join('\n\n') }] : [];
  for (const { role, parts } of messages) {
    if (role === 'system' || role === 'developer') continue;
    const text = textOf(parts);
    const before = turns.at(-1);
    if (role === 'assistant') turns.push({ type: 'model', response: [text] });
    else if (before?.type === 'user') turns[turns.length - 1] = { type: 'user', text: `${before.text}\n\n${text}` };
    else turns.push({ type: 'user', text });
  }
  const last = turns.at(-1);
  if (last?.type === 'user') return { history: turns.slice(0, -1), last: last.text };
  return { history: turns, last: '' };
}

/** The way of Hermes and Qwen, which most small models have seen. */
const toolsText = (tools: readonly Tool[]): string =>
  `You may call tools. They are:\n<tools>\n${tools
    .map(({ name, description, schema }) => JSON.stringify({ name, description, parameters: schema ?? {} }))
    .join('\n')}\n</tools>\nTo call one, write:\n<tool_call>\n{"name": "NAME", "arguments": {}}\n</tool_call>`;

function textOf(parts: readonly Part[]): string {
  const pieces = parts.flatMap((part) => {
    if (part.type === 'text' || part.type === 'refusal') return [part.text];
    if (part.type === 'tool_call')
      return [`<tool_call>\n${JSON.stringify({ name: part.name, arguments: part.input ?? {} })}\n</tool_call>`];
    return part.type === 'tool_result' ? [`<tool_response>\n${textOf(part.parts)}\n</tool_response>`] : [];
  });
  return pieces.join('\n');
}
