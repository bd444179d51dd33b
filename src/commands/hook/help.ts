// What ai-hook says of itself.
import type { Options } from '../../lib/cli/filter.ts';

export const DESCRIPTION = `
    Runs the hooks of one event, in Claude Code's format and with its meaning: hook scripts written for it work unchanged. Hooks come from --hooks or
    from the files that AI_HOOKS names (separated by colons), and from nowhere else: settings with {"hooks":{EVENT:[{"matcher","hooks":[…]}]}}, or a
    plugin's hooks.json. All that match run at once. Exit status 0 of a hook goes on, 2 blocks with its standard error as the reason, anything else
    warns and goes on; with "onFailure":"block" that blocks too. Without hooks every stage passes on what it gets.

    PreToolUse stands before ai-permit: calls in, calls out. What a hook denies or wants asked is on the call, "updatedInput" replaces its arguments,
    a deferred call is left out and stays open (exit 77). PostToolUse stands behind ai-exec: results in, results out; results that failed are
    PostToolUseFailure's, and calls that did not run have no hooks. A result whose hooks are still to run is written down first, so that a kill
    loses none.

    UserPromptSubmit reads a prompt, as text or as messages, and writes it as a message. Stop and SubagentStop read the conversation; if a hook wants
    the model to go on, its reason is written as a message and the exit status is 2, at most eight times in a row. The other events read nothing and
    take their fields from --set.

    What hooks say to the model are messages of their own, with "_meta":{"source":"hook:EVENT"}. Where a hook ends everything ("continue":false),
    {"type":"stop","source","reason"} is written, at which ai-wc --max ends a loop. Changed arguments are noted in {"type":"hook","event","id","input"}.

    Hooks get PATH, HOME and their like, CLAUDE_PROJECT_DIR and what --env names; no keys. The conversation is the file that --conversation or AI_CONV
    names. Hooks of the types prompt, agent and mcp_tool are not run, and count as failed.`;

export const OPTIONS = {
  hooks: { type: 'list', short: 'H', arg: 'FILE', summary: 'hooks; else the files that AI_HOOKS names' },
  conversation: {
    type: 'string',
    short: 'c',
    arg: 'FILE',
    summary: 'the conversation; else the file that AI_CONV names',
  },
  set: { type: 'list', short: 's', arg: 'NAME=VALUE', summary: 'a field of the event; NAME:=JSON for other than text' },
  env: { type: 'list', short: 'e', arg: 'NAME', summary: 'a variable that hooks get besides the usual ones' },
  dialect: {
    type: 'string',
    arg: 'DIALECT',
    summary: 'the dialect of new messages, where the conversation does not tell',
  },
  'dry-run': { type: 'boolean', summary: 'run nothing: write which hooks the event has' },
} as const satisfies Options;
