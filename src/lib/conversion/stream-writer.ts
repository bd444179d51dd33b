// A reply written in another dialect while it comes.
import type { Lose, Message } from '../conversation/types.ts';
import type { StreamEvent, StreamWriter } from '../dialects/codec/stream.ts';
import type { Format } from '../dialects/types.ts';
import { sayResiduals, sayStop } from './losses.ts';
import type { Step, Stream } from './reply-streams.ts';

/** Writes one reply. `now` is the time for dialects that say when a reply was made, where it does not say so itself. */
export class LiveWriter {
  readonly to: Format;
  readonly #stream: Stream;
  readonly #lose: Lose;
  readonly #now: number;
  #writer: StreamWriter | undefined;
  #told = 0;

  constructor(to: Format, stream: Stream, lose: Lose, now: number) {
    this.to = to;
    this.#stream = stream;
    this.#lose = lose;
    this.#now = now;
  }

  /** What can be told now. */
  push({ deltas }: Pick<Extract<Step, { type: 'event' }>, 'deltas'>): StreamEvent[] {
    const events: StreamEvent[] = [];
    for (const delta of deltas) {
      this.#told += delta.part?.type === 'text' ? delta.part.text.length : (delta.text?.length ?? 0);
      events.push(...(this.#open()?.push(delta) ?? []));
    }
    return events;
  }

  /** The rest and the end. What was told otherwise than the whole says is named. */
  end(reply: Message): StreamEvent[] {
    const message = { at: this.#now, ...reply };
    sayStop(message, this.to.writeReply(message, this.#lose), this.to, this.#lose);
    const { format } = this.#stream;
    sayResiduals([message], format.name, this.#lose, format.echoes);
    const writer = this.#open();
    if (writer === undefined) return this.to.writeStream?.(message, () => {}) ?? [];
    const whole = message.parts.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0);
    // What was told cannot be taken back; in strict mode it is an error.
    if (whole !== this.#told)
      this.#lose('text', 'the end of the stream contradicts the deltas that were written', 'changed');
    return writer.end(message);
  }

  /** Tells the reader that nothing more comes. */
  fail(why: string): StreamEvent[] {
    return this.#open()?.fail(why) ?? [];
  }

  #open(): StreamWriter | undefined {
    const known = { at: this.#now, ...this.#stream.reader.known };
    this.#writer ??= this.to.openWriter?.(known, this.#lose);
    return this.#writer;
  }
}
