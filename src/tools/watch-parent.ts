// A tool that runs for long does not outlive the program that started it.
import type { ToolContext } from '../lib/cli/tool.ts';

const EVERY = 500;

/** Ends our whole group once our parent is gone. Only where ai-exec started us, since the group is ours alone then. */
export function watchParent({ env }: Pick<ToolContext, 'env'>): void {
  if (!env.AI_CALL_ID) return;
  const { ppid } = process;
  setInterval(() => {
    if (process.ppid !== ppid) process.kill(0, 'SIGKILL');
  }, EVERY).unref();
}
