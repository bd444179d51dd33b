// Items of the Responses API as messages: only what a log holds.

import { readMeta } from '../../../conversation/meta.ts';
import { parseArguments } from '../../../conversation/parse-arguments.ts';
import type { Ext, Lose, MediaKind, Message, Part, Role, Usage } from '../../../conversation/types.ts';
import { readUrl } from '../../../dialects/codec/data-url.ts';
import { lookup } from '../../../dialects/codec/fields.ts';
import { timeMeta } from '../../../dialects/codec/timestamps.ts';
import { isObject, type Json, type JsonObject } from '../../../json/values.ts';
import { RESPONSES } from './name.ts';
import { type Entry, isSpoken } from './replay.ts';

/** The messages that the items spell. What the model wrote without an answer between is one reply. */
export function readEntries(entries: readonly Entry[], model: string | undefined, lose: Lose): Message[] {
  const messages: Message[] = [];
  const reader = new ItemReader(lose);
  let reply: Entry[] = [];
  const close = () => {
    const parts = reply.flatMap(({ item }) => reader.spoken(item));
    if (parts.length > 0) messages.push(readReply(reply, parts, model));
    reply = [];
  };
  for (const entry of entries) {
    // Two replies without anything between them: our own mark parts them.
    if (reply.length > 0 && (!isSpoken(entry.item) || entry.meta)) close();
    if (isSpoken(entry.item)) reply.push(entry);
    else messages.push(...readHeard(entry, reader));
  }
  close();
  return messages;
}

function readReply(entries: readonly Entry[], parts: Part[], model: string | undefined): Message {
  const [first] = entries;
  const usage = entries.findLast((entry) => entry.usage)?.usage;
  const by = model === undefined ? undefined : { api: RESPONSES, model };
  return {
    role: 'assistant',
    parts,
    ...(by && { by }),
    ...(usage && { usage: readUsage(usage) }),
    ...metaOf(first),
  };
}

/** What we wrote beside an item, and its time. */
function metaOf(entry: Entry | undefined): Partial<Message> {
  const time = timeMeta(entry?.time);
  const { error: _, role: __, ...meta } = entry?.meta ?? {};
  const all = { ...time, ...meta };
  return Object.keys(all).length > 0 ? (readMeta(all) ?? {}) : {};
}

function readUsage(usage: JsonObject): Usage {
  const { input_tokens, cached_input_tokens, cache_write_input_tokens, output_tokens, reasoning_output_tokens } = usage;
  const cacheRead = count(cached_input_tokens);
  const cacheWrite = count(cache_write_input_tokens);
  const input = count(input_tokens);
  return {
    input: input === undefined ? undefined : Math.max(0, input - (cacheRead ?? 0) - (cacheWrite ?? 0)),
    cacheRead,
    cacheWrite,
    output: count(output_tokens),
    reasoning: count(reasoning_output_tokens),
  };
}

const count = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

const ROLES: { readonly [role: string]: Role } = { user: 'user', system: 'system', developer: 'developer' };

function readHeard(entry: Entry, reader: ItemReader): Message[] {
  const { item, meta } = entry;
  const { type } = item;
  if (type === 'message' || type === 'agent_message') {
    const role = lookup(ROLES, item.role) ?? 'user';
    const parts = reader.content(item.content);
    if (parts.length === 0) return [];
    const told = metaOf(entry);
    // Another agent speaks as the user; its path is no name that an API takes.
    const author = typeof item.author === 'string' ? { meta: { ...told.meta, author: item.author } } : undefined;
    return [{ role, parts, ...told, ...author }];
  }
  const part = reader.output(item, meta);
  return part ? [{ role: 'tool', parts: [part], ...metaOf(entry) }] : [];
}

/** Reads items in order, since an output may lack the id of its call. */
class ItemReader {
  readonly #lose: Lose;
  readonly #open = new Set<string>();
  #nameless = 0;

  constructor(lose: Lose) {
    this.#lose = lose;
  }

