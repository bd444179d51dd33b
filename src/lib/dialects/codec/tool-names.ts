// Every place in a conversation where a tool's name stands.
import type { Head, Message, Part, ToolCallPart, ToolResultPart } from '../../conversation/types.ts';

type Rename = (name: string) => string;

/** The head with its tools, and the choice among them, under other names. The provider's own tools keep theirs. */
export function headRenamed(head: Head, rename: Rename): Head {
  const { tools, toolChoice } = head;
  const changed = tools?.map((tool) =>
    tool.type === 'provider' || rename(tool.name) === tool.name ? tool : { ...tool, name: rename(tool.name) },
  );
  const names = toolChoice?.names?.map(rename);
  const sameTools = changed === undefined || changed.every((tool, i) => tool === tools?.[i]);
  const sameChoice = names === undefined || names.every((name, i) => name === toolChoice?.names?.[i]);
  if (sameTools && sameChoice) return head;
  return { ...head, tools: changed, ...(toolChoice && { toolChoice: { ...toolChoice, ...(names && { names }) } }) };
}

/** The message with its calls and results under other names. */
export function messageRenamed(
  message: Message,
  rename: (name: string, part: ToolCallPart | ToolResultPart) => string,
): Message {
  const parts = message.parts.map((part): Part => {
    if (part.type !== 'tool_call' && part.type !== 'tool_result') return part;
    if (part.by === 'provider' || part.name === undefined) return part;
    const name = rename(part.name, part);
    return name === part.name ? part : { ...part, name };
  });
  return parts.every((part, i) => part === message.parts[i]) ? message : { ...message, parts };
}
