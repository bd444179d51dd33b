// One event, once there is something to do for it. Loaded as one piece.
import type { Context, Values } from '../../lib/cli/filter.ts';
import { HookRunner } from '../../lib/hooks/runner.ts';
import { type Handler, readHookSettings } from '../../lib/hooks/settings.ts';
import { type Rec, record } from '../../lib/json/record.ts';
import type { JsonObject } from '../../lib/json/values.ts';
import type { Records } from '../../lib/jsonl/read.ts';
import type { OPTIONS } from './options.ts';
import { fieldsFrom, other } from './other.ts';
import { PostTool } from './post-tool.ts';
import { preToolUse } from './pre-tool.ts';
import { userPrompt } from './prompt.ts';
import { Session } from './session.ts';
import { stopped } from './stop.ts';

/** What the event makes of the input. Throws a Failure: 64 for the command line, 78 for files of hooks. */
export async function* runStage(
  event: string,
  files: readonly string[],
  records: Records,
  options: Values<typeof OPTIONS>,
  context: Context,
): AsyncGenerator<Rec> {
  const fields = fieldsFrom(options.set);
  const { env, cwd } = context;
  const session = new Session(context, options.conversation ?? env.AI_CONV, options.dialect);
  const settings = await readHookSettings(files, cwd);
  const names = [...options.env, ...(env.AI_HOOK_ENV ?? '').split(/[ ,:]+/)].filter(Boolean);
  // Without hooks nothing is waited for: the signal itself may end the program.
  const signal = settings.size > 0 ? context.signal : new AbortController().signal;
  const runner = new HookRunner(settings, { env, names, cwd, signal, base: session.base });
  if (options['dry-run']) yield* runner.matching(event, fields).map((handler) => listed(event, handler));
  else if (event === 'PreToolUse') yield* preToolUse(records, runner, session, context);
  else if (event === 'PostToolUse' || event === 'PostToolUseFailure')
    yield* new PostTool(runner, session, context, { success: event === 'PostToolUse', failure: true }).run(records);
  else if (event === 'UserPromptSubmit') yield* userPrompt(records, runner, session, context);
  else if (event === 'Stop' || event === 'SubagentStop')
    yield* stopped(event, records, fields, runner, session, context);
  else yield* other(event, fields, runner, session, context);
}

function listed(event: string, handler: Handler): Rec {
  const { type, place } = handler;
  const what: JsonObject =
    handler.type === 'command'
      ? { command: handler.command, ...(handler.args && { args: [...handler.args] }) }
      : handler.type === 'http'
        ? { url: handler.url }
        : {};
  return record({ type: 'hook', event, kind: handler.type === 'other' ? handler.kind : type, ...what, place });
}
