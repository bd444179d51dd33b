// What the manual says of ai-condense.
import type { Example } from '../../lib/cli/filter.ts';

export const DESCRIPTION = `
    Makes a conversation fit a size: tokens (8000, 60k), percent of the model's window (80%), or half of it (auto). What is not above it leaves as
    the bytes it came in as; of what is above it, 60 percent of the size are left, so that the requests of a session that follow find their beginning
    in the prompt cache. Without a size it begins at 75 percent of the window, and leaves 45. The window is that of the head's model, else of the
    configured one; where it is not known, 128000 tokens are taken for it, and a note says so.

    The result is always valid: calls and results go together, reasoning goes with its turn, and what was broken before is mended as ai-transform
    --repair does. System messages, the first message of the user and the latest stay. What must stay and does not fit is an error that says what it
    takes (exit 1).

    The end of the conversation stays as it is. Before it stand steps that are trimmed, and of what came before those a digest remembers what was
    said, what failed, commands, files, ids and names. --strategy chooses among: reasoning (of turns that are over), superseded (reads and writes
    of which a later full copy stays), images, arguments (long ones), results (a placeholder says what was there, its hash, and that the call failed
    where its result says so), clip (the middle of giant results), digest, window (the oldest steps go), summary. They are applied in this order, the
    gentlest first. Default: all but the summary. If they do not suffice, --on-overflow drops the oldest steps (truncate), does all that can be done
    (compact), or gives up (error).

    Tokens are exact for OpenAI's models and estimated for others, fitted to the usage that the conversation reports. Nothing is remembered between
    two runs: the same conversation and some messages more give the same beginning, until the size is passed again. With both, --trigger says where
    that is, and --budget what must fit afterwards: --trigger 60k --budget 60k fills a request to 60k, and is the dearest for a session, since
    each request is condensed anew. With a trigger above the budget the model's prices decide how much goes at once: as little as makes a request
    at most an eighth dearer than half of the budget would.

    --with names a command that reads a conversation and adds an answer: ai-complete -m MODEL, a script, a pipe. It gets what goes, in pieces of
    bounded size, and is asked for a summary under these headings: Goal, Constraints, Requests, Decisions, Files and code, Errors and fixes, State,
    Pending, Next. --prompt asks in other words, and the headings that they number or name are looked for instead. What it writes is checked
    (headings, length, no call of a tool, why it stopped, names that must come up); if it fails, the digest stands alone and a note says why. What it
    cost is in "_meta" either way, and ai-wc counts it. Without --with, the summary strategy asks the small_model of the configuration (or AI_SMALL_MODEL), else ai-complete -m extract, which needs no model.

    --mark leaves in the stream what goes, hidden from the model: no program here sends it, counts it for a request or rolls it up. --ledger adds it to a file, with the line, its SHA-256 and the reason. --backup
    writes the whole transcript to a folder first. --restore gives the original back, byte for byte, from any of the three; a ledger or a backup that
    was changed since is refused.`;

export const EXAMPLES: readonly Example[] = [
  {
    title: 'keep the first message and what fits of the latest turns',
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
    title: 'hide what does not fit, and give it back',
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
