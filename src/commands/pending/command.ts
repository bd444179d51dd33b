// ai-pending: the tool calls of a conversation that have no result yet.
import { type Context, defineFilter } from '../../lib/cli/filter.ts';
import type { CallRecord } from '../../lib/conversation/loop-records.ts';
import { type Conversation, conversations, firstRecord } from '../../lib/conversion/gather.ts';
import { openCalls } from '../../lib/conversion/open-calls.ts';
import { isAboutData, misshapen } from '../../lib/dialects/read-record.ts';
import { EXIT } from '../../lib/failure/failure.ts';
import { record } from '../../lib/json/record.ts';
import type { Json } from '../../lib/json/values.ts';
import { Recognition } from '../../lib/transcripts/recognition.ts';

export default defineFilter({
  name: 'ai-pending',
  summary: 'the tool calls that have no result yet',
  description: `
    Reads a conversation to its end and writes the calls of the assistant's last turn that have no result, one record each, in order. Calls that
    the provider ran itself want none. The first stage of the loop:

    ai-pending <c.jsonl | ai-permit -p rules.json | ai-exec -T tools >>c.jsonl

    A call is {"type":"call","id","name","input","dialect","turn","index","of"}: "text" stands in place of "input" where the arguments are no
    JSON; "dialect" is how the result will be written; the call is number "index" of turn "turn", of whose calls "of" want a result.
    "started":true says that a run which was stopped had begun it, "result" that it had finished, "tainted":true that text from the network is in
    the conversation. Decisions in the input mean nothing: a call leaves here undecided.

    The records that ai-exec adds to a conversation are read here and nowhere else: {"type":"started"}, written before a tool with side effects
    runs, and {"type":"result"}, written where the dialect keeps the results of a turn in one message and some are still to come. A last line that
    was cut off in the middle is skipped with a note.`,
  toleratesTornTail: true,
  options: {
    quiet: { type: 'boolean', short: 'q', summary: 'write nothing: the exit status says it' },
    all: { type: 'boolean', summary: 'look at every turn, not only the last one of each conversation' },
  },
  exits: { 0: 'there are open calls', 1: 'there are none', 65: 'a line is bad, or an input is no conversation' },
  see: ['ai-permit', 'ai-exec'],
  examples: [
    {
      title: 'one of two calls was answered',
      command: 'ai-pending',
      stdin: `{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"LS","arguments":"{}"}},{"id":"b","type":"function","function":{"name":"Read","arguments":"{\\"file_path\\":\\"x\\"}"}}]}
{"role":"tool","tool_call_id":"a","content":"x"}
`,
      stdout: `{"type":"call","id":"b","name":"Read","input":{"file_path":"x"},"dialect":"openai","turn":0,"index":1,"of":1}
`,
    },
  ],
  *run(records, options, context) {
    const found: CallRecord[] = [];
    let turns = 0;
    const recognition = new Recognition({ program: 'ai-pending' });
    for (const conversation of conversations(recognition.all(records))) {
      const open = guarded(conversation, options.all, turns, context);
      turns = (open.at(-1)?.turn ?? turns - 1) + 1;
      for (const one of open) found.push(one);
    }
    if (found.length === 0) context.exit(EXIT.no);
    // Only now: the results may be appended to the file that is read here.
    if (!options.quiet) for (const call of found) yield record(call as unknown as Json);
    for (const failure of recognition.failures()) context.bad(failure);
  },
});

/** A conversation that cannot be read ends the program, or has no open calls. */
function guarded(conversation: Conversation, all: boolean, turns: number, context: Context): CallRecord[] {
  try {
    return openCalls(conversation, all, turns);
  } catch (raised) {
    const error = misshapen(raised, firstRecord(conversation) ?? { value: undefined });
    if (!isAboutData(error)) throw error;
    context.bad(error);
    return [];
  }
}
