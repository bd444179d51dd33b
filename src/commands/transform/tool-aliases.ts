// The tools that coding agents share, and what each of their conventions calls them and their arguments.

interface ToolAlias {
  /** Claude Code's name: https://code.claude.com/docs/en/tools-reference */
  readonly claude: string;
  /** The same in snake case, as pi, opencode and others have it. */
  readonly snake: string;
  /** Arguments by Claude Code's name: what they are called in snake case, then what else is in use. */
  readonly arguments?: { readonly [claude: string]: readonly [snake: string, ...others: string[]] };
}

const PATH = ['path', 'filePath', 'filepath', 'filename'] as const;

export const TOOL_ALIASES: readonly ToolAlias[] = [
  { claude: 'Read', snake: 'read', arguments: { file_path: PATH } },
  { claude: 'Write', snake: 'write', arguments: { file_path: PATH } },
  {
    claude: 'Edit',
    snake: 'edit',
    arguments: {
      file_path: PATH,
      old_string: ['old_string', 'oldText', 'oldString', 'old_str', 'old_text'],
      new_string: ['new_string', 'newText', 'newString', 'new_str', 'new_text'],
      replace_all: ['replace_all', 'replaceAll'],
    },
  },
  { claude: 'MultiEdit', snake: 'multi_edit', arguments: { file_path: PATH } },
  { claude: 'NotebookEdit', snake: 'notebook_edit', arguments: { notebook_path: ['path', 'notebookPath'] } },
  {
    claude: 'Bash',
    snake: 'bash',
    arguments: { command: ['command', 'cmd'], run_in_background: ['run_in_background', 'runInBackground'] },
  },
  { claude: 'Grep', snake: 'grep', arguments: { glob: ['glob', 'include'] } },
  { claude: 'Glob', snake: 'glob' },
  { claude: 'LS', snake: 'ls' },
  { claude: 'TodoWrite', snake: 'todo_write' },
  { claude: 'TodoRead', snake: 'todo_read' },
  { claude: 'WebFetch', snake: 'web_fetch' },
  {
    claude: 'WebSearch',
    snake: 'web_search',
    arguments: {
      allowed_domains: ['allowed_domains', 'allowedDomains'],
      blocked_domains: ['blocked_domains', 'blockedDomains'],
    },
  },
  { claude: 'Task', snake: 'task', arguments: { subagent_type: ['subagent_type', 'subagentType'] } },
  { claude: 'AskUserQuestion', snake: 'ask_user_question' },
  { claude: 'ExitPlanMode', snake: 'exit_plan_mode' },
  { claude: 'BashOutput', snake: 'bash_output', arguments: { bash_id: ['bash_id', 'bashId'] } },
  { claude: 'KillShell', snake: 'kill_shell', arguments: { shell_id: ['shell_id', 'shellId'] } },
  { claude: 'Skill', snake: 'skill' },
];
