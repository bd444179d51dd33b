// Plain messages on their way from one dialect into another as bytes: what most records are, without a value or a record for each.

import { isHidden } from '../conversation/hidden.ts';
import type { Message } from '../conversation/types.ts';
import type { Calls } from '../dialects/codec/call-ids.ts';
import type { Line, Plain } from '../dialects/codec/plain-message.ts';
import { metaOf } from '../dialects/codec/plain-meta.ts';
import type { Placed, PlainLines } from '../dialects/codec/plain-types.ts';
import type { Detector } from '../dialects/detect.ts';
import { FORMATS } from '../dialects/table.ts';
import type { Format } from '../dialects/types.ts';
import { ByteRoom } from '../json/byte-buffer.ts';
import { JsonBytes } from '../json/bytes.ts';
import type { Rec } from '../json/record.ts';
import type { JsonObject } from '../json/values.ts';
import type { Read } from './adaptation.ts';
import type { Assembly } from './assemble.ts';
import type { ConvertOptions } from './convert-options.ts';

/** What is handed out at once, for the most part. */
const ROOM = 1 << 17;

/** So many messages may wait: each is kept when its bytes go, and looked at when another comes. */
const MOST = 64;

/** What it shares with the converter that it works for. */
export interface Shared {
  readonly detector: Detector;
  readonly assembly: Assembly;
  /** Of the conversation that is being converted. */
  readonly calls: () => Calls;
  /** Whether the converter is in the middle of something. */
  readonly busy: () => boolean;
  readonly put: (rec: Rec) => void;
}

interface Lines {
  readonly reader: PlainLines;
  readonly writer: PlainLines;
}

/** Takes lines that the converter would write the same. Before the converter takes anything, `handOver` gives it what waits here. */
export class Express {
  readonly #from: Format;
  readonly #open: () => Lines;
  readonly #shared: Shared;
  readonly #json = new JsonBytes();
  readonly #room = new ByteRoom(ROOM);
  /** Messages that may share a record with the next. */
  #group: Placed[] = [];
  /** Those that wait until the adaptation lets them go. */
  #waiting: Placed[] = [];

  /** Opened for the first line. */
  #lines: Lines | undefined;

  constructor(from: Format, open: () => Lines, shared: Shared) {
    this.#from = from;
    this.#open = open;
    this.#shared = shared;
  }

  /** Whether it would take a plain message now. */
  get ready(): boolean {
    const { detector, assembly, busy } = this.#shared;
    return detector.maySpeak(this.#from.name) && assembly.isOpen && !busy();
  }

  /** Takes the line that begins at `at`, and says how many bytes it has. 0: the converter has to take it. */
  take(bytes: Buffer, at: number, file: string, number: number): number {
    this.#lines ??= this.#open();
    const { reader, writer } = this.#lines;
    const json = this.#json;
    json.open(bytes, at);
    const plain = this.#group.length + this.#waiting.length < MOST ? reader.read(json) : undefined;
    if (plain === undefined || isHidden({ _meta: plain.meta })) return 0;
    const last = this.#group.at(-1)?.plain.role;
    if (writer.refuses?.(writer.joins(last, plain.role) ? this.#group : [], plain)) return 0;
    const { detector, assembly, calls } = this.#shared;
    const light = detector.isPlain(plain) ? assembly.lightFor(plain, this.#from, writer.joins) : undefined;
    if (light === undefined) return 0;
    calls().pass(plain);
    const line: Line = { bytes, at, length: json.at - at, file, number };
    if (light.waiting?.holds(plain)) {
      this.#waiting.push({ plain, line });
      return line.length;
    }
    const now = light.pass?.(plain, assembly.lose(this.#from)) ?? plain;
    assembly.settle();
    if (this.#waiting.length > 0 && light.waiting?.released(plain))
      for (const placed of this.#waiting.splice(0)) this.#place(placed, writer);
    this.#place({ plain: now, line }, writer);
    return line.length;
  }

  #place(placed: Placed, writer: PlainLines): void {
    const last = this.#group.at(-1);
    if (last && !writer.joins(last.plain.role, placed.plain.role)) this.#write(writer);
    this.#group.push(placed);
  }

  /** The bytes of the lines that were given are about to be overwritten. */
  keep(): void {
    for (const { line } of [...this.#group, ...this.#waiting]) {
      line.bytes = Buffer.from(line.bytes.subarray(line.at, line.at + line.length));
      line.at = 0;
    }
  }

  /** All that was put has been written. */
  begin(): void {
    this.#room.begin();
  }

  /** Puts what is written. */
  flush(): void {
    const bytes = this.#room.take();
    if (bytes) this.#shared.put({ value: undefined, source: bytes });
  }

  /** The same, and what waits goes to the assembly: the next may be written with it. */
  handOver(): void {
    this.flush();
    if (this.#group.length + this.#waiting.length === 0) return;
    const [reads, waiting] = [this.#group, this.#waiting].map((some) => some.splice(0).map((one) => this.#readOf(one)));
    this.#shared.assembly.resume(reads ?? [], waiting ?? [], this.#from);
  }

  #write(writer: PlainLines): void {
    const [first] = this.#group;
    if (first === undefined) return;
    const { plain, line } = first;
    if (this.#group.length === 1 && plain.shared) this.#room.copy(line.bytes, line.at, line.at + line.length);
    else writer.write(this.#group, this.#room, this.#shared.assembly.lose(this.#from));
    this.#group = [];
  }

  /** A message as the converter would have it now, with the ids that it got. */
  #readOf({ plain, line }: Placed): Read {
    const source = line.bytes.toString('utf8', line.at, line.at + line.length);
    const rec: Rec = { value: JSON.parse(source), source, file: line.file, line: line.number };
    const message = this.#from.readMessage(rec.value as JsonObject);
    return { message: withIds(message, plain), from: plain.from, recs: [rec] };
  }
}

function withIds(message: Message, plain: Plain): Message {
  const { parts } = plain;
  const ids = parts.flatMap((part) =>
    part.type === 'text' ? [] : [part.type === 'tool_call' ? part.id : part.callId],
  );
  let next = 0;
  const named = message.parts.map((part) => {
    if (part.type === 'tool_call') return { ...part, id: ids[next++] as string };
    return part.type === 'tool_result' ? { ...part, callId: ids[next++] as string } : part;
  });
  return { ...message, parts: named, meta: metaOf(plain) };
}

/** The lane for the lines of the one other dialect that has such, if the options leave room for it. */
export function expressFor({ quick, from, to }: ConvertOptions, shared: Shared): Express | undefined {
  const writing = quick ? to?.openPlain : undefined;
  if (writing === undefined) return undefined;
  for (const format of FORMATS) {
    const { name, openPlain } = format;
    if (openPlain && name !== to?.name && (from ?? name) === name)
      return new Express(format, () => ({ reader: openPlain(), writer: writing() }), shared);
  }
  return undefined;
}
