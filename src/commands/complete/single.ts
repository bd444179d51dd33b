// A conversation of lines: answered by itself, and live where that is wanted.
import type { Context } from '../../lib/cli/filter.ts';
import type { Delta } from '../../lib/conversation/delta.ts';
import { type Conversation, emit } from '../../lib/conversion/gather.ts';
import { type Rec, record } from '../../lib/json/record.ts';
import type { Json } from '../../lib/json/values.ts';
import { AttemptFailed } from '../../lib/providers/errors.ts';
import { answer, type Reply } from './answer.ts';
import type { Ask } from './ask.ts';
import { waitsFor } from './open-calls.ts';
import type { CompleteOptions } from './options.ts';
import { prepared } from './prepare.ts';
import { Preview } from './preview.ts';
import { Queue } from './queue.ts';
import { withAnswer, written } from './reply.ts';
import type { Ready } from './run.ts';

/** The reply. Throws a Failure. */
export async function complete(
  conversation: Conversation,
  { session, checker }: Ready,
  onDelta: Ask['onDelta'],
): Promise<Reply> {
  try {
    if (checker === undefined) return await answer(conversation, session, onDelta);
    const { structured } = await import('./structured.ts');
    return await structured(conversation, session, checker, onDelta);
  } catch (error) {
    throw error instanceof AttemptFailed ? error.failure : error;
  }
}

export async function* live(
  before: Conversation,
  ready: Ready,
  options: CompleteOptions,
  context: Context,
): AsyncGenerator<Rec> {
  const waits = waitsFor(before);
  if (waits !== undefined) {
    ready.session.note(waits);
    if (!options.new && !options.text) yield* emit(before);
    return;
  }
  const conversation = prepared(before, ready.preparation);
  const shown = options.new ? before : conversation;
  if (options.text) yield* saying(conversation, ready, context);
  else if (options.stream) yield* streaming(conversation, shown, ready);
  else yield* emit(withAnswer(shown, await previewed(conversation, ready, options, context), ready.session), before);
}

/** Whole, with a preview for somebody who waits at a terminal. */
async function previewed(
  conversation: Conversation,
  ready: Ready,
  { quiet }: CompleteOptions,
  { stderrIsTerminal, show }: Context,
): Promise<Reply> {
  if (quiet || !stderrIsTerminal) return complete(conversation, ready, undefined);
  const preview = new Preview(show);
  try {
    return await complete(conversation, ready, (delta) => preview.push(delta));
  } finally {
    preview.end();
  }
}

async function* streaming(conversation: Conversation, shown: Conversation, ready: Ready): AsyncGenerator<Rec> {
  yield* emit(shown);
  const queue = new Queue<Delta>();
  const done = complete(conversation, ready, (delta) => queue.push(delta)).finally(() => queue.close());
  done.catch(() => {});
  for await (const delta of queue) yield record(delta as unknown as Json);
  for (const native of written(shown, await done, ready.session)) yield record(native);
}

async function* saying(conversation: Conversation, ready: Ready, context: Context): AsyncGenerator<Rec> {
  let last = '';
  await complete(conversation, ready, ({ text, refusal }) => {
    const piece = text ?? refusal ?? '';
    if (piece === '') return;
    last = piece;
    context.print(piece);
  });
  if (!last.endsWith('\n')) context.print('\n');
  yield* [];
}
