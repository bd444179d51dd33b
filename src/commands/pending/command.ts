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
import { DESCRIPTION, OPTIONS } from './options.ts';

export default defineFilter({
  name: 'ai-pending',
  summary: 'list the tool calls that have no result yet',
  description: DESCRIPTION,
  toleratesTornTail: true,
  options: OPTIONS,
  exits: { 0: 'there are open calls', 1: 'there are none', 65: 'a line is invalid, or an input is not a conversation' },
  see: ['ai-permit', 'ai-exec'],
  examples: [
    {
      title: 'one of two calls has a result',
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
