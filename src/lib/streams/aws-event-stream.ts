// The binary framing of event streams that AWS sends in place of server-sent events.
// https://docs.aws.amazon.com/AmazonS3/latest/API/RESTSelectObjectAppendix.html, https://smithy.io/2.0/aws/amazon-eventstream.html
import { isObject, type JsonObject } from '../json/values.ts';

/** A message: its headers that are text, and its payload as it came. */
interface Frame {
  readonly headers: { readonly [name: string]: string };
  readonly payload: Uint8Array;
}

/** The bytes are no event stream, or have been damaged on the way. */
export class BrokenFrame extends Error {
  constructor(why: string) {
    super(`the event stream is damaged: ${why}`);
  }
}

/** Total length, length of the headers, and the checksum of both: four bytes each. */
const PRELUDE = 12;
/** The checksum of all that comes before it. */
const CHECKSUM = 4;
/** No message of AWS is larger: https://docs.aws.amazon.com/transcribe/latest/dg/streaming-setting-up.html#streaming-event-stream */
const LARGEST = 16 * 1024 * 1024;

/** Whether bytes begin a message: undefined while there are too few of them to tell. No text begins so, since a length has a zero in front. */
export function isFramed(bytes: Uint8Array): boolean | undefined {
  if (bytes.length > 0 && bytes[0] !== 0) return false;
  if (bytes.length < PRELUDE) return undefined;
  return viewOf(bytes).getUint32(8) === crc32(bytes.subarray(0, 8));
}

/** Cuts bytes into messages, wherever they are cut into chunks. */
export class FrameParser {
  #chunks: Uint8Array[] = [];
  #held = 0;

  /** The messages that these bytes complete. Throws BrokenFrame where a checksum or a length is wrong. */
  push(bytes: Uint8Array): Frame[] {
    this.#chunks.push(bytes);
    this.#held += bytes.length;
    const frames: Frame[] = [];
    for (let size = this.#next(); size !== undefined; size = this.#next()) frames.push(readFrame(this.#take(size)));
    return frames;
  }

  /** Throws BrokenFrame if the bytes ended within a message. */
  end(): void {
    if (this.#held > 0) throw new BrokenFrame('it ends within a message');
  }

  /** The length of the next message, if it is whole. */
  #next(): number | undefined {
    if (this.#held < PRELUDE) return undefined;
    const start = this.#peek(PRELUDE);
    const view = viewOf(start);
    const size = view.getUint32(0);
    if (view.getUint32(8) !== crc32(start.subarray(0, 8))) throw new BrokenFrame('a length has the wrong checksum');
    if (size < PRELUDE + CHECKSUM || size > LARGEST || view.getUint32(4) > size - PRELUDE - CHECKSUM)
      throw new BrokenFrame('a length cannot be');
    return this.#held < size ? undefined : size;
  }

  /** The first bytes, joined only where chunks have cut them. */
  #peek(size: number): Uint8Array {
    const [first] = this.#chunks;
    return first && first.length >= size ? first.subarray(0, size) : this.#join().subarray(0, size);
  }

  #take(size: number): Uint8Array {
    const all = this.#chunks.length === 1 ? this.#chunks[0] : undefined;
    const bytes = all ?? this.#join();
    this.#chunks = bytes.length > size ? [bytes.subarray(size)] : [];
    this.#held -= size;
    return bytes.subarray(0, size);
  }

  #join(): Uint8Array {
    const joined = Buffer.concat(this.#chunks);
    this.#chunks = [joined];
    return joined;
  }
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const crc32 = (bytes: Uint8Array): number => process.getBuiltinModule('node:zlib').crc32(bytes);

function readFrame(bytes: Uint8Array): Frame {
  const view = viewOf(bytes);
  const end = bytes.length - CHECKSUM;
  if (view.getUint32(end) !== crc32(bytes.subarray(0, end))) throw new BrokenFrame('a message has the wrong checksum');
  const body = PRELUDE + view.getUint32(4);
  return { headers: readHeaders(bytes.subarray(PRELUDE, body)), payload: bytes.subarray(body, end) };
}

/** The sizes of the values of each type: flags, numbers, a time, a UUID. 6 and 7 say theirs in two bytes. */
const SIZES = [0, 0, 1, 2, 4, 8, undefined, undefined, 8, 16];
const TEXT = 7;

function readHeaders(bytes: Uint8Array): { readonly [name: string]: string } {
  const decoder = new TextDecoder();
  const view = viewOf(bytes);
  const headers = new Map<string, string>();
  let at = 0;
  while (at < bytes.length) {
    const nameEnd = at + 1 + view.getUint8(at);
    const type = nameEnd < bytes.length ? view.getUint8(nameEnd) : -1;
    const sized = SIZES[type];
    if (type < 0 || type >= SIZES.length || (sized === undefined && nameEnd + 3 > bytes.length))
      throw new BrokenFrame('a header cannot be read');
    const start = sized === undefined ? nameEnd + 3 : nameEnd + 1;
    const end = start + (sized ?? view.getUint16(nameEnd + 1));
    if (end > bytes.length) throw new BrokenFrame('a header cannot be read');
    if (type === TEXT)
      headers.set(decoder.decode(bytes.subarray(at + 1, nameEnd)), decoder.decode(bytes.subarray(start, end)));
    at = end;
  }
  return Object.fromEntries(headers);
}

/**
 * The event of a frame as SDKs show it: an object with one key, the event's type, that of an exception included. Throws BrokenFrame if the
 * payload is no JSON object.
 */
export function eventOf({ headers, payload }: Frame): JsonObject {
  const code = headers[':error-code'];
  if (headers[':message-type'] === 'error')
    return { error: { type: code, message: headers[':error-message'] ?? code } };
  const kind = headers[':event-type'] ?? headers[':exception-type'] ?? 'error';
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder().decode(payload));
  } catch {
    body = undefined;
  }
  if (!isObject(body)) throw new BrokenFrame(`the payload of "${kind}" is not a JSON object`);
  return { [kind]: body };
}

/** The message for an event as SDKs show it: an object with one key. */
export function frameOf(event: JsonObject): Uint8Array {
  const [[kind, body] = ['error', {}]] = Object.entries(event);
  const isException = kind.endsWith('Exception');
  const headers = Buffer.concat([
    header(isException ? ':exception-type' : ':event-type', kind),
    header(':content-type', 'application/json'),
    header(':message-type', isException ? 'exception' : 'event'),
  ]);
  const payload = Buffer.from(JSON.stringify(body));
  const frame = Buffer.alloc(PRELUDE + headers.length + payload.length + CHECKSUM);
  frame.writeUInt32BE(frame.length, 0);
  frame.writeUInt32BE(headers.length, 4);
  frame.writeUInt32BE(crc32(frame.subarray(0, 8)), 8);
  frame.set(headers, PRELUDE);
  frame.set(payload, PRELUDE + headers.length);
  frame.writeUInt32BE(crc32(frame.subarray(0, -CHECKSUM)), frame.length - CHECKSUM);
  return frame;
}

function header(name: string, value: string): Uint8Array {
  const size = Buffer.from([value.length >> 8, value.length & 255]);
  return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([TEXT]), size, Buffer.from(value)]);
}
