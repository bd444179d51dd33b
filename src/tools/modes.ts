// list_modes, switch_mode: the modes and agents that files describe, and which one is on.
import { join } from 'node:path';
import type { Agent } from '../lib/agents/agent.ts';
import { agentsIn } from '../lib/agents/find.ts';
import { type Tool, type ToolContext, ToolError } from '../lib/cli/tool.ts';
import { text } from './fields.ts';
import { writePrivate } from './private.ts';
import { sideDirectory } from './side.ts';

/** Those of AI_AGENTS; without it those that come along. */
async function modes({ env, cwd }: ToolContext): Promise<readonly Agent[]> {
  try {
    return (await agentsIn({ list: env.AI_AGENTS, cwd })).agents;
  } catch (error) {
    throw new ToolError((error as Error).message);
  }
}

export const listModes: Tool = async (_input, context) => {
  const all = await modes(context);
  if (all.length === 0) return 'There are no modes: AI_AGENTS lists none.';
  return all.map(({ name, description }) => `${name}${description === '' ? '' : `: ${description}`}`).join('\n');
};

/** The name goes into a file that the loop reads before each turn; what the mode is told comes as the result. */
export const switchMode: Tool = async (input, context) => {
  const slug = text(input, 'mode_slug', 'mode');
  const all = await modes(context);
  const mode = all.find(({ name }) => name === slug);
  if (mode === undefined)
    throw new ToolError(`there is no mode "${slug}": there are ${all.map(({ name }) => name).join(', ')}`);
  writePrivate(join(sideDirectory(context), 'agent'), `${slug}\n`, context.random());
  return `The mode is ${slug} from the next turn on.${mode.prompt === '' ? '' : `\n\n${mode.prompt}`}`;
};
