// Records with a value of another type in each of their fields, as streams of conversations.
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, type Json, type JsonObject } from '../../src/lib/json/values.ts';
import { readLines } from '../fixtures.ts';

const FIXTURES = join(import.meta.dirname, '..', 'fixtures');

/** As JSON text: some of these no JSON.stringify would write. */
export const VALUES: readonly string[] = [
  ...['null', 'true', '0', '-1', '1e400', '""', '"__proto__"', '"constructor"', '[]', '{}', '[[]]', '[null]'],
  ...['{"toString":null}', '{"__proto__":{"type":"text"}}', '[{"type":{"toString":null}}]', '{"length":-1}'],
];

/** What stands in a field, in a record of a kind. Fields of the same path in records of one kind are one. */
export interface Field {
  readonly kind: string;
  readonly path: string;
  /** The record as JSON, with a value in the field. */
  with(value: string): string;
}

const HOLE = '\u2603HOLE\u2603';

/** Every field of some records, and a field of each name that plain objects inherit. */
export function fieldsOf(kind: string, records: readonly JsonObject[]): Field[] {
  const found = new Map<string, Field>();
  for (const record of records)
    for (const path of pathsIn(record)) {
      const name = nameOf(record, path);
      if (!found.has(name)) found.set(name, { kind, path: name, with: (value) => holed(record, path, value) });
    }
  return [...found.values()];
}

type Path = readonly (string | number)[];

function pathsIn(node: Json | undefined, path: Path = []): Path[] {
  const own = path.length > 0 ? [path] : [];
  if (Array.isArray(node)) return [...own, ...node.flatMap((item, i) => pathsIn(item, [...path, i]))];
  if (!isObject(node)) return own;
  return [...own, ...Object.entries(node).flatMap(([key, item]) => pathsIn(item, [...path, key]))];
}

/** Places of a list are one, but for those that parts of different types take. */
function nameOf(record: JsonObject, path: Path): string {
  let node: Json | undefined = record;
  const names = path.map((key) => {
    node = (node as Json[] & JsonObject)[key as never];
    const kind = isObject(node) ? String(node.type ?? '') : '';
    return typeof key === 'number' ? `[${kind}]` : key;
  });
  return `${String(record.role ?? record.type ?? '')} ${names.join('.')}`;
}

function holed(record: JsonObject, path: Path, value: string): string {
  const copy = structuredClone(record);
  let node: Json | undefined = copy;
  for (const key of path.slice(0, -1)) node = (node as Json[] & JsonObject)[key as never];
  (node as { [key: string | number]: Json })[path.at(-1) ?? ''] = HOLE;
  return JSON.stringify(copy).replace(JSON.stringify(HOLE), value);
}

const fixtures = (kind: string): [string, JsonObject[]][] =>
  globSync(`*/${kind}.jsonl`, { cwd: FIXTURES })
    .sort()
    .map((file) => [file, readLines(join(FIXTURES, file))]);

export const GOOD = '{"role":"user","content":"good"}';
const HEAD = '{"model":"gpt-4o","max_tokens":5}';

/** A conversation for a field, with a value in it: a good message stands before the record and behind it. */
export interface Spoiled {
  readonly field: Field;
  readonly stream: (value: string) => string;
}

/** Messages, replies, events and our own records between others; heads before some; and the same on one line. */
export function spoiled(): Spoiled[] {
  const within = (field: Field): Spoiled => ({
    field,
    stream: (value) => `${HEAD}\n${GOOD}\n${field.with(value)}\n${GOOD}\n`,
  });
  const above = (field: Field): Spoiled => ({ field, stream: (value) => `${field.with(value)}\n${GOOD}\n` });
  const alone = (field: Field): Spoiled => ({ field, stream: (value) => `${field.with(value)}\n` });
  const of = (kind: string) => fixtures(kind).flatMap(([file, records]) => fieldsOf(file, records));
  return [
    ...of('heads').map(above),
    ...[...of('messages'), ...of('replies'), ...fieldsOf('ours', OURS)].map(within),
    ...of('stream-*').map(alone),
    ...fieldsOf('rolled', ROLLED).map(alone),
  ];
}

