// What a person who watches is told of each call.

import type { CallRecord } from '../../lib/conversation/loop-records.ts';
import type { Result } from '../../lib/dialects/codec/tool-results.ts';
import { isObject } from '../../lib/json/values.ts';
import { quoted } from '../../lib/text/control-characters.ts';

/** The arguments that say most of what a call is about, the best first. */
const TELLING = ['command', 'file_path', 'path', 'pattern', 'url', 'query', 'description', 'question', 'mode', 'name'];

/** `Bash npm test (exit 1, 2.3 s)`: on one line, with nothing in it that a terminal obeys. */
export function lineOf({ name, input }: CallRecord, { content, error, facts }: Result): string {
  const values = isObject(input) ? TELLING.map((key) => (Object.hasOwn(input, key) ? input[key] : undefined)) : [];
  const about = values.find((value) => typeof value === 'string');
  return `${quoted(name)}${about === undefined ? '' : ` ${quoted(about, 100)}`} (${endOf(content, error, facts)})\n`;
}

function endOf(content: Result['content'], error: boolean, { status, signal, ms }: Result['facts']): string {
  if (typeof ms !== 'number') return typeof content === 'string' ? quoted(content.replace(/\.$/, ''), 120) : 'not run';
  const how = signal ?? (typeof status === 'number' && status !== 0 ? `exit ${status}` : error ? 'failed' : 'ok');
  return `${String(how)}, ${(ms / 1000).toFixed(1)} s`;
}
