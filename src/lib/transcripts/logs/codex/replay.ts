// What the lines of a log leave of the conversation: items are added, a compaction replaces all before it, an undo takes turns back.
// https://github.com/openai/codex/blob/main/codex-rs/protocol/src/protocol.rs (RolloutLine)

import type { Rec } from '../../../json/record.ts';
import { isObject, type Json, type JsonObject } from '../../../json/values.ts';
import { NO_MODEL } from '../../log-writing.ts';
import { itemOf } from './exec-events.ts';

/** An item of the conversation, in the terms of the Responses API. */
export interface Entry {
  readonly item: JsonObject;
  readonly time: Json | undefined;
  /** What we wrote beside it. */
  readonly meta?: JsonObject;
  /** The tokens of the reply that ended with this item, as the log counts them. */
  usage?: JsonObject;
}

/** What a log says of its session. */
interface Session {
  id?: string;
  parent?: string;
  cwd?: string;
  title?: string;
  model?: string;
  instructions?: string;
}

/** One state of the conversation. */
export interface State {
  readonly session: Session;
  readonly entries: readonly Entry[];
}

export class Replay {
  #session: Session = {};
  #entries: Entry[] = [];
  /** The last item that the model wrote, until its tokens are known. */
  #spoken: Entry | undefined;
  #total: Json | undefined;
  /** Ids of sessions whose lines may have been copied into this one. */
  #ancestors = new Set<string>();
  #started = '';
  /** The places of what the user asked. */
  #asked: number[] = [];
  /** Called before something takes a part of the conversation away or ends it; `state` gives it as it stands. */
  readonly #before: (state: () => State, ends: boolean) => void;

  constructor(before: (state: () => State, ends: boolean) => void) {
    this.#before = before;
  }

  state(): State {
    return { session: { ...this.#session }, entries: [...this.#entries] };
  }

  push({ value }: Rec): void {
    if (!isObject(value)) return;
    const { type, payload } = value;
    if (!isObject(payload)) this.#bare(value);
    else if (type === 'session_meta') this.#begin(payload);
    else if (type === 'turn_context') this.#context(payload);
    else if (type === 'response_item') this.#add(payload, value);
    else if (type === 'compacted') this.#compact(payload, value);
    else if (type === 'event_msg') this.#event(payload, value);
  }

  #begin(payload: JsonObject): void {
    const { id, timestamp, cwd, base_instructions, forked_from_id, source } = payload;
    const parent_thread_id = payload.parent_thread_id ?? spawnedFrom(source);
    if (typeof id !== 'string') return;
    const started = typeof timestamp === 'string' ? timestamp : '';
    for (const ancestor of [forked_from_id, parent_thread_id])
      if (typeof ancestor === 'string') this.#ancestors.add(ancestor);
    if (this.#session.id !== undefined) {
      // Lines of the session that this one was forked from: their header comes along.
      if (id === this.#session.id || this.#ancestors.has(id) || started <= this.#started) return;
      this.#end();
    }
    this.#started = started;
    const instructions = isObject(base_instructions) ? base_instructions.text : undefined;
    const parent = parent_thread_id ?? forked_from_id;
    this.#session = {
      id,
      ...(typeof parent === 'string' && { parent }),
      ...(typeof cwd === 'string' && { cwd }),
      ...(typeof instructions === 'string' && { instructions }),
    };
  }

  /** Another log follows in the same file. */
  #end(): void {
    this.#before(() => this.state(), true);
    this.#entries = [];
    this.#asked = [];
    this.#spoken = undefined;
    this.#total = undefined;
    this.#session = {};
  }

