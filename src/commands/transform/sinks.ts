// Where conversations go: into a dialect, record by record; into a session log, as a whole; into text, piece by piece.

import { isHidden } from '../../lib/conversation/hidden.ts';
import type { FormatName, Message } from '../../lib/conversation/types.ts';
import type { Adapt } from '../../lib/conversion/adaptation.ts';
import { whyNotCarried, withoutCarry } from '../../lib/conversion/carry.ts';
import { Converter } from '../../lib/conversion/convert.ts';
import type { ConvertOptions } from '../../lib/conversion/convert-options.ts';
import { type Losses, sayHead, sayHeadResiduals, sayMarks, sayResiduals } from '../../lib/conversion/losses.ts';
import { Listener, type Said, said } from '../../lib/conversion/transcript.ts';
import { standardMedia } from '../../lib/dialects/codec/base64.ts';
import { misshapen } from '../../lib/dialects/read-record.ts';
import type { Fresh, LogFormat, Named, TextFormat, TextWriter, Transcript } from '../../lib/dialects/types.ts';
import { badInput } from '../../lib/failure/failure.ts';
import { type Rec, record } from '../../lib/json/record.ts';
import { isObject } from '../../lib/json/values.ts';
import type { ReadConversation } from '../../lib/transcripts/find-logs.ts';
import { Adapted } from './adapted.ts';

/** Takes records and conversations, and gives the records that can be written now. */
export interface Sink {
  /** Whether a record that cannot be read may leave as it came. */
  readonly passes: boolean;
  /** Adds to `out`. */
  record(rec: Rec, out: Rec[]): void;
  /** The dialect of the next record, where that alone may not tell it. */
  speaks(dialect: FormatName): void;
  conversation(read: ReadConversation): Rec[];
  end(): Rec[];
  /** After an error: what was made before it and not yet handed out. */
  drain(): Rec[];
}

/** Where nothing changes. */
export class Passage implements Sink {
  readonly passes = true;

  record(rec: Rec, out: Rec[]): void {
    out.push(rec);
  }

  speaks(): void {}

  conversation(): Rec[] {
    return [];
  }

  end(): Rec[] {
    return [];
  }

  drain(): Rec[] {
    return [];
  }
}

export class DialectSink implements Sink {
  readonly passes = true;
  readonly #converter: Converter;

  constructor(options: ConvertOptions) {
    this.#converter = new Converter(options);
  }

  record(rec: Rec, out: Rec[]): void {
    this.#converter.pushTo(rec, out);
  }

  speaks(dialect: FormatName): void {
    this.#converter.speaks(dialect);
  }

  conversation({ transcript, from, place, rolled }: ReadConversation): Rec[] {
    return rolled
      ? this.#converter.pushRolled(transcript, from, place)
      : this.#converter.pushTranscript(transcript, from, place);
  }

  end(): Rec[] {
    return this.#converter.end();
  }

  drain(): Rec[] {
    return this.#converter.drain();
  }
}

interface ViewOptions {
  readonly from: FormatName | undefined;
  readonly to: FormatName;
  readonly losses: Losses;
  readonly adapt?: Adapt;
}

/** What the two others share: they need the view. */
abstract class ViewSink implements Sink {
  readonly passes = false;
  readonly #listener: Listener;
  readonly #adapted: Adapted | undefined;
  readonly #left: (word: Said) => Said;

  constructor({ from, to, losses, adapt }: ViewOptions) {
    this.#left = (word) => leaving(word, to, losses);
    const lose = losses.between('unknown', to);
    this.#listener = new Listener(from, (rec) => {
      losses.at(rec);
      lose('record', isHidden(rec.value) ? 'it is hidden from the model' : 'it is not part of a conversation');
    });
    this.#adapted = adapt && new Adapted(adapt, to, losses);
  }

  record(rec: Rec, out: Rec[]): void {
    for (const one of this.#hearAll(this.#listener.push(rec))) out.push(one);
  }

  speaks(dialect: FormatName): void {
    this.#listener.speaks(dialect);
  }

  conversation({ transcript, from, place }: ReadConversation): Rec[] {
    return this.#hearAll(said(transcript, from, place));
  }

  end(): Rec[] {
    const last = this.#adapted?.end() ?? [];
    return [...last.flatMap((word) => this.hear(word)), ...this.close()];
  }

  drain(): Rec[] {
    return [];
  }

  #hearAll(said: readonly Said[]): Rec[] {
    const adapted = this.#adapted;
    const words = said.map(this.#left);
    return (adapted ? words.flatMap((word) => adapted.hear(word)) : words).flatMap((word) => this.hear(word));
  }

  protected abstract hear(word: Said): Rec[];
  protected abstract close(): Rec[];
}

/** Without what counts for the records that it was read from: what they carry, and another alphabet for bytes. */
function leaving(said: Said, to: FormatName, losses: Losses): Said {
  if (said.type === 'end') return said;
  const word = said.type === 'message' ? standard(said, to) : said;
  const { meta } = word.type === 'begin' ? word.about.head : word.message;
  const left = withoutCarry(meta);
  if (left === meta) return word;
  losses.between(word.from.name, to)('_meta.carry', whyNotCarried(word.from.name));
  if (word.type === 'message') return { ...word, message: { ...word.message, meta: left } };
  return { ...word, about: { ...word.about, head: { ...word.about.head, meta: left } } };
}

