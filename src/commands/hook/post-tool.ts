// PostToolUse and PostToolUseFailure: results in, results out, and behind them what the hooks have to say.
import type { Context } from '../../lib/cli/filter.ts';
import type { FormatName, Message, Part, ToolResultPart } from '../../lib/conversation/types.ts';
import { type Identity, identify } from '../../lib/dialects/detect.ts';
import { readMessageAt } from '../../lib/dialects/read-record.ts';
import type { Format } from '../../lib/dialects/types.ts';
import { EXIT } from '../../lib/failure/failure.ts';
import { NOTHING, type Outcome } from '../../lib/hooks/outcome.ts';
import type { HookRunner } from '../../lib/hooks/runner.ts';
import { type Rec, record } from '../../lib/json/record.ts';
import { isObject, type Json, type JsonObject } from '../../lib/json/values.ts';
import type { Records } from '../../lib/jsonl/read.ts';
import { contentOf, responseOf, textOf, withOutput } from './responses.ts';
import type { Called, Session } from './session.ts';
import { stopRecord, tell } from './tell.ts';

/** One result, in whatever record it came. */
interface Given {
  readonly id: string;
  readonly name: string;
  readonly parts: readonly Part[];
  readonly error: boolean;
  /** What is known of the run. */
  readonly run: JsonObject;
}

interface PostOptions {
  /** The events that this stage is for. */
  readonly success: boolean;
  readonly failure: boolean;
}

export class PostTool {
  readonly #runner: HookRunner;
  readonly #session: Session;
  readonly #context: Context;
  readonly #options: PostOptions;
  /** What hooks have said of results whose message has not come yet. */
  readonly #done = new Map<string, Outcome>();
  /** Arguments that a hook has changed before. */
  readonly #changed = new Map<string, Called>();
  #current: FormatName | undefined;
  #stop: { readonly event: string; readonly reason: string } | undefined;
  #warned = false;

  constructor(runner: HookRunner, session: Session, context: Context, options: PostOptions) {
    this.#runner = runner;
    this.#session = session;
    this.#context = context;
    this.#options = options;
  }

