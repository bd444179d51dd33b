// A reply as the lines of its stream.
import type { Delta } from '../../conversation/delta.ts';
import type { Lose, Message, Part } from '../../conversation/types.ts';
import type { JsonObject } from '../../json/values.ts';
import { Telling, wholeCalls } from '../codec/part-writer.ts';
import type { Known, StreamEvent, StreamWriter } from '../codec/stream.ts';
import { writeReply } from './reply.ts';

/** The lines that would have brought the reply: what was thought, said and called, and last the counts. */
export function writeStream(message: Message, lose: Lose): StreamEvent[] {
  const { message: said, done: _, _meta, ...last } = writeReply(message, lose);
  const { role, content, thinking, tool_calls, ...more } = said as JsonObject;
  const { model, created_at } = last;
  const top = { ...(model !== undefined && { model }), ...(created_at !== undefined && { created_at }) };
  const line = (fields: JsonObject): StreamEvent => ({ data: { ...top, message: { role, ...fields }, done: false } });
  return [
    ...(typeof thinking === 'string' ? [line({ content: '', thinking })] : []),
    ...(typeof content === 'string' && content !== '' ? [line({ content })] : []),
    ...(tool_calls ? [line({ content: '', tool_calls })] : []),
    { data: { ...last, message: { role, content: '', ...more }, done: true } },
  ];
}

/** Writes a foreign reply while it comes. Calls come whole here. */
export class OllamaWriter implements StreamWriter {
  /** What every line says of the reply. */
  readonly #top: JsonObject;
  readonly #lose: Lose;
  readonly #telling = new Telling(
    wholeCalls({
      grow: (piece, { kind }) => [this.#line(kind === 'text' ? { content: piece } : { content: '', thinking: piece })],
      whole: (part) => this.#whole(part),
    }),
  );

  constructor({ by, at }: Known, lose: Lose) {
    const {
      message: _,
      done,
      done_reason,
      _meta,
      ...top
    } = writeReply({ role: 'assistant', parts: [], by, at }, () => {});
    this.#top = top;
    this.#lose = lose;
  }

  push(delta: Delta): StreamEvent[] {
    return this.#telling.push(delta);
  }

  end(message: Message): StreamEvent[] {
    const rest = this.#telling.end();
    // What a call was told as is not in this line, but the reason must know of it.
    const { message: _, _meta, ...last } = writeReply(message, () => {});
    return [...rest, { data: { ...last, message: { role: 'assistant', content: '' }, done: true } }];
  }

  fail(why: string): StreamEvent[] {
    return [{ data: { error: why } }];
  }

  #whole(part: Part): StreamEvent[] {
    const { message } = writeReply({ role: 'assistant', parts: [part] }, this.#lose);
    const { role: _, ...said } = message as JsonObject;
    return Object.values(said).every((value) => value === '') ? [] : [this.#line({ content: '', ...said })];
  }

  #line(said: JsonObject): StreamEvent {
    return { data: { ...this.#top, message: { role: 'assistant', ...said }, done: false } };
  }
}