  #context({ model, cwd }: JsonObject): void {
    if (typeof model === 'string' && model !== NO_MODEL) this.#session.model = model;
    if (typeof cwd === 'string') this.#session.cwd ??= cwd;
  }

  #add(item: JsonObject, { timestamp, _meta }: JsonObject): void {
    const entry: Entry = { item, time: timestamp, ...(isObject(_meta) && { meta: _meta }) };
    if (isAsked(item)) this.#asked.push(this.#entries.length);
    this.#entries.push(entry);
    if (isSpoken(item)) this.#spoken = entry;
  }

  /** Without a replacement the summary stands behind what the user said. */
  #compact({ replacement_history, message }: JsonObject, line: JsonObject): void {
    this.#before(() => this.state(), false);
    const summary = { type: 'message', role: 'user', content: [{ type: 'input_text', text: message ?? '' }] };
    const items = Array.isArray(replacement_history)
      ? replacement_history.filter(isObject)
      : [...this.#entries.map(({ item }) => item).filter(isAsked), summary];
    this.#entries = [];
    this.#asked = [];
    for (const item of items) this.#add(item, { timestamp: line.timestamp });
    this.#spoken = undefined;
  }

  #event(payload: JsonObject, line: JsonObject): void {
    const { type } = payload;
    if (type === 'token_count') this.#count(payload.info);
    if (type === 'thread_rolled_back') this.#undo(Number(payload.num_turns));
    if (type === 'thread_name_updated' && typeof payload.thread_name === 'string')
      this.#session.title = payload.thread_name;
    // Events repeat what the items say. Reasoning that no model can read again stands in them alone.
    if (type === 'agent_reasoning' && isObject(line._meta)) this.#add(reasoning(payload.text), line);
  }

  /** A count that repeats the total of the one before is news about limits only. */
  #count(info: Json | undefined): void {
    if (!isObject(info) || this.#spoken === undefined) return;
    const total = isObject(info.total_token_usage) ? JSON.stringify(info.total_token_usage) : undefined;
    if (total !== undefined && total === this.#total) return;
    this.#total = total;
    const usage = info.last_token_usage;
    if (isObject(usage)) this.#spoken.usage = usage;
    this.#spoken = undefined;
  }

  #undo(turns: number): void {
    if (!(turns > 0)) return;
    this.#before(() => this.state(), false);
    const kept = Math.max(0, this.#asked.length - turns);
    this.#entries.length = this.#asked[kept] ?? this.#entries.length;
    this.#asked.length = Math.min(this.#asked.length, kept);
    this.#spoken = undefined;
  }

  /** Lines of `codex exec --json`, and of logs from before lines had a type. */
  #bare(value: JsonObject): void {
    const { type } = value;
    if (type === 'thread.started' && typeof value.thread_id === 'string') this.#session.id = value.thread_id;
    else if (type === 'turn.completed') this.#count({ last_token_usage: value.usage });
    else if (type === undefined && typeof value.id === 'string')
      this.#begin({ ...value, base_instructions: undefined });
    else if (type === 'item.completed' && isObject(value.item))
      for (const item of itemOf(value.item)) this.#add(item, value);
    else if (ITEMS.has(type)) this.#add(value, {});
  }
}

/** Where older logs say who started a sub-agent. */
function spawnedFrom(source: Json | undefined): Json | undefined {
  const subagent = isObject(source) && isObject(source.subagent) ? source.subagent : undefined;
  return isObject(subagent?.thread_spawn) ? subagent.thread_spawn.parent_thread_id : undefined;
}

function reasoning(text: Json | undefined): JsonObject {
  return { type: 'reasoning', summary: [{ type: 'summary_text', text: text ?? '' }] };
}

const ITEMS = new Set<unknown>(
  `message reasoning function_call function_call_output custom_tool_call custom_tool_call_output local_shell_call web_search_call`.split(
    /\s+/,
  ),
);

/** What the model wrote. */
export function isSpoken({ type, role }: JsonObject): boolean {
  if (type === 'message') return role === 'assistant';
  return type === 'reasoning' || (typeof type === 'string' && type.endsWith('_call'));
}

/** What a person asked: user messages but those that Codex itself puts in. */
function isAsked({ type, role, content }: JsonObject): boolean {
  if (type !== 'message' || role !== 'user' || !Array.isArray(content)) return false;
  const [first] = content;
  const text = isObject(first) && typeof first.text === 'string' ? first.text.trimStart() : '';
  return !PUT_IN.some((beginning) => text.startsWith(beginning));
}

const PUT_IN = [
  '<environment_context>',
  '<user_instructions>',
  '# AGENTS.md instructions',
  '<turn_aborted>',
  '<skill>',
  '<user_shell_command>',
  '<subagent_notification>',
];
