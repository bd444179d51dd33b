// ai-transform: the same conversation in another form.
import { defineFilter } from '../../lib/cli/filter.ts';
import { EXAMPLES } from './examples.ts';
import { OPTIONS } from './options.ts';
import { transform } from './transform.ts';

export default defineFilter({
  name: 'ai-transform',
  summary: 'change the dialect of a conversation',
  description: `
    Reads conversations in any known dialect and writes them in another. The dialect is found out record by record; --from says it where
    nothing else can. Records that are in the target dialect already, and records that are no part of a conversation, leave as the bytes
    they came in as; a log or a text has no place for the latter, and they are named as lost.

    Session logs of coding agents are known by their first lines. Each file is one conversation, with what is known of the session under the
    head's "_meta". The live branch is read: what was rewound, taken back or compacted away is not. --all adds the other branches and the
    threads of sub-agents, --select takes the branch that holds a record. A conversation written as the log of an agent can be opened there.

    A recorded event stream (the bytes that an API sends, or its events as JSON lines) is read as the reply that it tells. With --sse replies
    are written as event streams, and a streamed one while it still comes: behind curl the program is a gateway, and so it is behind
    ai-complete -n --stream. The items of one turn of the Responses API are one reply. A stream that breaks off is an error, and ends so
    for its readers too.

    With --carry what the target cannot express is kept under "_meta.carry" of each record, with a digest of that record, and comes back
    with it. A conversation that goes on into a third dialect needs --carry there again, and then comes back step by step.

    What the target cannot express is dropped and said on standard error: field, count and reason. With --strict the first such loss ends
    the program instead.

    Numbers beyond 2^53 and repeated keys are sure to survive only in records that leave unchanged.`,
  options: OPTIONS,
  exits: {
    1: '--check found something',
    65: 'a line of the input is bad, a stream is not whole, or --strict and something would be lost',
    69: 'a stream holds an error of its provider',
  },
  see: ['ai-complete', 'ai-recover-tools'],
  examples: EXAMPLES,
  run: transform,
});