  /** What the model wrote. */
  spoken(item: JsonObject): Part[] {
    const { type } = item;
    if (type === 'message') return this.content(item.content);
    if (type === 'reasoning') return readReasoning(item);
    if (type === 'function_call') return [this.#call(item, item.name, parsed(item.arguments))];
    if (type === 'custom_tool_call')
      return [this.#call(item, item.name, { text: String(item.input ?? ''), custom: true })];
    if (type === 'local_shell_call') return [this.#call(item, 'local_shell', { input: item.action ?? {} })];
    if (PROVIDED.has(type) || item.execution === 'server') return [readProviderCall(item)];
    const fn = isObject(item.function) ? item.function : item;
    const name = fn.name ?? String(type).replace(/_call$/, '');
    return [this.#call(item, name, parsed(item.arguments ?? fn.arguments ?? item.action))];
  }

  #call(item: JsonObject, name: Json | undefined, input: { input: Json } | { text: string; custom?: true }): Part {
    const given = item.call_id ?? item.id;
    const id = typeof given === 'string' && given !== '' ? given : `call_${++this.#nameless}`;
    this.#open.add(id);
    const ext = extOf({ namespace: item.namespace });
    return { type: 'tool_call', id, name: typeof name === 'string' ? name : 'tool', ...input, ...(ext && { ext }) };
  }

  /** An answer; undefined for an item that is none. */
  output(item: JsonObject, meta: JsonObject | undefined): Part | undefined {
    const { type } = item;
    if (typeof type !== 'string' || type === 'ghost_snapshot') return undefined;
    if (!type.endsWith('_output') && type !== 'tool_result') {
      this.#lose(type, 'only Codex can read it');
      return undefined;
    }
    // What the provider ran itself has no call that waits.
    const provided = item.execution === 'server' ? ({ by: 'provider' } as const) : undefined;
    const [oldest] = this.#open;
    const callId = typeof item.call_id === 'string' && item.call_id !== '' ? item.call_id : (oldest ?? '');
    this.#open.delete(callId);
    const output = type === 'tool_search_output' ? JSON.stringify(item.tools ?? []) : (item.output ?? item.result);
    const error = meta?.error === true ? ({ error: true } as const) : undefined;
    return { type: 'tool_result', callId, parts: this.#output(output), ...error, ...provided };
  }

  #output(output: Json | undefined): Part[] {
    if (typeof output === 'string') return output === '' ? [] : [{ type: 'text', text: output }];
    if (Array.isArray(output)) return this.content(output);
    if (!isObject(output)) return [];
    if (typeof output.type === 'string') return this.content([output]);
    const { content } = output;
    return typeof content === 'string'
      ? [{ type: 'text', text: content }]
      : [{ type: 'text', text: JSON.stringify(output) }];
  }

  content(content: Json | undefined): Part[] {
    if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
    if (!Array.isArray(content)) return [];
    return content.filter(isObject).flatMap((part) => this.#content(part));
  }

  #content(part: JsonObject): Part[] {
    const { type, text } = part;
    if (typeof text === 'string' && (type === 'input_text' || type === 'output_text' || type === 'text'))
      return [{ type: 'text', text }];
    if (type === 'refusal') return [{ type: 'refusal', text: String(part.refusal ?? '') }];
    if (type === 'input_image') return media('image', part.image_url, part.file_id, part.detail);
    if (type === 'input_file') return media('document', part.file_data ?? part.file_url, part.file_id, undefined);
    this.#lose(String(type), 'only the provider that created it can read it');
    return [];
  }
}

/** Calls that the provider runs itself. */
const PROVIDED = new Set<unknown>([
  'web_search_call',
  'image_generation_call',
  'file_search_call',
  'code_interpreter_call',
  'mcp_call',
]);

function media(kind: MediaKind, url: unknown, fileId: unknown, detail: unknown): Part[] {
  const source =
    typeof url === 'string'
      ? readUrl(url)
      : typeof fileId === 'string'
        ? ({ type: 'file', id: fileId } as const)
        : undefined;
  if (source === undefined) return [];
  return [{ type: 'media', kind, source, ...(typeof detail === 'string' && detail !== 'auto' && { detail }) }];
}

function parsed(text: Json | undefined): { input: Json } | { text: string } {
  if (typeof text === 'string') return parseArguments(text);
  return { input: text ?? {} };
}

/** The summary is what can be read; the rest only the provider understands. */
function readReasoning(item: JsonObject): Part[] {
  const texts = [item.content, item.summary].map((list) =>
    (Array.isArray(list) ? list : []).flatMap((each) =>
      isObject(each) && typeof each.text === 'string' ? [each.text] : [],
    ),
  );
  const [content = [], summary = []] = texts;
  const read = summary.length > 0 ? summary : content;
  const ext = extOf({ encrypted_content: item.encrypted_content, id: item.id });
  if (read.length === 0 && item.encrypted_content == null) return [];
  return [{ type: 'reasoning', ...(read.length > 0 && { text: read.join('\n\n') }), ...(ext && { ext }) }];
}

/** Calls that the provider ran itself. */
function readProviderCall(item: JsonObject): Part {
  const { type, id, call_id, action, ...rest } = item;
  const name = String(type).replace(/_call$/, '');
  const input = action ?? (isObject(rest.arguments) ? rest.arguments : {});
  const callId = String(call_id ?? id ?? name);
  return { type: 'tool_call', by: 'provider', id: callId, name, input, ext: { [RESPONSES]: item } };
}

function extOf(fields: JsonObject): Ext | undefined {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return entries.length > 0 ? { [RESPONSES]: Object.fromEntries(entries) } : undefined;
}
