// ai-complete: asks the model and appends its answer.
import { type Context, defineFilter } from '../../lib/cli/filter.ts';
import { type Rec, record } from '../../lib/json/record.ts';
import type { Records } from '../../lib/jsonl/read.ts';
import { nothing, recordsIn } from './input.ts';
import { type CompleteOptions, OPTIONS } from './options.ts';

export default defineFilter({
  name: 'ai-complete',
  summary: 'ask the model, append its answer',
  description: `
    Reads a conversation to its end, sends it to the model, and writes it again with the answer as its last message, in the conversation's own
    dialect. What is known of the answer (provider, model, tokens, cost, why it stopped) is under its "_meta". A file of rolled-up conversations
    gets an answer on every line, several at once; a line that cannot be answered says why in its "_meta.error". A conversation that ends with calls
    without results is passed on as it is, and nothing is asked: ai-pending, ai-permit and ai-exec come next.

    A text is a question: an input in UTF-8 that does not begin with { or [ becomes one message of the user, with the answer behind it; with -n the
    answer stands alone. An input without a record is an error (65), since a program before this one in the pipe may have failed; with --allow-empty it
    is answered with nothing, for shards of a dataset.

    The model is --model, else the one in the head, else the configured one, else one of a server of this machine (-m local asks only those), else
    one whose key is at hand, which is said. An address counts from --model, --base-url, the environment and the configuration; one in a record
    is refused, unless ai-route was given it on its command line and both run as one user. Some are no provider's: "echo" answers with the last text of the user, "extract" with the sentences that say
    most, "gguf:FILE" runs a model file in this process, "replay:FILE" answers from recorded exchanges, and --record FILE makes such a file.

    What fails for a while is tried again: rate limits, overload, errors of the server, lost connections; after a pause of up to 1 s, 2 s, 4 s …
    30 s, and never before the server allows. What would fail again is not: a spent quota, a wrong key or request, a filter, a conversation
    that is too long. Then, and when nothing helps, the fallbacks are asked that can do better.

    Keys come from the environment (ANTHROPIC_API_KEY, OPENAI_API_KEY …) or the configuration, with --credentials logins also from the log-ins of
    Claude Code, Codex and the Gemini CLI, and are sent to their own provider alone; a server named by --base-url gets the key in AI_API_KEY, if there is one.

    All processes share one file (~/.local/state/ai/state.db; AI_STATE names another, or "off"): rates, budgets, what was spent, and which
    servers are left alone because they fail.`,
  adds: true,
  options: OPTIONS,
  exits: {
    65: 'the input is bad, empty or no conversation, or the provider refuses the request',
    69: 'no model, or it cannot be reached, or its answer cannot be read',
    75: 'the provider is busy, or some lines failed: try again later',
    77: 'the provider does not accept the key, the quota or budget is spent, or a record names an address',
    78: 'the model is not known, or its key is missing; or its price is not known, and there is a budget',
    124: 'no whole answer in time',
    130: 'interrupted',
  },
  see: ['ai-route', 'ai-condense', 'ai-recover-tools'],
  examples: [
    {
      title: 'try a pipe without a model',
      command: 'ai-complete -m echo',
      stdin: '{"role":"user","content":"Hello"}\n',
      stdout: `{"role":"user","content":"Hello"}
{"role":"assistant","content":"Hello","_meta":{"provider":"echo","model":"echo","stop":{"reason":"stop"}}}
`,
    },
  ],
  async run(records, options, context) {
    if (options.costs !== undefined)
      return (await import('./costs.ts')).costs(options.costs, context).map((row) => record(row));
    return answers(recordsIn(records, context), options, context);
  },
});

/** Nothing is loaded before there is something to answer. */
async function* answers(records: Records, options: CompleteOptions, context: Context): AsyncGenerator<Rec> {
  const source = records[Symbol.asyncIterator]();
  const first = await source.next();
  if (first.done) {
    if (options['allow-empty']) return;
    throw nothing();
  }
  const all = from(first.value, source);
  if (options['dry-run']) yield* dry(all, options, context);
  else if (options.batch !== undefined) yield* (await import('./batch/batch.ts')).batch(all, options, context);
  else yield* (await import('./run.ts')).answered(all, options, context);
}

async function* from<T>(first: T, rest: AsyncIterator<T>): AsyncGenerator<T> {
  yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

async function* dry(records: AsyncIterable<Rec>, options: CompleteOptions, context: Context): AsyncGenerator<Rec> {
  const [{ dryRun }, { canBeAsked, gathered }, { open }, { prepared }] = await Promise.all([
    import('./dry-run.ts'),
    import('./gathered.ts'),
    import('./run.ts'),
    import('./prepare.ts'),
  ]);
  for await (const conversation of gathered(records)) {
    if (!canBeAsked(conversation)) continue;
    const { session, preparation } = await open(options, context);
    yield record(await dryRun(prepared(conversation, preparation), session, options.stream || options.text));
  }
}
