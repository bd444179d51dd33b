// The choice among tools, where the tools that an API cannot have are gone.
import type { Head, Lose, Tool } from '../../conversation/types.ts';

/** The head with the tools that the API can have, and a choice among them: an API refuses a choice without tools, and one of no tool. */
export function withTools(head: Head, has: (tool: Tool) => boolean, lose: Lose): Head {
  const tools = head.tools?.filter(has);
  for (const tool of head.tools ?? []) if (!has(tool)) lose(`tools: ${tool.name}`, 'only its own provider can run it');
  if (tools === undefined || tools.length === 0) return withoutTools(head, lose);
  const { toolChoice } = head;
  const names = toolChoice?.names?.filter((name) => tools.some((tool) => tool.name === name));
  const gone = toolChoice?.names !== undefined && names?.length === 0;
  if (gone) lose('tool_choice', 'the named tool is not declared');
  const choice = gone ? undefined : toolChoice && { ...toolChoice, ...(names && { names }) };
  return { ...head, tools, toolChoice: choice };
}

function withoutTools(head: Head, lose: Lose): Head {
  const { tools: _, toolChoice, parallelToolCalls, ...rest } = head;
  if (toolChoice && toolChoice.mode !== 'none') lose('tool_choice', 'no tools are declared');
  if (parallelToolCalls !== undefined && parallelToolCalls !== null)
    lose('parallel_tool_calls', 'no tools are declared');
  return rest;
}
