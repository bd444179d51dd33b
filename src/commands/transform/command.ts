// ai-transform: the same conversation in another dialect.
import { type Context, defineFilter } from '../../lib/cli/filter.ts';
import { Converter, formatNames } from '../../lib/formats/convert.ts';
import { describe, Losses } from '../../lib/formats/losses.ts';
import { isAboutData } from '../../lib/formats/read.ts';
import { formatNamed } from '../../lib/formats/table.ts';
import { badInput } from '../../lib/ir/failure.ts';
import type { Rec } from '../../lib/ir/record.ts';
import { asEvents } from './event-stream.ts';
import { whole } from './incoming.ts';

export default defineFilter({
  name: 'ai-transform',
  summary: 'change the dialect of a conversation',
  description: `
    Reads conversations in any known dialect and writes them in another. The dialect is found out record by record; --from says it where
    nothing else can. Records that are in the target dialect already, and records that are no part of a conversation, leave as the bytes
    they came in as.

    A recorded event stream (the text that an API sends, or its events as JSON lines) is read as the reply that it tells. With --sse replies
    are written as event streams, and a streamed one while it still comes: behind curl the program is a gateway. A stream that breaks off
    is an error, and ends so for its readers too.

    What the target cannot express is dropped and said on standard error: field, count and reason. With --strict the first such loss ends
    the program instead.

    Numbers beyond 2^53 and repeated keys survive only in records that leave unchanged.`,
  options: {
    from: {
      type: 'string',
      arg: 'DIALECT',
      choices: formatNames(),
      summary: 'the dialect to read, where it cannot be told',
    },
    to: { type: 'string', arg: 'DIALECT', choices: formatNames(), summary: 'the dialect to write' },
    sse: { type: 'boolean', summary: "write replies as the dialect's event stream, as they come" },
    strict: { type: 'boolean', summary: 'fail at the first record that cannot be written without loss' },
    quiet: { type: 'boolean', short: 'q', summary: 'do not say what was lost' },
  },
  exits: {
    65: 'a line of the input is bad, a stream is not whole, or --strict and something would be lost',
    69: 'a stream holds an error of its provider',
  },
  see: ['ai-complete', 'ai-recover-tools'],
  examples: [
    {
      title: 'a tool call, from OpenAI Chat to Anthropic',
      command: 'ai-transform --to anthropic',
      stdin: `{"role":"user","content":"What is the time?"}
{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"clock","arguments":"{}"}}]}
{"role":"tool","tool_call_id":"c1","content":"12:00"}
`,
      stdout: `{"role":"user","content":"What is the time?"}
{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"clock","input":{}}]}
{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"12:00"}]}
`,
    },
  ],
  *run(records, options, context) {
    const to = options.to === undefined ? undefined : formatNamed(options.to);
    const losses = new Losses();
    if (options.sse) yield* asEvents(records, { to, from: options.from, losses }, context);
    else if (to === undefined) yield* whole(records, options.from, context);
    else {
      const converter = new Converter({ to, from: options.from, losses, now: context.now });
      for (const rec of whole(records, options.from, context))
        yield* checked(guarded(converter, rec, context), rec, losses, options.strict);
      yield* checked(converter.end(), undefined, losses, options.strict);
    }
    if (!options.quiet) for (const loss of losses.all) context.note(describe(loss));
  },
});

/** A record that cannot be read ends the program, or is passed on as it came. */
function guarded(converter: Converter, rec: Rec, context: Context): Rec[] {
  try {
    return converter.push(rec);
  } catch (error) {
    if (!isAboutData(error)) throw error;
    context.bad(error);
    return [rec];
  }
}

function checked(out: Rec[], rec: Rec | undefined, losses: Losses, strict: boolean): Rec[] {
  const [loss] = losses.all;
  if (strict && loss)
    throw badInput(out.find((o) => o.source === undefined) ?? rec, `cannot convert without loss: ${describe(loss)}`);
  return out;
}
