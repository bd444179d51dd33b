// ai-complete as a pipeline. Each conversation goes through five phases, a folder each:
//   prepare   group the records into conversations, apply the flags
//   select    find the model, its server and its credential; after a failure, a fallback
//   request   write the conversation in the API's dialect, authorize it, wait for rate limits and budgets
//   receive   send it, retry temporary failures, read the reply; or take the reply from the cache or a model that is built in
//   write     emit the conversation with the answer, as records, deltas or text
import type { Context } from '../../lib/cli/filter.ts';
import { type Conversation, emit } from '../../lib/conversion/gather.ts';
import { describe, Losses } from '../../lib/conversion/losses.ts';
import { type Rec, record } from '../../lib/json/record.ts';
import { AttemptFailed, ToldInPart } from '../../lib/providers/errors.ts';
import { deadline } from '../../lib/providers/http.ts';
import { overflowIn } from '../../lib/providers/overflow.ts';
import { builtInModel } from './built-in/models.ts';
import { Dataset } from './dataset/dataset.ts';
import { emptyInput } from './input.ts';
import type { CompleteOptions } from './options.ts';
import { describePendingCalls, hasContent, readConversations, requireAnswerable } from './prepare/conversations.ts';
import { applyFlags } from './prepare/flags.ts';
import { receiveReply } from './receive/attempts.ts';
import { addReplyMeta, type OnDelta, type Reply } from './receive/reply.ts';
import { buildApiRequest } from './request/build.ts';
import { openRun, type Run } from './run.ts';
import { Selection } from './select/selection.ts';
import { writeAnswer } from './write/output.ts';

/** Answers every conversation of the input: those of unrolled lines one at a time, those of a dataset in parallel. */
export async function* completeInput(
  records: AsyncIterable<Rec>,
  options: CompleteOptions,
  context: Context,
): AsyncGenerator<Rec> {
  const source = readConversations(records);
  let run: Run | undefined;
  let dataset: Dataset | undefined;
  for (let next = await source.next(); !next.done; ) {
    const input = next.value;
    if (hasContent(input)) {
      run ??= await openRun(options, context);
      if (input.rolled !== undefined) {
        dataset ??= await Dataset.open(run, completeConversation);
        next = yield* dataset.complete(input, source);
        continue;
      }
      yield* completeLive(input, run);
    } else if (!options.text) yield* emit(input);
    next = await source.next();
  }
  dataset?.end();
  if (run === undefined && !options['allow-empty']) throw emptyInput();
}

/** A conversation of unrolled lines, written as its answer arrives. */
async function* completeLive(input: Conversation, run: Run): AsyncGenerator<Rec> {
  const pending = describePendingCalls(input);
  if (pending !== undefined) {
    run.note(pending);
    if (!run.options.new && !run.options.text) yield* emit(input);
    return;
  }
  const conversation = applyFlags(input, run.flags);
  const shown = run.options.new ? input : conversation;
  yield* writeAnswer(shown, input, run, (onDelta) => completeConversation(conversation, run, onDelta));
}

/** --dry-run: the requests, without sending them. */
export async function* describeRequests(
  records: AsyncIterable<Rec>,
  options: CompleteOptions,
  context: Context,
): AsyncGenerator<Rec> {
  const { describeRequest } = await import('./request/dry-run.ts');
  let run: Run | undefined;
  for await (const conversation of readConversations(records)) {
    if (!hasContent(conversation)) continue;
    run ??= await openRun(options, context);
    yield record(await describeRequest(applyFlags(conversation, run.flags), run));
  }
}

/** The reply to a prepared conversation, with --schema a valid one. Throws a Failure. */
async function completeConversation(conversation: Conversation, run: Run, onDelta?: OnDelta): Promise<Reply> {
  try {
    if (run.answerSchema === undefined) return await reply(conversation, run, onDelta);
    const { replyWithSchema } = await import('./receive/schema-check.ts');
    return await replyWithSchema(conversation, run, run.answerSchema, (next) => reply(next, run, undefined), onDelta);
  } catch (error) {
    throw error instanceof AttemptFailed ? error.failure : error;
  }
}

/** The reply of the selected model, or of the first fallback that can give one. Throws a Failure, or AttemptFailed where a provider is the reason. */
async function reply(conversation: Conversation, run: Run, onDelta: OnDelta | undefined): Promise<Reply> {
  requireAnswerable(conversation);
  const builtIn = builtInModel(run.options.model);
  if (builtIn) return builtIn(conversation, run, onDelta);
  const { signal, clear } = deadline(run.options.timeout, run.context.signal);
  try {
    const selection = await Selection.open(conversation, run);
    for (;;) {
      try {
        return await exchange(conversation, selection, run, signal, onDelta);
      } catch (error) {
        selection.fallBack(error);
      }
    }
  } finally {
    clear();
  }
}

/** One request and its reply. A conversation that is too long for the model is shortened once, with --condense-on-overflow. */
async function exchange(
  conversation: Conversation,
  selection: Selection,
  run: Run,
  signal: AbortSignal,
  onDelta: OnDelta | undefined,
  shortened = false,
): Promise<Reply> {
  const { target } = selection;
  const losses = new Losses();
  const request = buildApiRequest(conversation, target, run, onDelta !== undefined, losses);
  for (const loss of losses.real) run.noteOnce(describe(loss));
  try {
    const received = await receiveReply(request, target, run, signal, onDelta);
    return { message: addReplyMeta(received, target, selection.failed), format: target.format };
  } catch (error) {
    const tooLong = error instanceof AttemptFailed && error.kind === 'overflow' && !(error instanceof ToldInPart);
    if (!tooLong || !run.options['condense-on-overflow'] || shortened) throw error;
    const limit = overflowIn(error.answered ?? 400, error.message)?.limit ?? target.facts?.context;
    const { condenseConversation } = await import('./request/condense.ts');
    run.note(`${error.message}; shortening it with ai-condense`);
    const shorter = await condenseConversation(conversation, limit, run.context);
    return exchange(shorter, selection, run, signal, onDelta, true);
  }
}
