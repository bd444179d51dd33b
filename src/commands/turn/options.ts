// The help of ai-turn and its options.
import type { Options } from '../../lib/cli/filter.ts';

export const DESCRIPTION = `
    Reads a conversation to its end and writes whose turn it is, as one word: "tools" if calls of the last turn need
    results, "model" if the model has not answered yet, "user" if it has, or if there is only a head. This is enough
    for a loop:

    while :; do case $(ai-turn <c.jsonl) in tools) …;; model) ai-complete -n <c.jsonl >>c.jsonl;; *) break;; esac; done

    --say writes a user message instead, in the conversation's dialect, to be appended to it. If the conversation
    already ends with this user message and the model has not answered it, nothing is written, so that a script can be
    restarted after an interruption. With --agent the user hands over to that agent or mode: the agent's prompt is put
    before the text. --answer writes the last text of the model. If the input has several conversations, the last one
    is used. Input without any record is an error, except with --say. A truncated last line is skipped with a note.`;

export const OPTIONS = {
  say: { type: 'string', short: 's', arg: 'TEXT', summary: 'write a user message with this text' },
  agent: { type: 'string', arg: 'NAME', summary: 'with --say: hand over to this agent or mode; see AI_AGENTS' },
  answer: { type: 'boolean', short: 'a', summary: "write the text of the model's last answer" },
} as const satisfies Options;
