// Every tool that comes with the programs, loaded when it is started. Several names may be one tool.
import type { Tool } from '../lib/cli/tool.ts';

type Load = () => Promise<{ readonly default: Tool }>;

const editor =
  (name: string): Load =>
  async () => ({ default: (await import('./edit.ts')).editor(name) });

const grep: Load = () => import('./grep/tool.ts');
const read: Load = () => import('./read.ts');
const ls: Load = () => import('./ls.ts');
const bash: Load = () => import('./bash.ts');
const ask: Load = () => import('./ask.ts');
const task: Load = () => import('./task.ts');

export const TOOLS: { readonly [name: string]: Load } = {
  Read: read,
  Write: editor('Write'),
  Edit: editor('Edit'),
  MultiEdit: editor('MultiEdit'),
  Bash: bash,
  Grep: grep,
  Glob: () => import('./glob.ts'),
  LS: ls,
  WebFetch: () => import('./web-fetch/tool.ts'),
  TodoWrite: () => import('./todo.ts'),
  Task: task,
  AskUserQuestion: ask,
  read_file: read,
  write_to_file: editor('write_to_file'),
  apply_diff: editor('apply_diff'),
  insert_content: editor('insert_content'),
  search_files: grep,
  list_files: ls,
  execute_command: bash,
  ask_followup_question: ask,
  attempt_completion: () => import('./completion.ts'),
  new_task: task,
  list_modes: async () => ({ default: (await import('./modes.ts')).listModes }),
  switch_mode: async () => ({ default: (await import('./modes.ts')).switchMode }),
};
