// ai-transform: the same conversation in another form.
import { defineFilter } from '../../lib/cli/filter.ts';
import { EXAMPLES } from './examples.ts';
import { OPTIONS } from './options.ts';
import { transform } from './transform.ts';

export default defineFilter({
  name: 'ai-transform',
  summary: 'convert a conversation to another dialect',
  description: `
    Reads conversations in any known dialect and writes them in another. The dialect is detected for each record;
    --from sets it where it cannot be detected. Records that already are in the target dialect, and records that are
    not part of a conversation, are passed through byte for byte. A log or text format has no place for records that
    are not part of a conversation; they are dropped and reported.

    Session logs of coding agents are detected by their first lines. Each file is one conversation, and the session's
    properties are under the head's "_meta". Only the active branch is read: not what was rewound, undone or compacted
    away. --all adds the other branches and the conversations of sub-agents; --select reads the branch that contains a
    record. A conversation written as an agent's session log can be resumed in that agent.

    A recorded event stream (the bytes that an API sends, or its events as JSON lines) is read as the reply that it
    contains. --sse writes replies as an event stream, and converts a streamed reply as it arrives: behind curl, or
    behind ai-complete -n --stream, the program is a gateway. The items of one turn of the Responses API are one reply.
    If the stream breaks off, that is an error (65), and the stream that is written ends with an error too.

    What the target dialect cannot express is dropped, and reported on standard error: field, count and reason. With
    --strict the program fails at the first such loss. With --carry it is kept under "_meta.carry" of the record, with
    a digest of that record, and restored when the record is converted back: the round trip is exact. If the
    conversation goes on to a third dialect, use --carry there too; it is then restored step by step.

    Numbers beyond 2^53 and repeated keys are preserved for certain only in records that are passed through unchanged.`,
  options: OPTIONS,
  exits: {
    1: '--check found problems',
    65: 'a line is invalid, a stream is incomplete, or --strict is set and a field would be lost',
    69: 'a stream contains an error from the provider',
  },
  see: ['ai-complete', 'ai-recover-tools'],
  examples: EXAMPLES,
  run: transform,
});
