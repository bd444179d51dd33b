// ai-recover-tools: tool calls that a model wrote as text, made real.
import { readFileSync } from 'node:fs';
import { type Context, defineFilter } from '../../lib/cli/filter.ts';
import { type Identity, identify } from '../../lib/formats/detect.ts';
import { isAboutData, misshapen } from '../../lib/formats/read.ts';
import type { Format } from '../../lib/formats/types.ts';
import { mayHoldCall } from '../../lib/grammars/may-hold.ts';
import { Toolset } from '../../lib/grammars/toolset.ts';
import { EXIT, Failure, placeOf } from '../../lib/ir/failure.ts';
import { isObject, type Json, type JsonObject } from '../../lib/ir/json.ts';
import { type Rec, record } from '../../lib/ir/record.ts';
import type { Tool } from '../../lib/ir/types.ts';
import { History } from './history.ts';
import type { Call } from './judge.ts';
import { MessageRecovery } from './message.ts';

export default defineFilter({
  name: 'ai-recover-tools',
  summary: 'turn tool calls that a model wrote as text into real ones',
  description: `
    Looks for calls in the text of assistant messages.`,
  options: {},
  see: ['ai-complete', 'ai-transform'],
  examples: [],
  *run(records, _options, context) {
    const recovery = new Recovery();
    for (const rec of records) yield guarded(recovery, rec, context);
  },
});

/** A record that cannot be read ends the program, or is passed on as it came. */
function guarded(recovery: Recovery, rec: Rec, context: Context): Rec {
  try {
    return recovery.take(rec);
  } catch (error) {
    const failure = misshapen(error, rec);
    if (!isAboutData(failure)) throw failure;
    context.bad(failure);
    return rec;
  }
}

/** Follows one stream: its dialect, and the tools that the last head named. */
class Recovery {
  #current: string | undefined;
  #tools = new Toolset(undefined);
  #history = new History(this.#tools);
  #messages = 0;
  #ids = new Set<string>();

  take(rec: Rec): Rec {
    const identity = identify(rec.value, this.#current);
    if (identity === undefined) return rec;
    if (identity.sure) this.#current = identity.format.name;
    const native = rec.value as JsonObject;
    if (identity.kind === 'head') return this.#takeHead(rec, identity);
    if (identity.kind === 'conversation') return this.#takeRolled(rec, identity, native);
    const after = this.#recover(native, identity);
    return after === native ? rec : record(after, rec);
  }

  #takeHead(rec: Rec, { format }: Identity): Rec {
    const { head } = format.readHead(rec.value as JsonObject);
    this.#tools = new Toolset(head.tools);
    this.#history = new History(this.#tools);
    this.#messages = 0;
    this.#ids = new Set();
    return rec;
  }

  #takeRolled(rec: Rec, { format }: Identity, native: JsonObject): Rec {
    const { [format.messagesKey]: messages, ...body } = native;
    this.#takeHead({ value: body }, { format, kind: 'head', sure: true });
    const list: Json[] = Array.isArray(messages) ? messages : [];
    const after = list.map((item) => {
      const identity = identify(item, format.name);
      return identity && isObject(item) ? this.#recover(item, identity) : item;
    });
    return after.every((item, i) => item === list[i]) ? rec : record({ ...native, [format.messagesKey]: after }, rec);
  }

  /** The message with its calls made real, or the same object. */
  #recover(native: JsonObject, { format, kind }: Identity): JsonObject {
    this.#messages += 1;
    if (native.role !== 'assistant' && kind !== 'reply') {
      this.#history.add(native);
      return native;
    }
    const rules = { tools: this.#tools, strict: false, trustQuotes: false, copied: (call: Call) => this.#history.has(call), inReasoning: false, salvage: false };
    const { native: after } = new MessageRecovery(format, rules, (call) => this.#idOf(call)).run(native, kind);
    return after ?? native;
  }

  /** The same text in the same place of the stream gets the same id. */
  #idOf({ name, input, id }: Call): string {
    if (id !== undefined && !this.#ids.has(id)) {
      this.#ids.add(id);
      return id;
    }
    const { createHash } = process.getBuiltinModule('node:crypto');
    for (let n = 0; ; n += 1) {
      const digest = createHash('sha256').update(`${this.#messages}\0${n}\0${name}\0${JSON.stringify(input)}`).digest('hex');
      const made = `call_${digest.slice(0, 12)}`;
      if (this.#ids.has(made)) continue;
      this.#ids.add(made);
      return made;
    }
  }
}
export { readFileSync, EXIT, Failure, placeOf, mayHoldCall };
export type { Format, Tool };
