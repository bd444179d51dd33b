// The help of ai-pending and its options.
import type { Options } from '../../lib/cli/filter.ts';

export const DESCRIPTION = `
    Reads a conversation to its end and writes the tool calls of the assistant's last turn that have no result, one
    record each, in order. Calls that the provider ran itself are skipped. It is the first stage of the loop:

    ai-pending <c.jsonl | ai-permit -p rules.json | ai-exec -T tools >>c.jsonl

    A call is {"type":"call","id","name","input","dialect","turn","index","of"}. If the arguments are not valid JSON,
    "text" replaces "input". "dialect" is the dialect for the result. The call is number "index" of turn "turn", in
    which "of" calls need a result. "started":true means that an interrupted run had started the call, "result" that it
    had finished it, "tainted":true that the conversation contains text from the network. Decisions in the input are
    ignored: a call is always written without a decision.

    ai-pending also reads the records that ai-exec adds to a conversation: {"type":"started"}, written before a tool
    with side effects runs, and {"type":"result"}, written if the dialect keeps the results of a turn in one message
    and some are still missing. A truncated last line is skipped with a note.`;

export const OPTIONS = {
  quiet: { type: 'boolean', short: 'q', summary: 'write nothing; only set the exit status' },
  all: { type: 'boolean', summary: 'list the open calls of every turn, not only of the last one' },
} as const satisfies Options;
