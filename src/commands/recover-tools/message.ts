// One message: its texts searched, its calls made real, in its own dialect.

import type { Message, Part, Stop, TextPart } from '../../lib/conversation/types.ts';
import type { Format, Kind } from '../../lib/dialects/types.ts';
import type { JsonObject } from '../../lib/json/values.ts';
import type { Call, Judged, Left } from './judge.ts';
import { type Recovered, recoverText, type TextRules } from './text.ts';
import { Twins } from './twins.ts';

/** What is said of the message's texts, one after another. */
export interface Report {
  readonly taken: readonly Judged[];
  readonly left: readonly Left[];
}

/** Gives ids to calls, in their order. */
type IdFor = (call: Call) => string;

export class MessageRecovery {
  readonly #format: Format;
  readonly #rules: Omit<TextRules, 'last'>;
  readonly #idFor: IdFor;
  readonly #entries: JsonObject[] = [];
  #taken: readonly Judged[] = [];
  #left: readonly Left[] = [];
  readonly #twins = new Twins();
  #made = 0;

  constructor(format: Format, rules: Omit<TextRules, 'last'>, idFor: IdFor) {
    this.#format = format;
    this.#rules = rules;
    this.#idFor = idFor;
  }

  /** The message with its calls made real. `native` is undefined where there is nothing to change. */
  run(native: JsonObject, kind: Kind): { native: JsonObject | undefined; report: Report } {
    const message = kind === 'reply' ? this.#format.readReply(native) : this.#format.readMessage(native);
    for (const part of message.parts)
      if (part.type === 'tool_call') this.#twins.add({ name: part.name, input: part.input ?? {} }, part.id, '');
    const last = message.parts.findLastIndex((part) => part.type !== 'tool_call');
    let changed = false;
    const parts = message.parts.flatMap((part, index): readonly Part[] => {
      const found = this.#inPart(part, index, index === last);
      changed ||= found !== undefined;
      return found ?? [part];
    });
    const report = { taken: this.#taken, left: this.#left };
    if (!changed && this.#entries.length === 0) return { native: undefined, report };
    return { native: this.#write(message, parts, kind), report };
  }

  #inPart(part: Part, index: number, last: boolean): readonly Part[] | undefined {
    const thought = part.type === 'reasoning' && this.#rules.inReasoning && part.text !== undefined;
    if (part.type !== 'text' && !thought) return undefined;
    const text = part.text ?? '';
    const found = recoverText(text, { ...this.#rules, last });
    this.#taken = [...this.#taken, ...found.taken];
    this.#left = [...this.#left, ...found.left];
    for (const { format, start, end, cut } of found.left)
      if (cut) this.#entries.push({ format, part: index, start, end, left: 'arguments cut off' });
    if (found.pieces === undefined) return undefined;
    return part.type === 'text' ? this.#parts(part, found, index) : this.#thoughtParts(part, found, index);
  }

  #parts(part: TextPart, { pieces = [] }: Recovered, index: number): readonly Part[] {
    const parts = pieces.flatMap((piece): readonly Part[] => {
      if (piece.type === 'calls') return this.#calls(piece.judged, index);
      if (piece.type === 'reasoning') return [{ type: 'reasoning', text: piece.text }];
      return [{ ...part, text: piece.text }];
    });
    return keepsOrder(this.#format, part) ? parts.map(trimmed) : merged(parts);
  }

  #thoughtParts(part: Part, { pieces = [] }: Recovered, index: number): readonly Part[] {
    return pieces.flatMap((piece): readonly Part[] =>
      piece.type === 'calls' ? this.#calls(piece.judged, index) : [{ ...part, text: piece.text } as Part],
    );
  }

  #calls({ calls, format, start, end, confidence }: Judged, index: number): Part[] {
    return calls.flatMap((call): Part[] => {
      const { name, input, repairs, unknown } = call;
      const twin = this.#twins.of(call, format);
      const about = {
        start,
        end,
        confidence,
        ...(repairs.length > 0 && { repairs: [...repairs] }),
        ...(unknown && { unknown }),
      };
      if (twin) {
        this.#entries.push({ format, name, id: twin, part: index, ...about, duplicate: true });
        return [];
      }
      const id = this.#idFor(call);
      this.#entries.push({ format, name, id, part: index, ...about });
      this.#made += 1;
      this.#twins.add(call, id, format);
      return [{ type: 'tool_call', id, name, input }];
    });
  }

  #write(message: Message, parts: readonly Part[], kind: Kind): JsonObject {
    const made = this.#made > 0;
    const stop = made ? stopOf(message.stop) : message.stop;
    const recovered = this.#entries.length > 0 ? { meta: { ...message.meta, recovered: this.#entries } } : {};
    const changed: Message = { ...message, parts, ...(stop && { stop }), ...recovered };
    return this.#spell(changed, kind) ?? this.#spell({ ...changed, parts: parts.map(spokenThought) }, kind) ?? {};
  }

  /** The native record; undefined where the dialect would lose something. */
  #spell(message: Message, kind: Kind): JsonObject | undefined {
    let lost = false;
    const lose = (field: string) => {
      lost ||= field.includes('reasoning');
    };
    const native =
      kind === 'reply' ? this.#format.writeReply(message, lose) : this.#format.writeMessages([message], lose)[0];
    return lost ? undefined : native;
  }
}

/** A dialect that has no readable reasoning keeps it as text. */
function spokenThought(part: Part): Part {
  return part.type === 'reasoning' && part.signature === undefined && part.redacted === undefined
    ? { type: 'text', text: `<think>\n${part.text ?? ''}\n</think>` }
    : part;
}

/** A turn that ended with calls. One that was cut off stays so. */
function stopOf(stop: Stop | undefined): Stop | undefined {
  const ended = stop && (stop.reason === 'stop' || stop.reason === 'stop_sequence' || stop.reason === 'other');
  return ended ? { reason: 'tool_calls' } : stop;
}

const trimmed = (part: Part): Part => (part.type === 'text' ? { ...part, text: part.text.trim() } : part);

/** Texts of one part as one, where the dialect cannot say what stood between them. */
function merged(parts: readonly Part[]): Part[] {
  const texts = parts.filter((part): part is TextPart => part.type === 'text');
  const [first] = texts;
  if (first === undefined) return [...parts];
  const text = texts
    .map((part) => part.text)
    .join('')
    .trim();
  return parts.flatMap((part): Part[] => (part.type !== 'text' ? [part] : part === first ? [{ ...first, text }] : []));
}

const orders = new Map<string, boolean>();

/** Whether a dialect keeps the order of texts and calls in a message that is spelled like this part's. */
function keepsOrder(format: Format, _part: TextPart): boolean {
  const known = orders.get(format.name);
  if (known !== undefined) return known;
  const parts: Part[] = [
    { type: 'text', text: 'a' },
    { type: 'tool_call', id: 'call00001', name: 'f', input: {} },
    { type: 'text', text: 'b' },
  ];
  const [native] = format.writeMessages([{ role: 'assistant', parts }], () => {});
  const kinds = native ? format.readMessage(native).parts.map((part) => part.type) : [];
  const keeps = kinds.join() === 'text,tool_call,text';
  orders.set(format.name, keeps);
  return keeps;
}
