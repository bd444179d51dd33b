// What ai-wc says of itself.
import type { Options } from '../../lib/cli/filter.ts';

export const DESCRIPTION = `
    Counts what is in conversations: turns (answers of the model; messages of its own that follow one another are one), messages by role, calls and
    those that are still open, what the next request would take of the model's window, and what the answers have cost.

    One conversation is written as a few lines, several as one line each with the sum behind them; with --json each is a record {"type":"count",…},
    and with --status a line for a prompt or a status bar. What answers took and cost is what ai-complete has noted in their "_meta", or what the API
    reports in them; what sub-agents have cost is what the results of their calls say. A cost that nobody knows is "unknown", and null in a record;
    "unpriced_answers" counts the answers whose cost is missing in "usd".

    With --max the exit status is 1 once a limit is reached: turns, messages, calls, steps (turns since the last prompt of a person), usd, and tokens,
    a number or a share of the window (tokens=80%). If a cost is unknown and the known ones are below usd, the exit status is 78. A record {"type":"stop"} behind the last prompt, as ai-hook writes it, is a limit too. This is what
    ends a loop:

    while ai-wc -q -m turns=50,usd=2 <c.jsonl; do …; done`;

export const OPTIONS = {
  max: {
    type: 'list',
    short: 'm',
    arg: 'LIMITS',
    summary: 'exit 1 once one of these is reached: turns=50,usd=2,tokens=80%',
  },
  status: { type: 'boolean', short: 's', summary: 'one line, for a prompt or a status bar' },
  json: { type: 'boolean', short: 'j', summary: 'one record for each conversation' },
  quiet: { type: 'boolean', short: 'q', summary: 'write nothing: the exit status says it' },
  model: { type: 'string', arg: 'MODEL', summary: 'the model, where the conversation does not name it' },
  window: { type: 'integer', arg: 'TOKENS', min: 1, summary: 'the size of its window, where that is not known' },
} as const satisfies Options;
