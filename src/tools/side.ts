// Small files beside the conversation: the list of things to do, the mode, what sub-agents said.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { besideOf } from '../lib/agents/spent.ts';
import { type ToolContext, ToolError } from '../lib/cli/tool.ts';

/** `c.d` for the conversation `c.jsonl` that AI_CONV names; without one, a directory of the user's for this working directory. It is made. */
export function sideDirectory({ env, cwd }: Pick<ToolContext, 'env' | 'cwd'>): string {
  const path = env.AI_CONV ? besideOf(resolve(cwd, env.AI_CONV)) : stateDirectory(env, cwd);
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return path;
  } catch (error) {
    throw new ToolError(`the directory beside the conversation cannot be made: ${(error as Error).message}`);
  }
}

function stateDirectory(env: ToolContext['env'], cwd: string): string {
  const state = env.XDG_STATE_HOME || (env.HOME && join(env.HOME, '.local/state'));
  if (!state) throw new ToolError('there is no conversation (AI_CONV) and no home directory to keep it in');
  const { createHash } = process.getBuiltinModule('node:crypto');
  return join(state, 'ai/side', createHash('sha256').update(cwd).digest('hex').slice(0, 16));
}
