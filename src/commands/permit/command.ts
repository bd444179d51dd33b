// ai-permit: decides which tool calls may run.
import { type Context, defineFilter } from '../../lib/cli/filter.ts';
import { isCall, readCall } from '../../lib/conversation/loop-records.ts';
import { misshapen } from '../../lib/dialects/read-record.ts';
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import { type Rec, record } from '../../lib/json/record.ts';
import type { Json } from '../../lib/json/values.ts';
import { type Policy, readPolicies } from '../../lib/permissions/policy.ts';
import { Recognition } from '../../lib/transcripts/recognition.ts';
import type { DecideOptions, Decider } from './decide.ts';
import { DESCRIPTION, OPTIONS } from './options.ts';

export default defineFilter({
  name: 'ai-permit',
  summary: 'decide which tool calls may run',
  description: DESCRIPTION,
  options: OPTIONS,
  exits: {
    65: 'a line is invalid, or no record is a call or a message',
    77: 'a call was deferred and stays open',
    78: 'the rules cannot be read or are not trusted',
  },
  see: ['ai-pending', 'ai-exec'],
  examples: [
    {
      title: 'repair an interrupted conversation: answer its open calls without running them',
      command: "ai-permit --deny 'the user stopped it'",
      stdin: '{"type":"call","id":"a","name":"Bash","input":{"command":"make"},"dialect":"openai"}\n',
      stdout:
        '{"type":"call","id":"a","name":"Bash","input":{"command":"make"},"dialect":"openai","decision":"deny","reason":"the user stopped it","by":"--deny","digest":"sha256:7bd38f4c130e18382d930b75c5ec13cc4bc04b6f36ffeb353eb703812799c293"}\n',
    },
  ],
  async *run(records, options, context) {
    const files = options.policy.length > 0 ? options.policy : (context.env.AI_RULES ?? '').split(':').filter(Boolean);
    const policy = await readPolicies(files, context.cwd);
    const onAsk = options['on-ask'] === 'stop' ? 'stop' : 'deny';
    const { deny, hooks, rerun } = options;
    let decider: Decider | undefined;
    const recognition = new Recognition({ program: 'ai-permit' });
    try {
      for (const rec of recognition.all(records)) {
        decider ??= await makeDecider(
          policy,
          { onAsk, deny, hooks, rerun, askTainted: options['ask-tainted'] },
          context,
        );
        const decided = isCall(rec.value) ? await decide(decider, rec, context) : rec;
        if (decided) yield decided;
      }
    } finally {
      decider?.close();
    }
    for (const failure of recognition.failures()) context.bad(failure);
  },
});

/** Made for the first record: a run without any starts sooner. */
async function makeDecider(policy: Policy, options: DecideOptions, context: Context): Promise<Decider> {
  const { Decider: Made } = await import('./decide.ts');
  return new Made(policy, options, context);
}

/** The call decided; undefined if it stays open. A record that cannot be read ends the program, or is left out: it must not run. */
async function decide(decider: Decider, rec: Rec, context: Context): Promise<Rec | undefined> {
  try {
    const decided = await decider.decide(readCall(rec.value as never));
    if (decided) return record(decided as unknown as Json, rec);
    context.exit(EXIT.notPermitted);
    return undefined;
  } catch (error) {
    const failure = misshapen(error, rec);
    if (!(failure instanceof Failure) || failure.status !== EXIT.badInput) throw failure;
    context.bad(failure);
    return undefined;
  }
}
