// The records of the loop: tool calls on their way from a conversation to their results. The help of ai-pending, ai-permit and ai-exec
// documents them; they are kept for ever.
import { canonical } from '../json/canonical.ts';
import { asString, isObject, type Json, type JsonObject, ShapeError } from '../json/values.ts';
import type { FormatName } from './types.ts';

export type Decision = 'allow' | 'ask' | 'deny';

/** One call that wants a result. `ai-pending` makes it, `ai-permit` (or a hook) adds a decision, `ai-exec` runs it. */
export interface CallRecord {
  readonly type: 'call';
  readonly id: string;
  readonly name: string;
  /** The arguments; `text` in their place if they are no JSON, or free text by the tool's definition (`custom`). */
  readonly input?: Json;
  readonly text?: string;
  readonly custom?: true;
  /** The dialect that the result is written in. */
  readonly dialect?: FormatName;
  /** The assistant's turn in the stream, the place of the call in it (both from 0), and how many calls of that turn want a result. */
  readonly turn?: number;
  readonly index?: number;
  readonly of?: number;
  /** A run that was killed had started it, and left no result. */
  readonly started?: true;
  /** A run that was killed had its result already. */
  readonly result?: JsonObject;
  /** Text from the network is in the conversation. */
  readonly tainted?: true;
  readonly decision?: Decision;
  readonly reason?: string;
  /** Who decided: a rule, a hook, a person. */
  readonly by?: string;
  /** What the decision is about: `digestOf` the call when it was made. */
  readonly digest?: string;
  /** A call that had started may run a second time. */
  readonly rerun?: true;
  /** What a search must not show: gitignore patterns from the root of the file system. */
  readonly hide?: readonly string[];
  readonly _meta?: JsonObject;
}

/** Written before a tool with side effects starts, so that it never runs twice. */
export interface StartedRecord {
  readonly type: 'started';
  readonly id: string;
  readonly name: string;
  readonly index?: number;
  readonly digest: string;
  /** ISO 8601. */
  readonly time: string;
}

/** A result that waits for the others of its turn, where the dialect keeps them in one message. */
export interface ResultRecord {
  readonly type: 'result';
  readonly id: string;
  readonly name: string;
  readonly index?: number;
  /** A text, or content blocks as in MCP (text, image, audio, resource). */
  readonly content: string | readonly JsonObject[];
  readonly is_error?: true;
  /**
   * What is known of the run: `id` and `name` of the call, `decision` (`deny`) if it did not run, `status` or `signal` of its end, `ms`, `kept` and `bytes`
   * (the file with the whole output and its size, where only head and tail are in the result), `tainted` (the result came from the network).
   */
  readonly run: JsonObject;
}

/** Whether a record says that it is a call. */
export const isCall = (value: Json | undefined): value is JsonObject => isObject(value) && value.type === 'call';

/** A call record, checked. Throws a ShapeError if a field that the loop relies on has the wrong type. */
export function readCall(value: JsonObject): CallRecord {
  asString(value.id, 'id');
  asString(value.name, 'name');
  for (const field of ['text', 'dialect', 'reason', 'by', 'digest'] as const)
    if (value[field] !== undefined) asString(value[field], field);
  for (const field of ['turn', 'index', 'of'] as const)
    if (value[field] !== undefined && typeof value[field] !== 'number')
      throw new ShapeError(field, 'a number', value[field]);
  if (value.result !== undefined && !isObject(value.result)) throw new ShapeError('result', 'an object', value.result);
  return value as unknown as CallRecord;
}

/** `sha256:` and the hexadecimal digest of the canonical `{name, input}` (or `{name, text}`): what a decision is about. */
export function digestOf({ name, input, text }: Pick<CallRecord, 'name' | 'input' | 'text'>): string {
  const { createHash } = process.getBuiltinModule('node:crypto');
  const subject = text === undefined ? { name, input: input ?? null } : { name, input, text };
  return `sha256:${createHash('sha256').update(canonical(subject)).digest('hex')}`;
}

/** A call's id as a file name and in the environment: itself if it is plain, else a digest. Ids are the model's to choose. */
export function plainId(id: string): string {
  if (/^[\w-]{1,64}$/.test(id)) return id;
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(id).digest('hex').slice(0, 32);
}
