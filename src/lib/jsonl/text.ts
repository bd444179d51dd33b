// Inputs that may be text in place of records: a question as people type it.
import { badInput } from '../failure/failure.ts';
import type { Input } from './read.ts';

/** The input, with its text as a record that holds it. What begins with `{` or `[`, behind white space, is no text and passes. */
export function textAsRecord(input: Input, recordOf: (text: string) => object): Input {
  return { ...input, asyncChunks: () => chunksOf(input, recordOf) };
}

/** Throws a Failure (65) for what is neither JSON nor text. */
async function* chunksOf(input: Input, recordOf: (text: string) => object): AsyncGenerator<Uint8Array> {
  let isText: boolean | undefined;
  let kept: Buffer[] = [];
  for await (const chunk of input.asyncChunks()) {
    if (isText !== false) {
      // The next chunk overwrites this one.
      kept.push(Buffer.from(chunk));
      if (isText === undefined) {
        kept = [Buffer.concat(kept)];
        isText = beginsText(kept[0] as Buffer);
      }
      if (isText !== false) continue;
      yield* kept;
      kept = [];
    } else yield chunk;
  }
  if (isText) yield Buffer.from(`${JSON.stringify(recordOf(decode(Buffer.concat(kept), input.name)))}\n`);
  else yield* kept;
}

const MARK = Buffer.from('\ufeff');
const WHITE = new Set([0x20, 0x09, 0x0a, 0x0b, 0x0c, 0x0d]);
const [BRACKET, BRACE] = [0x5b, 0x7b];

/** undefined: there is only white space so far. */
function beginsText(bytes: Buffer): boolean | undefined {
  const begin = bytes.subarray(0, MARK.length).equals(MARK) ? MARK.length : 0;
  if (begin === 0 && bytes.length < MARK.length && MARK.subarray(0, bytes.length).equals(bytes)) return undefined;
  for (let i = begin; i < bytes.length; i += 1) {
    const byte = bytes[i] as number;
    if (!WHITE.has(byte)) return byte !== BRACE && byte !== BRACKET;
  }
  return undefined;
}

function decode(bytes: Buffer, file: string): string {
  const place = { value: undefined, file, line: 1 };
  if (bytes.includes(0))
    throw badInput(place, 'cannot read the input: it contains NUL bytes, so it is neither JSON nor text');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).trimEnd();
  } catch (error) {
    const why = error instanceof TypeError ? 'it is neither JSON nor UTF-8 text' : 'it is longer than 512 MB';
    throw badInput(place, `cannot read the input: ${why}`);
  }
}
