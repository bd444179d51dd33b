// How a finding is written: a line for people and editors, or a record.

import type { Message } from '../../lib/conversation/types.ts';
import { FORMATS } from '../../lib/dialects/table.ts';
import { type Rec, record } from '../../lib/json/record.ts';
import type { Json, JsonObject } from '../../lib/json/values.ts';
import { harmlessJson, visible } from '../../lib/text/control-characters.ts';
import type { Passage } from './passages.ts';
import type { Span } from './pattern.ts';
import { placeIn, type Said } from './sources.ts';

/** A line of a passage that matches; without a span it is shown for what stands around it. */
export interface Hit {
  readonly passage: Passage;
  readonly line: string;
  readonly spans: readonly Span[];
}

interface ReportOptions {
  readonly output: 'text' | 'json' | 'records';
  readonly color: boolean;
  /** Characters of a line that are shown; 0: all. */
  readonly width: number;
}

/** A message of a log, in the first dialect of the table. */
const writeMessage = (message: Message): JsonObject[] => FORMATS[0]?.writeMessages([message], () => {}) ?? [];

/** A line of text as it is. */
const plain = (text: string): Rec => ({ value: undefined, source: `${text}\n` });

export class Reporter {
  readonly #options: ReportOptions;
  #lastRecord: Rec | undefined;

  constructor(options: ReportOptions) {
    this.#options = options;
  }

  /** The records to write for the hits of one message; `around`: for a message that stands beside one. */
  report(said: Said, hits: readonly Hit[], around = false): Rec[] {
    const { output } = this.#options;
    if (output === 'records') return this.#whole(said);
    return hits.map((hit) => (output === 'json' ? this.#json(said, hit, around) : this.#text(said, hit, around)));
  }

  /** What stands between messages that are not neighbours. */
  gap(): Rec[] {
    return this.#options.output === 'text' ? [plain('--')] : [];
  }

  /** The record itself, once, in the bytes it came in but for characters that a terminal would obey. */
  #whole({ rec, message, session }: Said): Rec[] {
    if (session !== undefined)
      return writeMessage(message).map((native) => plain(harmlessJson(JSON.stringify(native))));
    if (rec === this.#lastRecord) return [];
    this.#lastRecord = rec;
    if (typeof rec.source !== 'string') return [record(rec.value ?? null)];
    return [plain(harmlessJson(rec.source.replace(/\r?\n$/, '')))];
  }

  #json({ message, rec, index, session }: Said, { passage, line, spans }: Hit, around: boolean): Rec {
    const { text, spans: shown } = clip(line, spans, this.#options.width);
    const found: JsonObject = {
      type: around ? 'context' : 'match',
      ...(rec.file !== undefined && rec.file !== '-' && { file: rec.file }),
      ...(rec.line !== undefined && { line: rec.line }),
      ...(session?.id !== undefined && { session: session.id }),
      ...(session?.cwd !== undefined && { cwd: session.cwd }),
      message: index,
      ...(message.id !== undefined && { id: message.id }),
      role: passage.role,
      kind: passage.kind,
      ...(passage.tool !== undefined && { tool: passage.tool }),
      text,
      ...(shown.length > 0 && { matches: shown.map(([start, end]): Json => ({ start, end })) }),
    };
    return plain(harmlessJson(JSON.stringify(found)));
  }

  #text(said: Said, { passage, line, spans }: Hit, around: boolean): Rec {
    const { text, spans: shown } = clip(line, spans, this.#options.width);
    const mark = around ? '-' : ':';
    const place = visible(placeIn(said)).replaceAll('\n', '\\n');
    const excerpt = this.#options.color ? coloured(text, shown) : inLine(text);
    return plain(`${place}${mark}${passage.role}${mark} ${excerpt}`);
  }
}

/** The line around its first match, cut to a width; spans that are still in it. */
function clip(line: string, spans: readonly Span[], width: number): { text: string; spans: readonly Span[] } {
  if (width === 0 || line.length <= width) return { text: line, spans };
  const first = spans[0]?.[0] ?? 0;
  const start = whole(line, Math.max(0, Math.min(first - (width >> 2), line.length - width)));
  const end = whole(line, start + width);
  const before = start > 0 ? '…' : '';
  const kept = spans
    .filter(([from]) => from < end)
    .map(([from, to]): Span => [from - start + before.length, Math.min(to, end) - start + before.length]);
  return { text: `${before}${line.slice(start, end)}${end < line.length ? '…' : ''}`, spans: kept };
}

/** A place that does not part a surrogate pair. */
const whole = (line: string, at: number): number => (/[\udc00-\udfff]/.test(line.charAt(at)) ? at - 1 : at);

const inLine = (text: string): string => visible(text).replaceAll('\t', ' ');

function coloured(text: string, spans: readonly Span[]): string {
  let at = 0;
  let out = '';
  for (const [start, end] of spans) {
    out += `${inLine(text.slice(at, start))}\x1b[1;31m${inLine(text.slice(start, end))}\x1b[m`;
    at = end;
  }
  return out + inLine(text.slice(at));
}
