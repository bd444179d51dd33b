// The help of ai-wc and its options.
import type { Options } from '../../lib/cli/filter.ts';

export const DESCRIPTION = `
    Counts what is in conversations: turns (answers of the model; consecutive messages of the model are one turn),
    messages by role, tool calls and open calls, the tokens that the next request would take of the context window, and
    the cost of the answers.

    One conversation is written as a few lines; several as one line each and a total. With --json each is a record
    {"type":"count",…}, and with --status a single line for a prompt or a status bar. Tokens and costs of answers are
    those that ai-complete wrote to their "_meta", or the usage that the API reported; costs of sub-agents are in the
    results of their calls. An unknown cost is "unknown", and null in a record; "unpriced_answers" is the number of
    answers whose cost is not included in "usd".

    With --max the exit status is 1 once a limit is reached. Limits are turns, messages, calls, steps (turns since the
    last user prompt), usd, and tokens, as a number or as a share of the context window (tokens=80%). If some costs are
    unknown and the known ones are below the usd limit, the exit status is 78. A record {"type":"stop"} after the last
    prompt, as written by ai-hook, also counts as a reached limit. Use it to end a loop:

    while ai-wc -q -m turns=50,usd=2 <c.jsonl; do …; done`;

export const OPTIONS = {
  max: {
    type: 'list',
    short: 'm',
    arg: 'LIMITS',
    summary: 'exit 1 once one of these is reached: turns=50,usd=2,tokens=80%',
  },
  status: { type: 'boolean', short: 's', summary: 'write one line, for a prompt or a status bar' },
  json: { type: 'boolean', short: 'j', summary: 'write one JSON record for each conversation' },
  quiet: { type: 'boolean', short: 'q', summary: 'write nothing; only set the exit status' },
  model: { type: 'string', arg: 'MODEL', summary: 'the model, if the conversation does not name one' },
  window: { type: 'integer', arg: 'TOKENS', min: 1, summary: 'the size of its context window, if it is unknown' },
} as const satisfies Options;
