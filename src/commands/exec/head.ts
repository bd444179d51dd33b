// The head of a conversation with the tools in it: what the model is told that it may call.
import type { Format } from '../../lib/formats/types.ts';
import type { JsonObject } from '../../lib/ir/json.ts';
import type { Tool as ModelTool } from '../../lib/ir/types.ts';
import type { Toolbox } from './toolbox.ts';

/** The head, and what is wrong with the tools that are not in it. */
export function headWith(tools: Toolbox, format: Format): { head: JsonObject; problems: string[] } {
  const found = tools.names.map((name) => tools.find(name));
  const described = found.filter((tool) => typeof tool === 'object');
  const list = described.map(
    ({ name, description, schema }): ModelTool => ({
      type: 'function',
      name,
      ...(description !== undefined && { description }),
      schema,
    }),
  );
  const { native } = format.writeHead({ tools: list }, [], () => {});
  return { head: native, problems: found.filter((tool) => typeof tool === 'string') };
}