const ROLLED: readonly JsonObject[] = [
  {
    model: 'gpt-4o',
    tools: [{ type: 'function', function: { name: 'look', description: 'Looks', parameters: { type: 'object' } } }],
    messages: [
      { role: 'user', content: 'x' },
      { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'look', arguments: '{}' } }] },
    ],
    _meta: { dialect: 'openai', id: 'x' },
  },
  {
    model: 'claude-sonnet-4-5',
    system: [{ type: 'text', text: 's' }],
    tools: [
      { name: 'look', description: 'Looks', input_schema: { type: 'object', properties: { a: { type: 'string' } } } },
    ],
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'x' }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'look', input: { a: 'b' } }] },
    ],
  },
  { contents: [{ role: 'user', parts: [{ text: 'x' }] }], generationConfig: { temperature: 1 } },
  { conversations: [{ from: 'human', value: 'x' }], tools: '[]' },
];

const OURS: readonly JsonObject[] = [
  {
    type: 'call',
    id: 'a',
    name: 'Read',
    input: { file_path: 'absent.txt' },
    dialect: 'openai',
    turn: 0,
    index: 0,
    of: 1,
  },
  {
    type: 'call',
    id: 'b',
    name: 'Read',
    text: '{',
    custom: true,
    started: true,
    tainted: true,
    hide: ['x'],
    rerun: true,
  },
  {
    type: 'call',
    id: 'c',
    name: 'Read',
    decision: 'deny',
    reason: 'r',
    by: 'b',
    digest: 'd',
    result: { content: 'x' },
  },
  { type: 'started', id: 'a', name: 'Read', index: 0, digest: 'd', time: '2026-01-01T00:00:00Z' },
  {
    type: 'result',
    id: 'a',
    name: 'Read',
    index: 0,
    content: [{ type: 'text', text: 'x' }],
    is_error: true,
    run: { ms: 1 },
  },
  { type: 'delta', index: 0, text: 'x', citation: { url: 'x' } },
  { type: 'delta', index: 1, reasoning: 'x', signature: 's' },
  { type: 'delta', index: 2, id: 'a', name: 'Read', arguments: '{}' },
  { type: 'delta', index: 3, part: { type: 'text', text: 'x' } },
  { type: 'stop', source: 'hook:Stop', reason: 'r' },
  { type: 'hook', event: 'PreToolUse', id: 'a', input: { a: 1 } },
  { type: 'batch', id: 'b', provider: 'openai', model: 'm', requests: 1 },
  { type: 'count', model: 'm', turns: 1 },
  {
    role: 'assistant',
    content: 'x',
    _meta: {
      ...{
        id: 'i',
        provider: 'openai',
        api: 'openai',
        model: 'm',
        time: 't',
        source: 'hook:Stop',
        hidden: false,
        row: {},
      },
      stop: { reason: 'stop', raw: 'stop' },
      usage: { input_tokens: 1, cache_read_tokens: 1, cache_write_tokens: 1, output_tokens: 1, reasoning_tokens: 1 },
      cost: { usd: 1 },
      renamed: { of: 'x', ids: { a: 'b' }, names: { a: 'b' } },
      runs: [
        { id: 'a', name: 'Read', decision: 'deny', status: 1, signal: 's', ms: 1, kept: 'k', bytes: 1, tainted: true },
      ],
      recovered: [{ format: 'x', name: 'n', id: 'i', part: 0, start: 0, end: 1, confidence: 'high' }],
      condensed: { by: ['x'], backup: 'b', digest: 'd', of: 1 },
      carry: { anthropic: { a: 1 } },
      error: { status: 65, message: 'm' },
    },
  },
  {
    model: 'm',
    _meta: {
      dialect: 'openai',
      route: {
        provider: 'openai',
        reason: 'r',
        estimate: { input_tokens: 1, usd: 1 },
        fallbacks: [{ model: 'm' }],
        url: 'u',
      },
      tools_in_prompt: { format: 'hermes-json', tools: [{ name: 'Read', inputSchema: { type: 'object' } }] },
    },
  },
];