function standard(word: Extract<Said, { type: 'message' }>, to: FormatName): Said & { type: 'message' } {
  const parts = standardMedia(word.message.parts, to);
  return parts === word.message.parts ? word : { ...word, message: { ...word.message, parts } };
}

export class LogSink extends ViewSink {
  readonly #to: LogFormat;
  readonly #fresh: Fresh;
  readonly #losses: Losses;
  #about: Omit<Transcript, 'messages'> | undefined;
  #messages: Message[] = [];
  #from: Named | undefined;
  #first: Rec | undefined;
  #written = false;

  constructor(to: LogFormat, fresh: Fresh, options: ViewOptions) {
    super(options);
    this.#to = to;
    this.#fresh = fresh;
    this.#losses = options.losses;
  }

  protected hear(word: Said): Rec[] {
    if (word.type === 'end') return this.close();
    const out = word.type === 'begin' ? this.close() : [];
    this.#from ??= word.from;
    this.#first ??= word.rec;
    if (word.type === 'begin') this.#about = word.about;
    else this.#messages.push(word.message);
    return out;
  }

  protected close(): Rec[] {
    const from = this.#from;
    const messages = this.#messages;
    const about = this.#about ?? { head: {} };
    const first = this.#first;
    this.#from = undefined;
    this.#about = undefined;
    this.#messages = [];
    this.#first = undefined;
    if (from === undefined || this.#to.write === undefined) return [];
    if (this.#written && this.#to.unit === undefined)
      throw badInput(
        first,
        `cannot write a second conversation: a log of ${this.#to.name} contains only one`,
        'run the program once for each conversation',
      );
    this.#written = true;
    try {
      return this.#write({ ...about, messages }, from, first);
    } catch (error) {
      throw misshapen(error, first ?? { value: undefined });
    }
  }

  #write(transcript: Transcript, from: Named, first: Rec | undefined): Rec[] {
    const lose = this.#losses.between(from.name, this.#to.name);
    sayResiduals(transcript.messages, from.name, lose);
    if (!this.#to.marks) sayMarks(transcript.messages, lose);
    const lines = this.#to.write?.(transcript, this.#fresh, lose) ?? [];
    if (this.#to.unit === undefined) sayHead(transcript.head, from.name, lose);
    else sayHeadResiduals(transcript.head, from.name, lose);
    return lines.map((line) => record(line, first));
  }
}

/** Text leaves as the source of records that have no value, or, rolled up, as a record for each conversation. */
export class TextSink extends ViewSink {
  readonly #writer: TextWriter;
  readonly #wrapping: TextFormat | undefined;
  readonly #losses: Losses | undefined;
  readonly #to: FormatName;
  #open = false;
  #pieces: string[] = [];

  /** What a text for people leaves out is not said: they read what is said and done. A text for models is data. */
  constructor(writer: TextWriter, options: ViewOptions, text: TextFormat, rolled: boolean) {
    super(options);
    this.#writer = writer;
    this.#wrapping = rolled ? text : undefined;
    this.#losses = text.wrap ? options.losses : undefined;
    this.#to = text.name;
  }

  override record(rec: Rec, out: Rec[]): void {
    const own = isObject(rec.value) && this.#wrapping?.unwrap?.(rec.value);
    if (own) out.push(...this.#end(), rec);
    else super.record(rec, out);
  }

  protected hear(word: Said): Rec[] {
    if (word.type === 'end') return this.#end();
    const lose = this.#losses?.between(word.from.name, this.#to);
    if (word.type === 'begin') {
      const { head } = word.about;
      if (lose && head.model !== undefined) lose('model', 'text has no such field');
      if (lose) sayHead({ ...head, tools: undefined }, word.from.name, lose);
      return [...this.#end(), ...this.#begin(word.about)];
    }
    if (lose) {
      sayResiduals([word.message], word.from.name, lose);
      sayMarks([word.message], lose);
      const { by, id, usage } = word.message;
      for (const [field, value] of Object.entries({ model: by?.model, id, usage }))
        if (value !== undefined) lose(field, 'text has no such field');
    }
    const begun = this.#open ? [] : this.#begin({ head: {} });
    return [...begun, ...this.#put(this.#writer.message(word.message))];
  }

  protected close(): Rec[] {
    return [...this.#end(), ...this.#put(this.#writer.close())];
  }

  #begin(about: Omit<Transcript, 'messages'>): Rec[] {
    this.#open = true;
    return this.#put(this.#writer.begin(about));
  }

  #end(): Rec[] {
    if (!this.#open) return [];
    this.#open = false;
    const last = this.#put(this.#writer.end());
    if (this.#wrapping?.wrap === undefined) return last;
    const text = this.#pieces.join('').trimStart();
    this.#pieces = [];
    return [record(this.#wrapping.wrap(text))];
  }

  #put(text: string): Rec[] {
    if (text === '') return [];
    if (this.#wrapping === undefined) return [{ value: undefined, source: text }];
    this.#pieces.push(text);
    return [];
  }
}
