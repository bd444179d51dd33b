// Writes a conversation with its answer: as records, with the deltas before them, or as text alone.
import type { Context } from '../../../lib/cli/filter.ts';
import type { Delta } from '../../../lib/conversation/delta.ts';
import { type Conversation, emit } from '../../../lib/conversion/gather.ts';
import { type Rec, record } from '../../../lib/json/record.ts';
import type { Json } from '../../../lib/json/values.ts';
import type { OnDelta, Reply } from '../receive/reply.ts';
import type { Run } from '../run.ts';
import { appendReply, replyRecords } from './records.ts';

type Ask = (onDelta: OnDelta | undefined) => Promise<Reply>;

/** The conversation and the answer of `ask`, in the form that the options ask for. `input` is the conversation as it was read. */
export async function* writeAnswer(
  conversation: Conversation,
  input: Conversation,
  run: Run,
  ask: Ask,
): AsyncGenerator<Rec> {
  if (run.options.text) await printText(run.context, ask);
  else if (run.options.stream) yield* streamDeltas(conversation, run, ask);
  else yield* emit(appendReply(conversation, await showPreview(run, ask), run), input);
}

/** Shows a preview where standard error is a terminal. */
async function showPreview({ options, context }: Run, ask: Ask): Promise<Reply> {
  if (options.quiet || !context.stderrIsTerminal) return ask(undefined);
  const preview = new Preview(context.show);
  try {
    return await ask((delta) => preview.push(delta));
  } finally {
    preview.end();
  }
}

async function* streamDeltas(conversation: Conversation, run: Run, ask: Ask): AsyncGenerator<Rec> {
  yield* emit(conversation);
  const queue = new Queue<Delta>();
  const done = ask((delta) => queue.push(delta)).finally(() => queue.close());
  done.catch(() => {});
  for await (const delta of queue) yield record(delta as unknown as Json);
  for (const native of replyRecords(conversation, await done, run)) yield record(native);
}

async function printText({ print }: Context, ask: Ask): Promise<void> {
  let last = '';
  await ask(({ text, refusal }) => {
    const piece = text ?? refusal ?? '';
    if (piece === '') return;
    last = piece;
    print(piece);
  });
  if (!last.endsWith('\n')) print('\n');
}

/** Items that one side pushes and the other reads as they arrive. */
class Queue<T> implements AsyncIterable<T> {
  #items: T[] = [];
  #closed = false;
  #wake = () => {};

  push(item: T): void {
    this.#items.push(item);
    this.#wake();
  }

  close(): void {
    this.#closed = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const items = this.#items;
      this.#items = [];
      yield* items;
      if (this.#items.length > 0) continue;
      if (this.#closed) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

/** Shows the answer on a terminal's standard error as it arrives, without control characters. `end` closes the last line. */
class Preview {
  readonly #show: (text: string) => void;
  #last = '';

  constructor(show: (text: string) => void) {
    this.#show = show;
  }

  push({ text, refusal, name }: Delta): void {
    const piece = text ?? refusal ?? (name === undefined ? '' : `[${name}]`);
    const shown = piece.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu, '');
    if (shown === '') return;
    this.#last = shown;
    this.#show(shown);
  }

  end(): void {
    if (this.#last !== '' && !this.#last.endsWith('\n')) this.#show('\n');
    this.#last = '';
  }
}
