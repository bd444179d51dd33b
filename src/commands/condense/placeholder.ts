// What stands where something was: what it was, how large, and how to get it back.
import type { MediaPart, ToolCallPart } from '../../lib/conversation/types.ts';

/** Digits of a hash that a reader compares by eye. */
const SHOWN = 12;

/** The SHA-256 of a text, in hex. */
export const sha256 = (text: string | Uint8Array): string =>
  process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('hex');

const short = (text: string): string => sha256(text).slice(0, SHOWN);

/** What is worth saying of a result beside what it was. */
interface Said {
  /** Why the call failed, where the result says that it did. */
  readonly failure: string | undefined;
  /** A line in which a program complains, whether or not the call failed. */
  readonly complaint: string | undefined;
}

/** For a result: `[cleared: read src/a.ts, 1234 tokens, sha256 …; call again for it]`. */
export function clearedResult(
  text: string,
  tokens: number,
  call: ToolCallPart | undefined,
  { failure, complaint }: Said,
): string {
  const what = [call?.name ?? 'result', pathOf(call)].filter(Boolean).join(' ');
  const line = complaint === undefined ? '' : `; in it: ${complaint}`;
  const how = failure === undefined ? `call again for it${line}` : `it failed: ${failure}`;
  return `[cleared: ${what}, ${Math.round(tokens)} tokens, sha256 ${short(text)}; ${how}]`;
}

/** For the older of two copies. */
export function supersededResult(text: string, tokens: number, call: ToolCallPart | undefined): string {
  return `[cleared: ${Math.round(tokens)} tokens, sha256 ${short(text)}; a later copy of ${pathOf(call) ?? 'it'} is below]`;
}

/** For the middle of a long argument. */
export const clearedArgument = (text: string): string => `[cleared: ${text.length} characters, sha256 ${short(text)}]`;

export function clearedMedia({ kind, source, name }: MediaPart): string {
  const named = name === undefined ? '' : ` ${name}`;
  if (source.type === 'data') {
    const size = `${Math.ceil((source.data.length * 3) / 4 / 1024)} kB`;
    return `[cleared: ${kind}${named}, ${source.mime ?? 'type unknown'}, ${size}, sha256 ${short(source.data)}]`;
  }
  const where =
    source.type === 'url' ? ` at ${source.url.slice(0, 200)}` : source.type === 'file' ? ` with id ${source.id}` : '';
  return `[cleared: ${kind}${named}${where}]`;
}

/** The file that a call is about, if its arguments name one. */
export function pathOf(call: ToolCallPart | undefined): string | undefined {
  const input = call?.input;
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined;
  for (const key of PATHS) {
    const value = input[key];
    if (typeof value === 'string' && value !== '') return value.slice(0, 300);
  }
  return undefined;
}

const PATHS = [
  'path',
  'file_path',
  'filePath',
  'filepath',
  'file',
  'filename',
  'absolute_path',
  'target_file',
  'notebook_path',
  'uri',
  'url',
];
