// Whether what a summariser wrote may stand in a conversation. No model is asked; in doubt it may not.
import type { Message } from '../../../lib/conversation/types.ts';
import type { Counter } from '../../../lib/tokens/count.ts';
import { eachName } from '../digest/names.ts';
import { headingsAsked, headingsIn } from './headings.ts';
import { SECTIONS } from './prompt.ts';
import { isForeign } from './scripts.ts';

interface Wanted {
  /** Tokens that there is room for. */
  readonly room: number;
  readonly counter: Counter;
  /** The prompt, if it is the user's own. */
  readonly own: string | undefined;
  /** It quotes the record, without headings. */
  readonly extractive: boolean;
  /** What was to be summed up. */
  readonly record: string;
}

/** Fewer characters say nothing. */
const SHORTEST = 80;
/** Headings that must be there, of those that were asked for. */
const HEADINGS = 2 / 3;
/** Names of the record that are looked for; where there are `enough` of them, one must come up. */
const NAMES = { looked: 60, enough: 8 };

/** What only a template or an attack writes: turns of a chat, calls as text, orders to the reader. */
const FOREIGN =
  /<\|[a-z_]+\|>|\[\/?INST\]|<\/?(tool_call|function_calls?|invoke|tool_use|antml|system|system-reminder|assistant|instructions?)\b|^\s*(system|assistant|human|user)\s*:\s|\b(ignore|disregard|forget)\b.{0,30}\b(previous|prior|above|earlier|all)\b.{0,20}\b(instruction|message|rule|prompt)s?/im;

/** Why a reply may not be used; undefined: it may. */
export function objection(reply: Message | undefined, wanted: Wanted): string | undefined {
  if (reply === undefined || reply.role !== 'assistant') return 'it did not answer';
  if (reply.parts.some(({ type }) => type === 'tool_call' || type === 'tool_result')) return 'it called a tool';
  if (reply.parts.some(({ type }) => type === 'refusal')) return 'it refused';
  const reason = reply.stop?.reason;
  if (reason !== undefined && reason !== 'stop' && reason !== 'stop_sequence') return `it ended with "${reason}"`;
  const text = summaryOf(reply);
  if (text.length < SHORTEST) return text === '' ? 'it is empty' : 'it is too short';
  if (wanted.counter.text(text) > wanted.room) return 'it is too long';
  return strange(text) ?? missing(text, wanted);
}

/** The text of a reply. */
export const summaryOf = ({ parts }: Message): string =>
  parts
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('')
    .trim();

function strange(text: string): string | undefined {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if ((code < 32 && code !== 9 && code !== 10 && code !== 13) || (code >= 127 && code < 160))
      return 'it has control characters';
  }
  return FOREIGN.test(text) ? 'it addresses the reader' : undefined;
}

function missing(text: string, { own, record, extractive }: Wanted): string | undefined {
  const wanted = own === undefined ? SECTIONS.map(([heading]) => heading.toLowerCase()) : [...headingsAsked(own)];
  const found = headingsIn(text);
  const there = wanted.filter((heading) => found.has(heading)).length;
  if (!extractive && there < wanted.length * HEADINGS) return 'its headings are missing';
  if (wanted.length === 0 && isForeign(text, `${record}${own}`))
    return 'it uses a script that the conversation does not use';
  const names = importantIn(record);
  const held = [...names, ...latestWords(record)].some((name) => text.includes(name));
  return held || names.length < NAMES.enough ? undefined : 'it contains no name from the conversation';
}

/** The words of the latest request that are long enough to be about something. */
const latestWords = (record: string): string[] =>
  record
    .slice(Math.max(0, record.lastIndexOf('[user] ')))
    .slice(7, 2000)
    .match(/\p{L}{7,40}/gu) ?? [];

/** The names that come up most often. */
function importantIn(record: string): string[] {
  const counts = new Map<string, number>();
  eachName(record, (name) => counts.set(name, (counts.get(name) ?? 0) + 1));
  return [...counts]
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, NAMES.looked)
    .map(([name]) => name);
}
