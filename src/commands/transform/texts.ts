// Inputs that are text.

import type { TextFormat, Transcript } from '../../lib/dialects/types.ts';
import { badInput, Failure } from '../../lib/failure/failure.ts';
import type { Rec } from '../../lib/json/record.ts';
import type { Input } from '../../lib/jsonl/read.ts';
import type { ReadConversation } from '../../lib/transcripts/find-logs.ts';

/** The conversations of each input, read as text. Throws a Failure (65) for one that is not UTF-8 or too long for a string. */
export function* textsOf(
  inputs: readonly Input[],
  from: TextFormat,
  read: (text: string) => Transcript[],
): Generator<ReadConversation> {
  for (const { name, chunks } of inputs) {
    const place = { value: undefined, file: name, line: 1 };
    const pieces: Uint8Array[] = [];
    // The next chunk overwrites this one.
    for (const chunk of chunks()) pieces.push(Buffer.from(chunk));
    const text = decode(Buffer.concat(pieces), name);
    const found = read(text);
    if (found.length === 0 && text.trim() !== '')
      throw badInput(place, `cannot find a conversation: the text does not contain ${from.name}`);
    for (const transcript of found) yield { transcript, from, place };
  }
}

function decode(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    const why = error instanceof TypeError ? 'not valid UTF-8' : 'it is longer than 512 MB';
    throw badInput({ value: undefined, file, line: 1 }, `cannot read the text: ${why}`);
  }
}

/** The failure of a first line that is plainly text, with how to have it read. */
export function hinted(failure: Failure, { source, line }: Rec): Failure {
  if (line !== 1 || typeof source !== 'string' || /^\s*[[{"]/.test(source.slice(0, 100))) return failure;
  const name = source.trimStart().startsWith('<|im_start|>') ? 'chatml' : 'markdown';
  return new Failure(failure.status, failure.message, { place: failure.place, hint: `if it is text: --from ${name}` });
}
