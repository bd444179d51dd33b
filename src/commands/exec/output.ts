// What a tool prints: the beginning and the end of it for the model, and where that is not all, the whole in a file.
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { withoutControls } from '../../lib/text/control-characters.ts';

/** More of one output is not kept. */
const MOST_KEPT = 256 * 1024 * 1024;

export interface Captured {
  readonly text: string;
  readonly bytes: number;
  /** The file that holds all of it. */
  readonly kept?: string;
}

/** Takes output as it comes, in constant memory. */
export class Capture {
  readonly #most: number;
  readonly #keep: Keep;
  #head: Uint8Array[] = [];
  #tail: Uint8Array[] = [];
  #tailSize = 0;
  #bytes = 0;
  #file: { fd: number; path: string } | undefined;

  /** `most` bytes go to the model; what is more is kept by `keep`. */
  constructor(most: number, keep: Keep) {
    this.#most = most;
    this.#keep = keep;
  }

  push(chunk: Uint8Array): void {
    const before = this.#bytes;
    this.#bytes += chunk.length;
    if (this.#bytes <= this.#most) {
      this.#head.push(chunk);
      return;
    }
    if (before <= this.#most) this.#overflow(chunk);
    else {
      if (this.#file && this.#bytes <= MOST_KEPT) writeSync(this.#file.fd, chunk);
      this.#follow(chunk);
    }
  }

  /** From here on all goes into a file, and only the ends stay in memory. */
  #overflow(chunk: Uint8Array): void {
    const all = Buffer.concat([...this.#head, chunk]);
    this.#file = this.#keep.open();
    if (this.#file) writeSync(this.#file.fd, all);
    const half = this.#most >> 1;
    this.#head = [all.subarray(0, half)];
    this.#follow(all.subarray(half));
  }

  #follow(chunk: Uint8Array): void {
    const half = this.#most >> 1;
    this.#tail.push(chunk.length > half ? Buffer.from(chunk.subarray(-half)) : chunk);
    this.#tailSize += Math.min(chunk.length, half);
    while (this.#tail.length > 1 && this.#tailSize - (this.#tail[0]?.length ?? 0) >= half)
      this.#tailSize -= this.#tail.shift()?.length ?? 0;
  }

  end(): Captured {
    if (this.#file) closeSync(this.#file.fd);
    if (this.#bytes <= this.#most) return { text: clean(Buffer.concat(this.#head)), bytes: this.#bytes };
    const half = this.#most >> 1;
    const head = wholeHead(Buffer.concat(this.#head));
    const tail = wholeTail(Buffer.concat(this.#tail).subarray(-half));
    const kept = this.#file?.path;
    const left = this.#bytes - head.length - tail.length;
    const where = kept === undefined ? 'they could not be kept' : `all of it is in ${kept}`;
    return {
      text: `${clean(head)}\n[… ${left} bytes are omitted here; ${where} …]\n${clean(tail)}`,
      bytes: this.#bytes,
      ...(kept && { kept }),
    };
  }
}

const clean = (bytes: Uint8Array): string => withoutControls(Buffer.from(bytes).toString('utf8'));

/** Bytes that do not end, or begin, inside a character. */
function wholeHead(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  for (let back = 1; back <= 4 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      if (length > back) end = bytes.length - back;
      break;
    }
  }
  return bytes.subarray(0, end);
}

function wholeTail(bytes: Uint8Array): Uint8Array {
  let begin = 0;
  while (begin < 4 && ((bytes[begin] ?? 0) & 0xc0) === 0x80) begin += 1;
  return bytes.subarray(begin);
}

/** Opens files for outputs that are too long, readable by their owner alone. */
export class Keep {
  readonly #directory: string | undefined;
  readonly #name: string;

  constructor(directory: string | undefined, name: string) {
    this.#directory = directory;
    this.#name = name;
  }

  /** A new file; undefined if there can be none. */
  open(): { fd: number; path: string } | undefined {
    if (this.#directory === undefined) return undefined;
    try {
      mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    } catch {
      return undefined;
    }
    for (let n = 0; n < 1000; n++) {
      const path = join(this.#directory, `${this.#name}${n === 0 ? '' : `.${n}`}.txt`);
      try {
        return { fd: openSync(path, 'wx', 0o600), path };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return undefined;
      }
    }
    return undefined;
  }
}

/** A text that is too long, cut in the same way. */
export function cut(text: string, most: number, keep: Keep): Captured {
  const capture = new Capture(most, keep);
  capture.push(Buffer.from(text));
  return capture.end();
}
