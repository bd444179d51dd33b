// What a conversation says, whatever the form: texts, calls and results in order.
import type { JsonObject } from '../../src/lib/json/values.ts';

/** Of OpenAI's messages. Neighbouring texts of one role may be joined or split by a form. */
export function gist(lines: readonly JsonObject[]): string[][] {
  const all: string[][] = [];
  const say = (role: string, text: string) => {
    const last = all.at(-1);
    if (last && last.length === 2 && last[0] === role) last[1] += text;
    else if (text !== '') all.push([role, text]);
  };
  for (const { role, content, tool_calls, tool_call_id } of lines) {
    if (typeof role !== 'string') continue;
    if (role === 'tool') all.push(['result', String(tool_call_id), textOf(content)]);
    else say(role, textOf(content));
    for (const { id, function: fn } of (tool_calls ?? []) as JsonObject[]) {
      const { name, arguments: input } = fn as JsonObject;
      all.push(['call', String(id), String(name), JSON.stringify(JSON.parse(String(input)))]);
    }
  }
  return all;
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map((part) => String((part as JsonObject).text ?? '')).join('') : '';
}
