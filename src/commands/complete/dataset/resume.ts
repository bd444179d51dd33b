// --resume: which lines the output of an earlier run has answered.
import { createReadStream } from 'node:fs';
import type { Conversation } from '../../../lib/conversion/gather.ts';
import { EXIT, Failure } from '../../../lib/failure/failure.ts';
import { isObject, type Json, type JsonObject } from '../../../lib/json/values.ts';

export interface EarlierOutput {
  has(conversation: Conversation): boolean;
  /** The file ends within a line, which a kill has cut. */
  readonly cut: boolean;
}

/** Reads an earlier output. A missing file has answered nothing. Throws a Failure (74) for one that cannot be read. */
export async function readEarlierOutput(path: string): Promise<EarlierOutput> {
  const keys = new Set<string>();
  let rest = '';
  try {
    for await (const chunk of createReadStream(path, { encoding: 'utf8' })) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) addLine(line, keys);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      throw new Failure(EXIT.io, 'cannot read the output of the earlier run', { place: path });
  }
  const whole = rest !== '' && addLine(rest, keys);
  return {
    has: ({ rolled }) => isObject(rolled?.value) && keys.has(keyOf(rolled.value, false)),
    cut: rest !== '' || whole,
  };
}

/** Whether the line is a whole one. */
function addLine(line: string, keys: Set<string>): boolean {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return false;
  }
  if (isObject(value) && !(isObject(value._meta) && value._meta.error !== undefined)) keys.add(keyOf(value, true));
  return true;
}

/** A line's own id; without one, what it says. An answered line is known by what it said before the answer. */
function keyOf(line: JsonObject, answered: boolean): string {
  const id = line.id ?? line.custom_id;
  if (typeof id === 'string' || typeof id === 'number') return `id ${id}`;
  const { _meta, ...plain } = line;
  const fields = answered ? Object.fromEntries(Object.entries(plain).map(([k, v]) => [k, withoutAnswer(v)])) : plain;
  const text = JSON.stringify(fields);
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('base64');
}

/** The last message of the list of messages is the answer, if it says so itself. */
function withoutAnswer(value: Json | undefined): Json | undefined {
  if (!Array.isArray(value)) return value;
  const end = value.findIndex(
    (message) =>
      isObject(message) && isObject(message._meta) && message._meta.provider !== undefined && message === value.at(-1),
  );
  return end < 0 ? value : value.slice(0, end);
}
