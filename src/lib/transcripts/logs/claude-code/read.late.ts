// From the lines of a branch to the messages of a conversation.

import { readMeta } from '../../../conversation/meta.ts';
import type { Lose, Message } from '../../../conversation/types.ts';
import { readMessage } from '../../../dialects/anthropic/message.ts';
import { readBlock } from '../../../dialects/anthropic/read-blocks.ts';
import { readReply } from '../../../dialects/anthropic/reply.ts';
import { timeMeta } from '../../../dialects/codec/timestamps.ts';
import type { LogOptions, Transcript } from '../../../dialects/types.ts';
import type { Rec } from '../../../json/record.ts';
import { isObject, type Json, type JsonObject, ShapeError } from '../../../json/values.ts';
import { NO_MODEL, readSystem } from '../../log-writing.ts';
import { type Line, readLines, takenBack } from './lines.ts';
import { CLAUDE_CODE } from './name.ts';
import { type Thread, threads } from './threads.ts';
import { Tree } from './tree.ts';
import { type Log, type Turn, turnsOf } from './turns.ts';

/** The conversations of a log. */
export function read(records: readonly Rec[], options: LogOptions, lose: Lose): Transcript[] {
  const lines = readLines(records);
  const tree = new Tree(lines);
  const gone = takenBack(lines);
  const answers = new Map<string, Line>();
  const pieces = new Map<string, Line[]>();
  for (const line of lines) {
    for (const id of line.answers ?? []) if (!answers.has(id)) answers.set(id, line);
    const id = line.kind === 'assistant' ? line.message?.id : undefined;
    if (typeof id !== 'string') continue;
    const known = pieces.get(id);
    if (known) known.push(line);
    else pieces.set(id, [line]);
  }
  const log: Log = { lines, tree, gone, answers, pieces };
  return threads(lines, tree, gone, options).map((thread) => transcript(thread, log, lose));
}

function transcript({ leaf, agent }: Thread, log: Log, lose: Lose): Transcript {
  const path = log.tree.path(leaf);
  sayAttachments(path, lose);
  const said = turnsOf(path, log).flatMap((turn) => readTurn(turn, lose) ?? []);
  const messages = [...readSystem(path[0]?.value._meta), ...said];
  const model = messages.findLast(({ by }) => by?.model !== undefined)?.by?.model;
  const about = aboutSession(log.lines, leaf);
  return {
    head: model === undefined ? {} : { model },
    messages,
    ...about,
    ...(agent !== undefined && ofAgent(agent, about.id)),
  };
}

/** A sub-agent's thread is a conversation of its own. Its file may call the session by the agent's name. */
function ofAgent(agent: string, session: string | undefined): Pick<Transcript, 'id' | 'parent' | 'title'> {
  return { id: agent, parent: session === `agent-${agent}` ? undefined : session, title: undefined };
}

/** Attachments that reached the model: everything but what hooks did, and the prompts that were queued. */
function sayAttachments(path: readonly Line[], lose: Lose): void {
  for (const { value, message } of path) {
    const { attachment } = value;
    if (value.type !== 'attachment' || message !== undefined || !isObject(attachment)) continue;
    if (!String(attachment.type).startsWith('hook_') || attachment.type === 'hook_additional_context')
      lose('attachment', 'what Claude Code tells the model besides the messages');
  }
}

function aboutSession(lines: readonly Line[], leaf: Line): Pick<Transcript, 'id' | 'title' | 'cwd'> {
  const titles: { [type: string]: unknown } = {};
  let cwd: unknown;
  for (const { value, session } of lines) {
    if (session !== undefined && leaf.session !== undefined && session !== leaf.session) continue;
    cwd ??= value.cwd;
    if (value.type === 'custom-title') titles.custom = value.customTitle;
    if (value.type === 'ai-title') titles.ai = value.aiTitle;
    if (value.type === 'summary') titles.summary = value.summary;
  }
  const title = titles.custom ?? titles.ai ?? titles.summary;
  return {
    ...(leaf.session !== undefined && { id: leaf.session }),
    ...(typeof title === 'string' && { title }),
    ...(typeof cwd === 'string' && { cwd }),
  };
}

function readTurn(turn: Turn, lose: Lose): Message | undefined {
  const message = turn.type === 'reply' ? readAssistant(turn.lines, lose) : readUser(turn.line, lose);
  return message.parts.length > 0 ? message : undefined;
}

const META = { [CLAUDE_CODE]: 'meta' };
const SUMMARY = { [CLAUDE_CODE]: 'summary' };

