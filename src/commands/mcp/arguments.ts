// The arguments of a call.
import { badInput, EXIT, Failure } from '../../lib/failure/failure.ts';
import { isObject, type Json, type JsonObject, kindOf } from '../../lib/json/values.ts';
import type { Input } from '../../lib/jsonl/read.ts';

/** `NAME=TEXT` and `NAME:=JSON`. Throws a Failure (64) for a word that is neither. */
export function argumentsFrom(words: readonly string[]): JsonObject {
  return Object.fromEntries(
    words.map((word): [string, Json] => {
      const [, name, json, value = ''] = /^([^=:]+)(:?)=(.*)$/s.exec(word) ?? [];
      if (name === undefined)
        throw new Failure(EXIT.usage, `"${word}" is not an argument`, { hint: 'write NAME=TEXT or NAME:=JSON' });
      return [name, json ? parse(value, name) : value];
    }),
  );
}

function parse(text: string, name: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure(EXIT.usage, `the argument ${name} is not JSON`, { hint: `${name}=TEXT passes a text` });
  }
}

/** One object on standard input; nothing there stands for no arguments. Throws a Failure (65). */
export async function argumentsIn(inputs: readonly Input[]): Promise<JsonObject> {
  const chunks: Uint8Array[] = [];
  // The next chunk overwrites this one.
  for (const { asyncChunks } of inputs) for await (const chunk of asyncChunks()) chunks.push(Buffer.from(chunk));
  const text = Buffer.concat(chunks).toString('utf8').trim();
  if (text === '') return {};
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw badInput(
      undefined,
      `cannot read the arguments: ${(error as Error).message.split('\n')[0]}`,
      'write one JSON object',
    );
  }
  if (isObject(value)) return value;
  throw badInput(undefined, `cannot read the arguments: expected an object, not ${kindOf(value)}`);
}
