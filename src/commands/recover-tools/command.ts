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
  summary: 'convert tool calls that a model wrote as text into structured calls',
  description: `
    Finds tool calls in the text of assistant messages, in every format that models are known to write
    (--list-formats), and detects the format. Each call becomes a structured call in the message's own dialect. The
    text around it stays, and reasoning tags (<think>) become reasoning. "_meta.recovered" has for each call its
    format, its position, what had to be repaired, and the confidence. A message without such calls is passed through
    byte for byte.

    A call in a quotation, in inline code, in a block quote, or in a code fence with text after it is left alone.
    Formats without distinctive markers (bare JSON, Python calls, tags named after tools) must name a tool of the
    conversation; if the conversation declares no tools, they must have an unmistakable form. A call that repeats text
    of a user or a tool is taken only if its format has markers and it names a tool of the conversation. Truncated
    arguments are never completed: such a call stays in the text and is marked.

    Streaming deltas ("delta" records) give the same result as the complete message. Text is passed on as soon as it
    cannot be part of a call; from the first text that could be a call on, it is held back until the end of the text,
    because what follows could make it a quotation. If the start tag of the reasoning is in the prompt, the reasoning
    is detected only at its end tag; what came before has then been passed on as text.`,
  options: OPTIONS,
  exits: { 65: 'a line or the --tools file is invalid, or an input is not a conversation' },
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
