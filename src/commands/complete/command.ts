// ai-complete: asks the model and appends its answer.
import { type Context, defineFilter } from '../../lib/cli/filter.ts';
import { type Rec, record } from '../../lib/json/record.ts';
import type { Records } from '../../lib/jsonl/read.ts';
import { emptyInput, readInput } from './input.ts';
import { type CompleteOptions, OPTIONS } from './options.ts';

const EXITS = {
  65: 'the input is invalid, empty or not a conversation, or the provider rejects the request',
  69: 'no model is available, it cannot be reached, or its answer cannot be read',
  75: 'the provider is rate limited or overloaded, or some lines failed: try again later',
  77: 'the provider rejects the key, the quota or budget is spent, or a record names a URL',
  78: 'the model is unknown or its key is missing, or a budget is set and the price of the model is unknown',
  124: 'timeout: no complete answer in time',
  130: 'interrupted',
};

const DESCRIPTION = `
    Reads a conversation to its end, sends it to the model, and writes the conversation followed by the answer, in the
    same dialect. The answer's "_meta" holds the provider, the model, tokens, cost and stop reason. In a dataset (one
    rolled-up conversation per line) every line gets an answer, several requests at a time; a line that cannot be
    answered gets the error in "_meta.error". A conversation that ends with tool calls without results is passed
    through unchanged and no request is sent: run ai-pending, ai-permit and ai-exec first.

    Plain text is a question: UTF-8 input that does not begin with { or [ becomes one user message, and the answer
    follows it; with -n only the answer is written. Input without any record is an error (65), because an earlier
    program in the pipe may have failed. With --allow-empty, empty input gives empty output; use it for datasets of
    which some shards are empty.

    The model is the first of these that exists: --model, the model in the head, the configured model, a server on this
    machine (-m local tries only those), a provider whose API key is set. A note reports which of the last two was
    chosen. A URL is accepted as a model from --model, --base-url, the environment and the configuration. A URL in a
    record is refused (77), unless ai-route got it on its command line and was run by the same user. Four built-in
    models need no provider: "echo" repeats the last user text, "extract" answers with the most informative sentences,
    "gguf:FILE" runs a GGUF model file in this process, and "replay:FILE" replays exchanges that --record FILE has
    recorded.

    Temporary failures are retried: rate limits, overload, server errors and lost connections. The delay is random, up
    to 1 s, 2 s, 4 s … 30 s (exponential backoff), and never shorter than the server asks for. Permanent failures are
    not retried: a spent quota, a wrong key or request, a content filter, a conversation that exceeds the context
    window. After a permanent failure, or when the retries are used up, the request goes to those fallbacks
    (--fallback) that may succeed where this model failed.

    API keys come from the environment (ANTHROPIC_API_KEY, OPENAI_API_KEY …) or the configuration; with --credentials
    logins also from the logins of Claude Code, Codex and the Gemini CLI. A key is sent only to its own provider. A
    server named by --base-url gets the key in AI_API_KEY, if set.

    All processes share one state file (~/.local/state/ai/state.db; AI_STATE names another file, AI_STATE=off disables
    it). It holds rate limits, budgets, what was spent, and the circuit breaker, which stops requests to a server that
    keeps failing for a while.`;

export default defineFilter({
  name: 'ai-complete',
  summary: 'ask the model, append its answer',
  description: DESCRIPTION,
  adds: true,
  options: OPTIONS,
  exits: EXITS,
  see: ['ai-route', 'ai-condense', 'ai-recover-tools'],
  examples: [
    {
      title: 'test a pipe without a model',
      command: 'ai-complete -m echo',
      stdin: '{"role":"user","content":"Hello"}\n',
      stdout: `{"role":"user","content":"Hello"}
{"role":"assistant","content":"Hello","_meta":{"provider":"echo","model":"echo","stop":{"reason":"stop"}}}
`,
    },
  ],
  async run(records, options, context) {
    if (options.costs !== undefined)
      return (await import('./costs.ts')).readCosts(options.costs, context).map((row) => record(row));
    return complete(readInput(records, context), options, context);
  },
});

/** Nothing is loaded before the first record. */
async function* complete(records: Records, options: CompleteOptions, context: Context): AsyncGenerator<Rec> {
  const source = records[Symbol.asyncIterator]();
  const first = await source.next();
  if (first.done) {
    if (options['allow-empty']) return;
    throw emptyInput();
  }
  const all = prepend(first.value, source);
  if (options.batch !== undefined && !options['dry-run'])
    yield* (await import('./batch/batch.ts')).runBatchStep(all, options, context);
  else {
    const { completeInput, describeRequests } = await import('./pipeline.ts');
    yield* (options['dry-run'] ? describeRequests : completeInput)(all, options, context);
  }
}

async function* prepend<T>(first: T, rest: AsyncIterator<T>): AsyncGenerator<T> {
  yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}
