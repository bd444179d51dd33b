// ai-transform: the same conversation in another dialect.
import { defineFilter } from '../../lib/cli/filter.ts';
import { formatNames } from '../../lib/formats/convert.ts';
import { describe, Losses } from '../../lib/formats/losses.ts';
import { formatNamed } from '../../lib/formats/table.ts';
import { convert } from './convert.ts';
import { Report } from './report.ts';

export default defineFilter({
  name: 'ai-transform',
  summary: 'change the dialect of a conversation',
  description: `
    Reads conversations in any known dialect and writes them in another. The dialect is found out record by record; --from says it where
    nothing else can. Records that are in the target dialect already, and records that are no part of a conversation, leave as the bytes
    they came in as.

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
    strict: { type: 'boolean', summary: 'fail at the first record that cannot be written without loss' },
    carry: { type: 'boolean', summary: 'keep in "_meta" what the way back needs, so that it is exact' },
    report: { type: 'string', arg: 'FILE', summary: 'write what became of every field, as JSON lines' },
    quiet: { type: 'boolean', short: 'q', summary: 'do not say what was lost' },
  },
  exits: { 65: 'a line of the input is bad, or --strict and something would be lost' },
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
    if (to === undefined) {
      yield* records;
      return;
    }
    const report = options.report === undefined ? undefined : new Report(options.report);
    const { strict, carry } = options;
    const losses = new Losses({ strict, carried: carry, report: report && ((event) => report.loss(event)) });
    try {
      yield* convert(records, { to, from: options.from, losses, carry }, context);
    } finally {
      report?.close();
      if (!options.quiet) for (const loss of losses.all) context.note(describe(loss));
    }
  },
});
