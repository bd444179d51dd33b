// ai-recover-tools: tool calls that a model wrote as text, made real.
import { type Context, defineFilter } from '../../lib/cli/filter.ts';
import { type Identity, identify } from '../../lib/formats/detect.ts';
import { isAboutData, misshapen } from '../../lib/formats/read.ts';
import { isObject, type Json, type JsonObject } from '../../lib/ir/json.ts';
import { type Rec, record } from '../../lib/ir/record.ts';
import type { Message, Part } from '../../lib/ir/types.ts';
import { type Found, scan, splitText } from './scan.ts';

export default defineFilter({
  name: 'ai-recover-tools',
  summary: 'turn tool calls that a model wrote as text into real ones',
  description: `
    Looks for calls in the text of assistant messages: <tool_call>{"name": …, "arguments": …}</tool_call> anywhere, and a JSON code fence at
    the end of the text that names one of the conversation's tools. What it finds becomes structured calls in the message's own dialect;
    "_meta.recovered" says what was found where. A message without such calls leaves as the bytes it came in as.`,
  options: {},
  see: ['ai-complete', 'ai-transform'],
  examples: [
    {
      title: 'a call in the Hermes format',
      command: 'ai-recover-tools',
      stdin:
        '{"role":"assistant","content":"<tool_call>{\\"name\\":\\"clock\\",\\"arguments\\":{\\"zone\\":\\"UTC\\"}}</tool_call>"}\n',
      stdout: `{"role":"assistant","content":null,"tool_calls":[{"id":"call_1fe561c24dab","type":"function","function":{"name":"clock","arguments":"{\\"zone\\":\\"UTC\\"}"}}],"_meta":{"recovered":[{"format":"hermes","name":"clock","start":0,"end":66}]}}
`,
    },
  ],
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
  #tools = new Set<string>();
  #count = 0;

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
    this.#tools = new Set(head.tools?.map((tool) => tool.name));
    this.#count = 0;
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
    if (native.role !== 'assistant' && kind !== 'reply') return native;
    const message = kind === 'reply' ? format.readReply(native) : format.readMessage(native);
    const found: Found[] = [];
    const parts = message.parts.flatMap((part) => this.#inPart(part, found));
    if (found.length === 0) return native;
    const recovered = found.map(({ format: name, name: tool, start, end }) => ({
      format: name,
      name: tool,
      start,
      end,
    }));
    const stop = message.stop && { ...message.stop, reason: 'tool_calls' as const };
    const changed: Message = { ...message, parts, stop, meta: { ...message.meta, recovered } };
    if (kind !== 'reply') return format.writeMessages([changed], ignore)[0] ?? native;
    return format.writeReply(changed, ignore);
  }

  #inPart(part: Part, all: Found[]): readonly Part[] {
    if (part.type !== 'text') return [part];
    const found = scan(part.text, (name) => this.#tools.has(name));
    if (found.length === 0) return [part];
    all.push(...found);
    return splitText(part.text, found, (call) => this.#idOf(call));
  }

  /** The same text in the same place of the stream gets the same id. */
  #idOf({ name, input }: Found): string {
    this.#count += 1;
    // Taken when it is needed: loading it costs as much as the rest of the program.
    const { createHash } = process.getBuiltinModule('node:crypto');
    const digest = createHash('sha256')
      .update(`${this.#count}\0${name}\0${JSON.stringify(input)}`)
      .digest('hex');
    return `call_${digest.slice(0, 12)}`;
  }
}

/** The message stays in its own dialect: nothing can be lost. */
const ignore = () => {};
