// ai-condense: a conversation that fits its budget, and is still valid.
import { type Context, defineFilter } from '../../lib/cli/filter.ts';
import { type Conversation, conversations } from '../../lib/formats/conversation.ts';
import { isAboutData, misshapen } from '../../lib/formats/read.ts';
import { EXIT, Failure } from '../../lib/ir/failure.ts';
import { type Rec, record } from '../../lib/ir/record.ts';
import { Archive } from './archive.ts';
import { condense } from './condense.ts';
import { explain } from './explain.ts';
import { type Job, jobFrom, OPTIONS } from './options.ts';
import type { Outcome } from './outcome.ts';
import { restore } from './restore.ts';
import { boundsOf } from './settings.ts';
import { asking, Summariser } from './summary/summarise.ts';

export default defineFilter({
  name: 'ai-condense',
  summary: 'make a conversation fit a token budget, still valid',
  description: `
    Makes a conversation fit.`,
  options: OPTIONS,
  exits: { 1: 'what must stay does not fit the budget', 78: 'the window of the model is not known' },
  see: ['ai-route', 'ai-complete'],
  examples: [
    {
      title: 'keep the first message and what fits of the latest turns',
      command: 'ai-condense --budget 30',
      stdin: `{"role":"user","content":"My name is Ada."}
{"role":"assistant","content":"Hello Ada."}
{"role":"user","content":"What is the weather?"}
{"role":"assistant","content":"I cannot see it from here."}
{"role":"user","content":"And my name?"}
`,
      stdout: `{"role":"user","content":"My name is Ada."}
{"role":"user","content":"And my name?"}
`,
    },
  ],
  *run(records, options, context) {
    if (options.restore) {
      yield* restore(records, options);
      return;
    }
    const job = jobFrom(options, context);
    const archive = new Archive(options, context.now);
    for (const conversation of conversations(archive.read(records)))
      yield* archive.write(conversation, guarded(conversation, job, context));
    archive.end();
  },
});

/** A conversation that cannot be read ends the program, or is passed on as it came. */
function guarded(conversation: Conversation, job: Job, context: Context): Outcome | undefined {
  try {
    const policy = { ...job.policy, summariser: job.asking && new Summariser(asking(job.asking, conversation)) };
    const task = { ...job, policy, bounds: boundsOf(conversation, job.sizes), note: context.note };
    if (job.explain) context.show(explain(conversation, task));
    return condense(conversation, task);
  } catch (error) {
    const failure = misshapen(error, firstOf(conversation));
    if (!isAboutData(failure) && !isFloor(failure)) throw failure;
    context.bad(failure);
    return undefined;
  }
}

/** With --keep-going a conversation that cannot fit is passed on as it came, and told. */
const isFloor = (error: unknown): error is Failure => error instanceof Failure && error.status === EXIT.no;

const firstOf = ({ rolled, head, items }: Conversation): Rec => rolled ?? head?.rec ?? items[0]?.rec ?? record(null);
