// The items of `codex exec --json`, in the terms of the Responses API. https://developers.openai.com/codex/noninteractive
import type { Json, JsonObject } from '../../../json/values.ts';

/** A finished item as what the model wrote and what it got. Items of other kinds say nothing of the conversation. */
export function itemOf(item: JsonObject): JsonObject[] {
  const { type, id } = item;
  if (type === 'agent_message')
    return [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: item.text ?? '' }] }];
  if (type === 'reasoning') return [{ type: 'reasoning', summary: [{ type: 'summary_text', text: item.text ?? '' }] }];
  if (type === 'command_execution') {
    const output = item.status === 'in_progress' ? undefined : (item.aggregated_output ?? '');
    return ran(id, 'shell', { command: item.command ?? '' }, output);
  }
  if (type === 'mcp_tool_call') {
    const output = item.result ?? item.error;
    return ran(id, `${item.server}__${item.tool}`, item.arguments ?? {}, output == null ? undefined : textOf(output));
  }
  if (type === 'file_change') return ran(id, 'apply_patch', { changes: item.changes ?? [] }, String(item.status ?? ''));
  return [];
}

function ran(id: Json | undefined, name: string, input: Json, output: Json | undefined): JsonObject[] {
  const call = { type: 'function_call', call_id: String(id ?? name), name, arguments: JSON.stringify(input) };
  if (output === undefined) return [call];
  return [call, { type: 'function_call_output', call_id: call.call_id, output }];
}

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));
