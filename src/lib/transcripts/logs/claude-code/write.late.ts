// A conversation as a session log that Claude Code opens. Save it as <id>.jsonl in the folder of the project: `claude --resume <id>`.

import type { Lose, Message, Part, ToolResultPart } from '../../../conversation/types.ts';
import { writeMessages } from '../../../dialects/anthropic/message.ts';
import { writeReply } from '../../../dialects/anthropic/reply.ts';
import type { Fresh, Transcript } from '../../../dialects/types.ts';
import { asArray, type Json, type JsonObject } from '../../../json/values.ts';
import { CallNames } from '../../call-ids.ts';
import { Clock, iso, keptSystem, lineMeta, NO_MODEL, partSystem, sessionId } from '../../log-writing.ts';

/** The version whose lines these are. */
const VERSION = '2.1.0';

/** The longest id and name that the API takes. */
const LONGEST = 64;

export function write(transcript: Transcript, fresh: Fresh, lose: Lose): JsonObject[] {
  const writer = new Writer(transcript, fresh, lose);
  const { system, rest } = partSystem(transcript);
  for (const { role } of system) lose(role, 'Claude Code has its own system prompt');
  for (const message of rest) writer.message(message);
  return writer.end(keptSystem(system));
}

class Writer {
  readonly #lines: JsonObject[] = [];
  readonly #fresh: Fresh;
  readonly #lose: Lose;
  readonly #clock: Clock;
  readonly #names = new CallNames(LONGEST);
  readonly #session: string;
  readonly #transcript: Transcript;
  /** The line that made each call. */
  readonly #callers = new Map<string, string>();
  readonly #ids = new Set<string>();
  #parent: string | null = null;

  constructor(transcript: Transcript, fresh: Fresh, lose: Lose) {
    this.#transcript = transcript;
    this.#fresh = fresh;
    this.#lose = lose;
    this.#clock = new Clock(fresh);
    this.#session = sessionId(transcript, fresh);
  }

  message(message: Message): void {
    if (message.role === 'assistant') this.#reply(message);
    else if (message.role === 'system' || message.role === 'developer') this.#system(message);
    else this.#said(message);
  }

  /** The title stands last: the first line must be one of the conversation. */
  end(kept: JsonObject | undefined): JsonObject[] {
    const { title } = this.#transcript;
    const titled = title === undefined ? [] : [{ type: 'custom-title', customTitle: title, sessionId: this.#session }];
    const [first, ...others] = this.#lines;
    if (first === undefined || kept === undefined) return [...this.#lines, ...titled];
    return [{ ...first, _meta: { ...(first._meta as JsonObject), ...kept } }, ...others, ...titled];
  }

  /** A system message in the middle of a conversation is told as a reminder. */
  #system(message: Message): void {
    const texts = message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    const content = `<system-reminder>\n${texts.join('\n')}\n</system-reminder>`;
    const ours = { ...lineMeta(message), message: { role: message.role, texts } };
    this.#line('user', this.#clock.at(message), { message: { role: 'user', content }, isMeta: true, _meta: ours });
  }

  #said(message: Message): void {
    const time = this.#clock.at(message);
    const results = message.parts.filter((part): part is ToolResultPart => part.type === 'tool_result');
    const others = message.parts.filter((part) => part.type !== 'tool_result');
    for (const result of results) this.#result(result, message, time);
    if (others.length === 0) return;
    const content = this.#content({ ...message, role: 'user', parts: others });
    if (content === undefined) return;
    const form = message.form?.['claude-code'];
    const kind = form === 'meta' ? { isMeta: true } : form === 'summary' ? { isCompactSummary: true } : undefined;
    const ours = lineMeta(message);
    this.#line('user', time, { message: { role: 'user', content }, ...kind, ...(ours && { _meta: ours }) });
  }

  #result(result: ToolResultPart, message: Message, time: number): void {
    const callId = this.#names.result(result.callId);
    const content = this.#content({ role: 'tool', parts: [{ ...result, callId }], form: message.form });
    if (content === undefined) return;
    const caller = this.#callers.get(callId);
    this.#line('user', time, {
      message: { role: 'user', content },
      ...(caller !== undefined && { sourceToolAssistantUUID: caller }),
    });
  }

  #content(message: Message): Json | undefined {
    const [native] = writeMessages([message], this.#lose);
    return native?.content;
  }

  /** A line for each block, all with the id of the message; the reason to stop stands on the last. */
  #reply(message: Message): void {
    const parts = message.parts.flatMap((part) => this.#part(part, message));
    const whole = writeReply({ ...message, parts, meta: undefined }, this.#lose);
    const blocks = asArray<JsonObject>(whole.content, 'content').filter(
      (block) => block.type !== 'text' || block.text !== '',
    );
    if (blocks.length === 0) return;
    const native = {
      ...whole,
      id: this.#messageId(message),
      model: message.by?.model ?? this.#transcript.head.model ?? NO_MODEL,
    };
    const time = this.#clock.at(message);
    const said =
      message.by === undefined || message.by.api === 'anthropic'
        ? (['id', 'by', 'stop', 'usage'] as const)
        : (['usage'] as const);
    const ours = lineMeta(message, ...said);
    blocks.forEach((block, i) => {
      const last = i === blocks.length - 1;
      const { usage, ...rest } = native as JsonObject;
      const uuid = this.#line('assistant', time, {
        message: {
          ...rest,
          content: [block],
          stop_reason: last ? (whole.stop_reason ?? null) : null,
          usage: usage ?? UNKNOWN,
        },
        ...(i === 0 && ours && { _meta: ours }),
      });
      if (block.type === 'tool_use') this.#callers.set(String(block.id), uuid);
    });
  }

  /** Opaque reasoning is valid only where it was made, and so are calls that a provider ran. */
  #part(part: Part, message: Message): Part[] {
    const foreign = message.by?.api !== undefined && message.by.api !== 'anthropic';
    if (part.type === 'reasoning' && foreign) {
      this.#lose('reasoning', 'only the provider that created it can read it');
      return [];
    }
    if (part.type !== 'tool_call' || part.by === 'provider') return [part];
    return [{ ...part, id: this.#names.call(part.id), name: this.#names.tool(part.name) }];
  }

  #messageId({ id }: Message): string {
    const kept =
      id?.startsWith('msg_') && !this.#ids.has(id) ? id : `msg_${this.#fresh.uuid().replaceAll('-', '').slice(0, 24)}`;
    this.#ids.add(kept);
    return kept;
  }

  #line(type: string, time: number, fields: JsonObject): string {
    const uuid = this.#fresh.uuid();
    this.#lines.push({
      parentUuid: this.#parent,
      isSidechain: false,
      userType: 'external',
      cwd: this.#transcript.cwd ?? '/',
      sessionId: this.#session,
      version: VERSION,
      gitBranch: '',
      type,
      ...fields,
      uuid,
      timestamp: iso(time),
    });
    this.#parent = uuid;
    return uuid;
  }
}

/** The log counts every reply. */
const UNKNOWN = { input_tokens: 0, output_tokens: 0 };
