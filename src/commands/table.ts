// Every program of the suite, loaded when it is started.
import type { Filter } from '../lib/cli/filter.ts';

export const COMMANDS: { readonly [name: string]: () => Promise<{ readonly default: Filter }> } = {
  'ai-complete': () => import('./complete/command.ts'),
  'ai-condense': () => import('./condense/command.ts'),
  'ai-exec': () => import('./exec/command.ts'),
  'ai-grep': () => import('./grep/command.ts'),
  'ai-hook': () => import('./hook/command.ts'),
  'ai-mcp': () => import('./mcp/command.ts'),
  'ai-pending': () => import('./pending/command.ts'),
  'ai-permit': () => import('./permit/command.ts'),
  'ai-recover-tools': () => import('./recover-tools/command.ts'),
  'ai-route': () => import('./route/command.ts'),
  'ai-transform': () => import('./transform/command.ts'),
  'ai-turn': () => import('./turn/command.ts'),
  'ai-wc': () => import('./wc/command.ts'),
};