/** What is hidden from the person (`isMeta`), or stands for what was compacted, was said to the model all the same. */
function readUser(line: Line, lose: Lose): Message {
  const { value, message, answers } = line;
  const said = isObject(value._meta) ? value._meta : undefined;
  const content = cleaned(message?.content, line, lose);
  const read = readMessage({ role: 'user', ...(content !== undefined && { content }) });
  const form = value.isCompactSummary === true ? SUMMARY : value.isMeta === true && !answers ? META : undefined;
  const { message: told, system: _, ...meta }: JsonObject = { ...timeMeta(value.timestamp), ...said };
  return {
    ...(readSystem({ system: [told ?? null] })[0] ?? read),
    ...(answers && { role: 'tool' }),
    form: { ...read.form, ...form },
    ...(Object.keys(meta).length > 0 && readMeta(meta)),
  };
}

/** The pieces of one reply. Usage and the reason to stop are repeated on each, and final on the last. */
function readAssistant(lines: readonly Line[], lose: Lose): Message {
  const last = lines.at(-1) as Line;
  const calls = new Set<string>();
  const content = lines.flatMap((line) => {
    const blocks = cleaned(line.message?.content, line, lose);
    const list = typeof blocks === 'string' ? [{ type: 'text', text: blocks }] : (blocks ?? []);
    return list.filter((block) => !isRepeated(block, calls));
  });
  const native: JsonObject = { ...last.message, content, stop_reason: lastOf(lines, 'stop_reason') ?? null };
  const usage = lastOf(lines, 'usage');
  if (isObject(usage) && COUNTS.some((field) => usage[field])) native.usage = usage;
  else delete native.usage;
  const message = readReply(native);
  const time = timeMeta(lines[0]?.value.timestamp);
  const aborted = lines.some(({ value }) => value.isAbortedMidStream === true);
  const model = typeof native.model === 'string' && !NOBODY.has(native.model) ? native.model : undefined;
  const ours = isObject(lines[0]?.value._meta) ? lines[0].value._meta : undefined;
  return {
    ...message,
    id: typeof native.id === 'string' ? native.id : undefined,
    by: model === undefined ? undefined : { api: 'anthropic', model },
    ...(aborted && { stop: { reason: 'error', raw: 'aborted' } }),
    ...readMeta(time || ours ? { ...time, ...ours } : undefined),
  };
}

/** Stand for no model: Claude Code's own word, and ours. */
const NOBODY = new Set(['<synthetic>', NO_MODEL]);

/** A reply without any of these was not counted. */
const COUNTS = ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'];

function lastOf(lines: readonly Line[], field: string): Json | undefined {
  return lines.findLast(({ message }) => message?.[field] !== undefined && message[field] !== null)?.message?.[field];
}

function isRepeated({ type, id }: JsonObject, calls: Set<string>): boolean {
  if (type !== 'tool_use' || typeof id !== 'string') return false;
  if (calls.has(id)) return true;
  calls.add(id);
  return false;
}

/** A content that can be read: old logs have calls without an id, and damaged ones blocks that are none. */
function cleaned(content: Json | undefined, line: Line, lose: Lose): string | JsonObject[] | undefined {
  if (typeof content === 'string') return content === '' ? undefined : content;
  if (!Array.isArray(content)) return undefined;
  let nameless = 0;
  const blocks = content.flatMap((block): JsonObject[] => {
    if (typeof block === 'string') return [{ type: 'text', text: block }];
    if (!isObject(block)) return [];
    const isCall = block.type === 'tool_use' && typeof block.id !== 'string';
    return [isCall ? withId(block, line, nameless++) : mended(block, line)];
  });
  return blocks.filter((block) => isReadable(block) || lose('content', 'a block is damaged'));
}

function isReadable(block: JsonObject): boolean {
  try {
    readBlock(block);
    return true;
  } catch (error) {
    if (error instanceof ShapeError) return false;
    throw error;
  }
}

/** A call without an id is named for its line, and so is its answer. */
function withId(block: JsonObject, { uuid, index }: Line, nth: number): JsonObject {
  const id = `${uuid ?? index}${nth === 0 ? '' : `_${nth}`}`;
  return { ...block, id, name: typeof block.name === 'string' ? block.name : 'tool' };
}

function mended(block: JsonObject, { parent, uuid, index, value }: Line): JsonObject {
  if (block.type === 'tool_use' && typeof block.name !== 'string') return { ...block, name: 'tool' };
  if (block.type !== 'tool_result' || typeof block.tool_use_id === 'string') return block;
  return { ...block, tool_use_id: String(value.sourceToolAssistantUUID ?? parent ?? uuid ?? index) };
}
