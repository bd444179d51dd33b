// Short texts that come again and again, found by their bytes.

/** A power of two: a place is a hash cut short. */
const PLACES = 256;

/** Longer ones are no names. */
const LONGEST = 64;

/** Texts by their bytes. One that takes another's place is made again, so that nothing grows. */
export class Words {
  readonly #bytes: (Uint8Array | undefined)[] = new Array(PLACES).fill(undefined);
  readonly #texts: string[] = new Array(PLACES).fill('');

  /** The text of some bytes of UTF-8. */
  of(bytes: Buffer, from: number, to: number): string {
    const length = to - from;
    if (length === 0 || length > LONGEST) return bytes.toString('utf8', from, to);
    let hash = length;
    for (let at = from; at < to; at += 1) hash = (hash * 31 + (bytes[at] as number)) | 0;
    const place = hash & (PLACES - 1);
    const known = this.#bytes[place];
    if (known !== undefined && isSame(known, bytes, from, length)) return this.#texts[place] as string;
    const text = bytes.toString('utf8', from, to);
    this.#bytes[place] = new Uint8Array(bytes.subarray(from, to));
    this.#texts[place] = text;
    return text;
  }
}

function isSame(known: Uint8Array, bytes: Uint8Array, from: number, length: number): boolean {
  if (known.length !== length) return false;
  for (let i = 0; i < length; i += 1) if (known[i] !== bytes[from + i]) return false;
  return true;
}
