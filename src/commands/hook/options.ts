// The help of ai-hook and its options.
import type { Options } from '../../lib/cli/filter.ts';

export const DESCRIPTION = `
    Runs the hooks of one event. Format and meaning are those of Claude Code: its hook scripts work unchanged. Hooks
    are read only from --hooks or the files in AI_HOOKS (separated by colons): settings with
    {"hooks":{EVENT:[{"matcher","hooks":[…]}]}}, or a plugin's hooks.json. All matching hooks run in parallel. A hook's
    exit status 0 continues, 2 blocks with its standard error as the reason, and any other prints a warning and
    continues; with "onFailure":"block" it blocks. Without hooks, every stage passes its input through.

    PreToolUse goes before ai-permit: it reads and writes calls. A decision of a hook (deny, ask) is added to the call,
    "updatedInput" replaces its arguments, and a deferred call is left out and stays open (exit 77). PostToolUse goes
    after ai-exec: it reads and writes results. Failed results run the hooks of PostToolUseFailure; calls that did not
    run have no hooks. A result is written to the conversation before its hooks run, so that it survives a kill.

    UserPromptSubmit reads a prompt, as text or as messages, and writes it as a message. Stop and SubagentStop read the
    conversation; if a hook wants the model to continue, its reason is written as a message and the exit status is 2,
    at most eight times in a row. The other events read nothing and take their fields from --set.

    Text from hooks for the model is written as separate messages with "_meta":{"source":"hook:EVENT"}. If a hook stops
    everything ("continue":false), {"type":"stop","source","reason"} is written, and ai-wc --max then ends the loop.
    Changed arguments are recorded as {"type":"hook","event","id","input"}.

    Hooks get PATH, HOME and other basic variables, CLAUDE_PROJECT_DIR, and those that --env names, but no API keys.
    The conversation is the file in --conversation or AI_CONV. Hooks of the types prompt, agent and mcp_tool are not
    supported and count as failed.`;

export const OPTIONS = {
  hooks: { type: 'list', short: 'H', arg: 'FILE', summary: 'read hooks from FILE (default: the files in AI_HOOKS)' },
  conversation: {
    type: 'string',
    short: 'c',
    arg: 'FILE',
    summary: 'the conversation file (default: AI_CONV)',
  },
  set: {
    type: 'list',
    short: 's',
    arg: 'NAME=VALUE',
    summary: 'set a field of the event to a text; NAME:=JSON sets any JSON value',
  },
  env: { type: 'list', short: 'e', arg: 'NAME', summary: 'pass this environment variable to hooks too' },
  dialect: {
    type: 'string',
    arg: 'DIALECT',
    summary: 'the dialect of new messages, if it cannot be detected from the conversation',
  },
  'dry-run': { type: 'boolean', summary: 'run nothing, but list the hooks of the event' },
} as const satisfies Options;
