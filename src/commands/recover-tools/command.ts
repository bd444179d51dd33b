// ai-recover-tools: tool calls that a model wrote as text, made real.
import { type Context, defineFilter } from '../../lib/cli/filter.ts';
import { isAboutData, misshapen } from '../../lib/dialects/read-record.ts';
import type { Rec } from '../../lib/json/record.ts';
import { Recognition } from '../../lib/transcripts/recognition.ts';
import { Follower } from './follower.ts';
import { OPTIONS } from './options.ts';
import { listFormats } from './recovery.late.ts';

export default defineFilter({
  name: 'ai-recover-tools',
  summary: 'turn tool calls that a model wrote as text into real ones',
  description: `
    Looks for tool calls in the text of assistant messages, in every format that models are known to write (--list-formats), without being
    told which. What it finds becomes structured calls in the message's own dialect; the text around it stays, reasoning marks (<think>)
    become reasoning, and "_meta.recovered" says for each call its format, where it stood, what had to be mended, and how sure it is. A
    message with nothing to recover leaves as the bytes it came in as.

    A call in a quotation, in inline code, in a block quote, or in a code fence with text behind it is left alone. Formats without a mark of
    their own (bare JSON, Python calls, tags named after tools) need the name of a tool of the conversation; where a conversation says nothing
    of its tools, they need an unmistakable shape. A call that a user or a tool said before is not taken unless its format has marks and it
    names a tool of the conversation. Arguments that are cut off are never completed: such a call stays in the text and is marked.

    Records of a stream ("delta") give what the whole message gives. Text is passed on as soon as it can be no part of a call; from the first
    thing on that may be one, the text waits for its end, since what follows can make a quotation of it. Reasoning whose beginning stood in
    the prompt is known by its end alone: what came before that has been passed on as text.`,
  options: OPTIONS,
  exits: { 65: 'a line is bad, or the file of tools is, or an input is no conversation' },
  see: ['ai-complete', 'ai-transform'],
  examples: [
    {
      title: 'a call in the format of Hermes and Qwen',
      command: 'ai-recover-tools',
      stdin: `{"model":"qwen3","tools":[{"type":"function","function":{"name":"clock","parameters":{"type":"object"}}}]}
{"role":"assistant","content":"Let me see.\\n<tool_call>\\n{\\"name\\": \\"clock\\", \\"arguments\\": {\\"zone\\": \\"UTC\\"}}\\n</tool_call>"}
`,
      stdout: `{"model":"qwen3","tools":[{"type":"function","function":{"name":"clock","parameters":{"type":"object"}}}]}
{"role":"assistant","content":"Let me see.","tool_calls":[{"id":"call_685fe7eff185","type":"function","function":{"name":"clock","arguments":"{\\"zone\\":\\"UTC\\"}"}}],"_meta":{"recovered":[{"format":"hermes-json","name":"clock","id":"call_685fe7eff185","part":0,"start":12,"end":84,"confidence":"high"}]}}
`,
    },
  ],
  *run(records, options, context) {
    if (options['list-formats']) {
      context.print(listFormats());
      return;
    }
    const follower = new Follower({
      formats: options.format,
      toolsFile: options.tools,
      strict: options.strict,
      salvage: options.salvage,
      trustQuotes: options['trust-quotes'],
      inReasoning: options['in-reasoning'],
      explain: options.explain ? context.note : undefined,
    });
    const recognition = new Recognition({ program: 'ai-recover-tools' });
    for (const batch of records.batches()) yield* recovered(recognition.all(batch), follower, context);
    yield follower.end();
    for (const failure of recognition.failures()) context.bad(failure);
  },
});

/** What takes the place of the records of a batch; of those before a bad one too. */
function* recovered(batch: Iterable<Rec>, follower: Follower, context: Context): Generator<readonly Rec[]> {
  const out: Rec[] = [];
  try {
    for (const rec of batch) {
      const after = guarded(follower, rec, context);
      if (isList(after)) for (const one of after) out.push(one);
      else out.push(after);
    }
  } catch (error) {
    yield out;
    throw error;
  }
  yield out;
}

const isList = (after: Rec | readonly Rec[]): after is readonly Rec[] => Array.isArray(after);

/** A record that cannot be read ends the program, or is passed on as it came. */
function guarded(follower: Follower, rec: Rec, context: Context): Rec | readonly Rec[] {
  try {
    return follower.take(rec);
  } catch (error) {
    const failure = misshapen(error, rec);
    if (!isAboutData(failure)) throw failure;
    context.bad(failure);
    return rec;
  }
}