  async *run(records: Records): AsyncGenerator<Rec> {
    for await (const rec of records) yield* this.#one(rec);
    if (this.#stop === undefined) return;
    this.#context.note(this.#stop.reason);
    this.#context.exit(EXIT.blocked);
    yield stopRecord(this.#stop.event, this.#stop.reason);
  }

  async *#one(rec: Rec): AsyncGenerator<Rec> {
    const { value } = rec;
    if (isObject(value) && value.type === 'result') return yield* this.#ahead(rec, value);
    if (isObject(value) && value.type === 'hook') this.#note(value);
    const identity = identify(value, this.#current);
    if (identity?.sure) this.#current ??= identity.format.name;
    if (identity?.kind !== 'message') return yield rec;
    const message = readMessageAt(rec, identity);
    if (message.parts.every(({ type }) => type !== 'tool_result')) return yield rec;
    yield* this.#message(rec, message, identity);
  }

  /** A result that waits for its message: it goes on at once, and its hooks run. */
  async *#ahead(rec: Rec, value: JsonObject): AsyncGenerator<Rec> {
    yield rec;
    const { id, name, content, is_error, run } = value;
    if (typeof id !== 'string' || typeof name !== 'string') return;
    const blocks = Array.isArray(content) ? content : [{ type: 'text', text: String(content ?? '') }];
    const parts = blocks.flatMap((block): Part[] =>
      isObject(block) && typeof block.text === 'string' ? [{ type: 'text', text: block.text }] : [],
    );
    const given = { id, name, parts, error: is_error === true, run: isObject(run) ? run : {} };
    if (this.#isFor(given)) this.#done.set(id, await this.#hooks(given));
  }

  #note({ event, id, name, input }: JsonObject): void {
    if (event === 'PreToolUse' && typeof id === 'string')
      this.#changed.set(id, { name: String(name), input: input ?? {} });
  }

  async *#message(rec: Rec, message: Message, { format }: Identity): AsyncGenerator<Rec> {
    const given = givenIn(message, (id) => this.#called(id)?.name);
    const open = given.filter((each) => !this.#done.has(each.id) && this.#isFor(each));
    // Hooks take their time, and a kill may come: what is there is written down first.
    for (const each of open) if (given.length === 1) yield record(ahead(each));
    try {
      for (const each of open) this.#done.set(each.id, await this.#hooks(each));
    } catch (error) {
      // Interrupted: the results stand all the same.
      yield rec;
      throw error;
    }
    const outcomes = new Map(given.map(({ id }) => [id, this.#done.get(id) ?? NOTHING]));
    for (const { id } of given) this.#done.delete(id);
    yield* changed(rec, message, format, outcomes);
    for (const each of given) yield* this.#said(each, outcomes.get(each.id) ?? NOTHING, format);
  }

  #called(id: string): Called | undefined {
    return this.#changed.get(id) ?? this.#session.callOf(id);
  }

  #eventOf({ error }: Given): string {
    return error ? 'PostToolUseFailure' : 'PostToolUse';
  }

  /** Whether a hook wants to know of this result. What did not run has none. */
  #isFor(given: Given): boolean {
    if (given.run.decision === 'deny') return false;
    if (given.error ? !this.#options.failure : !this.#options.success) return false;
    return this.#runner.matching(this.#eventOf(given), { tool_name: given.name }).length > 0;
  }

  async #hooks(given: Given): Promise<Outcome> {
    const { id, name, parts, error, run } = given;
    const input = this.#inputOf(id);
    const outcome = await this.#runner.run(
      this.#eventOf(given),
      {
        tool_name: name,
        tool_input: input,
        tool_use_id: id,
        ...(error
          ? { error: textOf(parts), is_interrupt: run.signal === 'SIGINT' }
          : { tool_response: responseOf(name, input, parts) }),
        ...(typeof run.ms === 'number' && { duration_ms: run.ms }),
      },
      { type: 'call', id, name, input },
    );
    tell(outcome, this.#context);
    if (outcome.stop !== undefined) this.#stop ??= { event: this.#eventOf(given), reason: outcome.stop };
    return outcome;
  }

  #inputOf(id: string): Json {
    const called = this.#called(id);
    if (called !== undefined) return called.input;
    if (!this.#warned)
      this.#context.note(
        'hooks do not get the arguments of calls: name the conversation with --conversation or AI_CONV',
      );
    this.#warned = true;
    return {};
  }

  *#said(given: Given, { blocked, context }: Outcome, format: Format): Generator<Rec> {
    const event = this.#eventOf(given);
    if (blocked !== undefined) yield* this.#session.note(`${event} hook on ${given.name}: ${blocked}`, event, format);
    for (const text of context) yield* this.#session.note(text, event, format);
  }
}

/** The results of a message, with what `_meta.runs` says of each. */
function givenIn(message: Message, nameOf: (id: string) => string | undefined): Given[] {
  const runs = isObject(message.meta) && Array.isArray(message.meta.runs) ? message.meta.runs.filter(isObject) : [];
  const parts = message.parts.filter(
    (part): part is ToolResultPart => part.type === 'tool_result' && part.by !== 'provider',
  );
  return parts.map((part, i) => {
    const run = runs.find(({ id }) => id === part.callId) ?? (runs.length === parts.length ? runs[i] : undefined) ?? {};
    const id = typeof run.id === 'string' ? run.id : part.callId;
    const name = typeof run.name === 'string' ? run.name : (part.name ?? nameOf(id) ?? '');
    return { id, name, parts: part.parts, error: part.error === true || failed(run), run };
  });
}

/** Some dialects have no mark for a result that is an error: then the run says it. */
const failed = (run: JsonObject): boolean => run.id !== undefined && run.status !== 0;

/** The message with the outputs that hooks have replaced; as it came, if they have replaced none. */
function* changed(rec: Rec, message: Message, format: Format, outcomes: ReadonlyMap<string, Outcome>): Generator<Rec> {
  const outputOf = (part: Part) => (part.type === 'tool_result' ? outcomes.get(part.callId)?.updatedOutput : undefined);
  if (message.parts.every((part) => outputOf(part) === undefined)) return yield rec;
  const parts = message.parts.map((part) => {
    const output = outputOf(part);
    return part.type === 'tool_result' && output !== undefined ? withOutput(part, output) : part;
  });
  for (const native of format.writeMessages([{ ...message, parts }], () => {})) yield record(native, rec);
}

const ahead = ({ id, name, parts, error, run }: Given): Json => ({
  type: 'result',
  id,
  name,
  content: contentOf(parts),
  ...(error && { is_error: true }),
  run,
});
