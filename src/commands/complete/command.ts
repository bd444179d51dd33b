// ai-complete: asks the model and appends its answer.
import { type Context, defineFilter } from '../../lib/cli/filter.ts';
import { type Conversation, emit, Gatherer } from '../../lib/formats/conversation.ts';
import { describe, Losses } from '../../lib/formats/losses.ts';
import type { Delta } from '../../lib/ir/delta.ts';
import type { Json, JsonObject } from '../../lib/ir/json.ts';
import { type Rec, record } from '../../lib/ir/record.ts';
import type { Records } from '../../lib/jsonl/read.ts';
import { AttemptFailed } from '../../lib/providers/errors.ts';
import { type AnswerOptions, answer, type Reply } from './answer.ts';

export default defineFilter({
  name: 'ai-complete',
  summary: 'ask the model, append its answer',
  description: `
    Reads a conversation to its end, sends it to the model, and writes it again with the answer as its last message, in the conversation's own
    dialect. What is known of the answer (provider, model, usage, why it stopped) is under its "_meta". A file of rolled-up conversations gets
    an answer on every line.

    The model is --model, else the one in the head. Three names are not models: "echo" answers with the last text of the user, "replay:FILE"
    answers from recorded exchanges, and --record FILE makes such a file.

    Keys come from the environment (ANTHROPIC_API_KEY, OPENAI_API_KEY …) and are sent to their own provider alone; a server named by
    --base-url gets the key in AI_API_KEY, if there is one.`,
  adds: true,
  options: {
    model: { type: 'string', short: 'm', arg: 'MODEL', summary: 'PROVIDER/MODEL, echo, or replay:FILE' },
    'base-url': { type: 'string', arg: 'URL', summary: "another server that speaks the provider's API" },
    stream: { type: 'boolean', summary: 'write delta records as they come; the whole message still comes last' },
    text: { type: 'boolean', short: 't', summary: 'write only the text of the answer, as it comes' },
    retries: { type: 'integer', arg: 'N', default: 2, min: 0, summary: 'how often to try again' },
    timeout: { type: 'number', arg: 'SECONDS', default: 600, min: 0.001, summary: 'how long one answer may take' },
    record: { type: 'string', arg: 'FILE', summary: 'add the exchange to a file for replay:FILE' },
  },
  exits: {
    65: 'the input is bad, or the provider refuses the request',
    69: 'the provider cannot be reached, or its answer cannot be read',
    75: 'the provider is busy: try again later',
    77: 'the provider does not accept the key, or the quota is spent',
    78: 'no model is named, or its key is missing',
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
  async *run(records, options, context) {
    const settings = {
      model: options.model,
      baseUrl: options['base-url'],
      retries: options.retries,
      timeout: options.timeout,
      record: options.record,
    };
    for await (const conversation of gathered(records)) {
      if (options.text) yield* saying(conversation, settings, context);
      else if (options.stream) yield* streaming(conversation, settings, context);
      else yield* whole(conversation, await complete(conversation, settings, context), context);
    }
  },
});

async function* gathered(records: Records): AsyncGenerator<Conversation> {
  const gatherer = new Gatherer();
  for await (const rec of records) yield* gatherer.push(rec);
  yield* gatherer.end();
}

async function complete(conversation: Conversation, options: AnswerOptions, context: Context): Promise<Reply> {
  try {
    return await answer(conversation, options, context);
  } catch (error) {
    throw error instanceof AttemptFailed ? error.failure : error;
  }
}

function whole(conversation: Conversation, reply: Reply, context: Context): Iterable<Rec> {
  const items = [
    ...conversation.items,
    ...written(conversation, reply, context).map((native) => ({ rec: record(native) })),
  ];
  return emit({ ...conversation, items }, conversation);
}

/** The answer in the conversation's dialect; an undecided one takes the provider's. */
function written(conversation: Conversation, { message, format }: Reply, context: Context): JsonObject[] {
  const to = conversation.decided ? conversation.format : format;
  const losses = new Losses();
  const natives = to.writeMessages([message], losses.between(format.name, to.name));
  for (const loss of losses.all) context.note(describe(loss));
  return natives;
}

async function* streaming(conversation: Conversation, options: AnswerOptions, context: Context): AsyncGenerator<Rec> {
  if (conversation.rolled) {
    yield* whole(conversation, await complete(conversation, options, context), context);
    return;
  }
  yield* emit(conversation);
  const queue = new Queue<Delta>();
  const done = complete(conversation, { ...options, onDelta: (delta) => queue.push(delta) }, context).finally(() =>
    queue.close(),
  );
  done.catch(() => {});
  for await (const delta of queue) yield record(delta as unknown as Json);
  for (const native of written(conversation, await done, context)) yield record(native);
}

async function* saying(conversation: Conversation, options: AnswerOptions, context: Context): AsyncGenerator<Rec> {
  let last = '';
  const onDelta = ({ text }: Delta) => {
    if (text === undefined || text === '') return;
    last = text;
    context.print(text);
  };
  await complete(conversation, { ...options, onDelta }, context);
  if (!last.endsWith('\n')) context.print('\n');
  yield* [];
}

/** What one side tells and the other reads as it comes. */
class Queue<T> implements AsyncIterable<T> {
  readonly #items: T[] = [];
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
      yield* this.#items.splice(0);
      if (this.#closed && this.#items.length === 0) return;
      if (this.#items.length === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
