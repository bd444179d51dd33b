// ai-hook: runs the hooks of one event, as a stage of the pipe.
import { type Context, defineFilter, type Values } from '../../lib/cli/filter.ts';
import { nearest } from '../../lib/cli/nearest.ts';
import { EVENTS } from '../../lib/hooks/events.ts';
import { EXIT, Failure } from '../../lib/ir/failure.ts';
import { isObject, type Json, type JsonObject } from '../../lib/ir/json.ts';
import { type Rec, record } from '../../lib/ir/record.ts';
import type { Records } from '../../lib/jsonl/read.ts';
import { DESCRIPTION, OPTIONS } from './help.ts';

export default defineFilter({
  name: 'ai-hook',
  summary: 'run the hooks of an event, in Claude Code’s format',
  description: DESCRIPTION,
  operands: ['EVENT'],
  options: OPTIONS,
  exits: {
    0: 'go on',
    2: 'blocked; the reason is on standard error',
    77: 'a hook has put off a call, which stays open',
    78: 'the hooks cannot be read or trusted',
  },
  see: ['ai-permit', 'ai-exec', 'ai-condense'],
  examples: [
    {
      title: 'without hooks a prompt becomes a message',
      command: 'ai-hook UserPromptSubmit',
      stdin: 'fix the bug\n',
      stdout: '{"role":"user","content":"fix the bug"}\n',
    },
  ],
  async *run(records, options, context) {
    const [event = ''] = context.operands;
    if (!EVENTS.includes(event)) throw unknown(event);
    const { fieldsFrom } = await import('./other.ts');
    const fields = fieldsFrom(options.set);
    const { Session } = await import('./session.ts');
    const session = new Session(context, options.conversation ?? context.env.AI_CONV, options.dialect);
    const runner = await runnerFor(options, session.base, context);
    if (options['dry-run']) yield* listed(event, runner.matching(event, fields));
    else yield* dispatch(event, { records, fields, runner, session, context });
  },
});

function unknown(event: string): Failure {
  const close = nearest(event, EVENTS) ?? EVENTS.find((name) => name.toLowerCase() === event.toLowerCase());
  return new Failure(EXIT.usage, `there is no event "${event}"`, {
    hint: close ? `did you mean ${close}?` : EVENTS.join(', '),
  });
}

type Runner = import('../../lib/hooks/runner.ts').HookRunner;

interface Stage {
  readonly records: Records;
  readonly fields: JsonObject;
  readonly runner: Runner;
  readonly session: import('./session.ts').Session;
  readonly context: Context;
}

async function runnerFor(options: Values<typeof OPTIONS>, base: JsonObject, context: Context): Promise<Runner> {
  const files = options.hooks.length > 0 ? options.hooks : (context.env.AI_HOOKS ?? '').split(':').filter(Boolean);
  const { readHookSettings } = await import('../../lib/hooks/settings.ts');
  const { HookRunner } = await import('../../lib/hooks/runner.ts');
  const settings = await readHookSettings(files, context.cwd);
  const { env, cwd } = context;
  const names = [...options.env, ...(env.AI_HOOK_ENV ?? '').split(/[ ,:]+/)].filter(Boolean);
  const signal = settings.size > 0 ? context.signal : new AbortController().signal;
  return new HookRunner(settings, { env, names, cwd, signal, base });
}

async function* dispatch(event: string, { records, fields, runner, session, context }: Stage): AsyncGenerator<Rec> {
  switch (event) {
    case 'PreToolUse': {
      const { preToolUse } = await import('./pre-tool.ts');
      return yield* preToolUse(records, runner, session, context);
    }
    case 'PostToolUse':
    case 'PostToolUseFailure': {
      const { PostTool } = await import('./post-tool.ts');
      const options = { success: event === 'PostToolUse', failure: true };
      return yield* new PostTool(runner, session, context, options).run(records);
    }
    case 'UserPromptSubmit': {
      const { userPrompt } = await import('./prompt.ts');
      return yield* userPrompt(records, runner, session, context);
    }
    case 'Stop':
    case 'SubagentStop': {
      const { stopped } = await import('./stop.ts');
      return yield* stopped(event, records, fields, runner, session, context);
    }
    default: {
      const { other } = await import('./other.ts');
      yield* other(event, fields, runner, session, context);
    }
  }
}

function listed(event: string, handlers: readonly object[]): Rec[] {
  return handlers.map((handler) => {
    const { type, command, args, url, place } = handler as Record<string, Json>;
    const shown: JsonObject = { type: 'hook', event, kind: type, command, args, url, place };
    return record(isObject(shown) ? shown : null);
  });
}
