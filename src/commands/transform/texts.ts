// Inputs that are text.
import type { TextFormat, Transcript } from '../../lib/formats/types.ts';
import { badInput } from '../../lib/ir/failure.ts';
import type { Input } from '../../lib/jsonl/read.ts';
import type { Arrival } from './sessions.ts';

/** The conversations of each input, read as text. Throws a Failure (65) for one that is not UTF-8 or too long for a string. */
export function* textsOf(inputs: readonly Input[], from: TextFormat, read: (text: string) => Transcript[]) {
  for (const { name, chunks } of inputs) {
    const place = { value: undefined, file: name, line: 1 };
    const text = decode(Buffer.concat([...chunks()].map((chunk) => Buffer.from(chunk))), name);
    yield read(text).map((transcript): Arrival => ({ transcript, from, place }));
  }
}

function decode(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    const why = error instanceof TypeError ? 'not valid UTF-8' : 'longer than 512 MB';
    throw badInput({ value: undefined, file, line: 1 }, `cannot read the text: ${why}`);
  }
}
