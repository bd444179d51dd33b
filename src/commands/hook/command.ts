// ai-hook: runs the hooks of one event, as a stage of the pipe.
import { defineFilter } from '../../lib/cli/filter.ts';
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import { EVENTS } from '../../lib/hooks/events.ts';
import { nearest } from '../../lib/text/nearest.ts';
import { Recognition } from '../../lib/transcripts/recognition.ts';
import { DESCRIPTION, OPTIONS } from './options.ts';

export default defineFilter({
  name: 'ai-hook',
  summary: 'run the hooks of an event, in Claude Code’s format',
  description: DESCRIPTION,
  operands: ['EVENT'],
  options: OPTIONS,
  exits: {
    0: 'continue',
    2: 'a hook blocked; the reason is on standard error',
    65: 'a line is invalid, or no record is a call or a message',
    77: 'a hook deferred a call, which stays open',
    78: 'the hooks cannot be read or are not trusted',
  },
  see: ['ai-permit', 'ai-exec', 'ai-condense'],
  examples: [
    {
      title: 'without hooks, a prompt becomes a message',
      command: 'ai-hook UserPromptSubmit',
      stdin: 'fix the bug\n',
      stdout: '{"role":"user","content":"fix the bug"}\n',
    },
  ],
  async *run(records, options, context) {
    const [event = ''] = context.operands;
    if (!EVENTS.includes(event)) throw unknown(event);
    const files = options.hooks.length > 0 ? options.hooks : (context.env.AI_HOOKS ?? '').split(':').filter(Boolean);
    const recognition = new Recognition({ program: 'ai-hook' });
    const seen = recognition.watching(records);
    if (files.length === 0 && STAGES.has(event) && options.set.length === 0) yield* seen;
    else {
      const { runStage } = await import('./stage.ts');
      yield* runStage(event, files, seen, options, context);
    }
    for (const failure of recognition.failures()) context.bad(failure);
  },
});

/** Without hooks these pass on what they get, and need nothing else of this program. */
const STAGES = new Set(['PreToolUse', 'PostToolUse', 'PostToolUseFailure']);

function unknown(event: string): Failure {
  const close = nearest(event, EVENTS) ?? EVENTS.find((name) => name.toLowerCase() === event.toLowerCase());
  return new Failure(EXIT.usage, `there is no event "${event}"`, {
    hint: close ? `did you mean ${close}?` : EVENTS.join(', '),
  });
}
