// What the manual says of ai-condense.
import type { Example } from '../../lib/cli/filter.ts';

export const DESCRIPTION = `
    Makes a conversation fit a size: a number of tokens (8000, 60k), a percentage of the model's context window (80%),
    or half of the window (auto). A conversation below the size is passed through byte for byte. A conversation above
    it is reduced to 60 percent of the size, so that the next requests of the session start with the same text and hit
    the prompt cache. Without a size, condensing starts at 75 percent of the context window and reduces to 45 percent.
    The window is that of the model in the head, else of the configured model. If the context window is unknown, 128000
    tokens are assumed and a note reports it.

    The result is always a valid conversation: a tool call and its result stay or go together, reasoning stays or goes
    with its turn, and a conversation that was invalid before is repaired as by ai-transform --repair. System messages
    and the first and the latest user message are kept. If what must be kept exceeds the size, the program fails with
    exit status 1 and reports the size that is needed.

    The end of the conversation is kept as it is. Older steps are trimmed, and the oldest are replaced by a digest that
    lists what was said, what failed, commands, files, ids and names. --strategy selects the methods: reasoning (remove
    the reasoning of finished turns), superseded (remove reads and writes of a file of which a later full copy is
    kept), images (remove images), arguments (shorten long arguments), results (replace tool results by a placeholder
    with a summary, a hash and, if the result says so, that the call failed), clip (cut the middle of very long
    results), digest, window (remove the oldest steps), summary (have a model summarize). They are applied in this
    order, least loss first. The default is all except summary. If that is not enough, --on-overflow removes the oldest
    steps (truncate), removes everything that may be removed (compact), or fails (error).

    Token counts are exact for OpenAI's models. For other models they are estimated and calibrated with the usage that
    the conversation reports. No state is kept between runs: the same conversation with some more messages gives the
    same beginning, until the size is exceeded again. --trigger sets the size above which condensing starts, and
    --budget the size to reduce to. --trigger 60k --budget 60k uses all of the 60k in each request, and is the most
    expensive setting for a session, because each request is condensed anew and misses the prompt cache. If the trigger
    is above the budget, the model's prices decide how much is removed at once: as little as makes a request cost at
    most an eighth more than one of half the budget.

    --with names a command that writes summaries. It reads a conversation and appends an answer: ai-complete -m MODEL,
    a script, a pipe. It gets the removed part, in chunks of bounded size, and a request for a summary under these
    headings: Goal, Constraints, Requests, Decisions, Files and code, Errors and fixes, State, Pending, Next. --prompt
    replaces this request; the summary must then have the headings that the prompt numbers or names. Each summary is
    checked (headings, length, no tool calls, stop reason, names that must occur). If the check fails, only the digest
    is used and a note gives the reason. The cost is in "_meta" in both cases, and ai-wc counts it. Without --with, the
    summary strategy uses the small_model of the configuration (or AI_SMALL_MODEL), else ai-complete -m extract, which
    needs no model.

    The removed records can be kept in three ways. --mark leaves them in the output, marked as hidden from the model:
    no program here sends them, counts them for a request or rolls them up. --ledger appends each to a file, with its
    SHA-256 and the reason. --backup first writes the whole transcript to a directory. --restore gives the original
    back byte for byte from any of the three; it refuses a ledger or a backup that was changed after it was written.`;

export const EXAMPLES: readonly Example[] = [
  {
    title: 'keep the first message and as many of the latest turns as fit',
    command: 'ai-condense --budget 30',
    stdin: `{"role":"user","content":"My name is Ada."}
{"role":"assistant","content":"Hello Ada."}
{"role":"user","content":"What is the weather?"}
{"role":"assistant","content":"I cannot see it from here."}
{"role":"user","content":"And my name?"}
`,
    stdout: `{"role":"user","content":"My name is Ada."}
{"role":"user","content":"And my name?"}
`,
  },
  {
    title: 'hide what does not fit, and restore it',
    command: 'ai-condense --budget 30 --strategy window --mark | ai-condense --restore',
    stdin: `{"role":"user","content":"My name is Ada."}
{"role":"assistant","content":"Hello Ada."}
{"role":"user","content":"And my name?"}
`,
    stdout: `{"role":"user","content":"My name is Ada."}
{"role":"assistant","content":"Hello Ada."}
{"role":"user","content":"And my name?"}
`,
  },
];
