// `_meta`: all that the suite adds to a record. Nothing under it is ever sent to a provider.

import { equal, isObject, type JsonObject } from '../json/values.ts';
import { isStandIn, notStandIn } from './hidden.ts';
import type { By, Message, StopReason, Usage } from './types.ts';

type FromMeta = Pick<Message, 'id' | 'by' | 'stop' | 'usage' | 'meta'>;

/** What a message's `_meta` says about its making. A `_meta` that is no object is kept and says nothing. */
export function readMeta(meta: unknown): FromMeta | undefined {
  if (meta === undefined) return undefined;
  if (!isObject(meta)) return { meta: meta as JsonObject };
  const { id, provider, api, model, stop, usage } = meta;
  const by =
    [provider, model].some((name) => name !== undefined) && areTexts(provider, api, model)
      ? ({ provider, api, model } as By)
      : undefined;
  return {
    meta,
    ...(typeof id === 'string' && { id }),
    ...(by && { by }),
    ...(isObject(stop) &&
      isReason(stop.reason) &&
      areTexts(stop.raw) && { stop: { reason: stop.reason, raw: stop.raw as string } }),
    ...(isObject(usage) && { usage: readUsage(usage) }),
  };
}

const areTexts = (...values: readonly unknown[]): boolean =>
  values.every((value) => value === undefined || value === null || typeof value === 'string');

const REASONS = {
  ...{ stop: true, stop_sequence: true, tool_calls: true, length: true, context_window: true, content_filter: true },
  ...{ pause: true, compaction: true, error: true, other: true },
} satisfies { readonly [reason in StopReason]: true };

const isReason = (value: unknown): value is StopReason => typeof value === 'string' && Object.hasOwn(REASONS, value);

/** `{_meta}` for the native message made of `group`, or nothing. What the view says replaces what `_meta` said before; tokens add up. */
export function writeMeta(group: readonly Message[]): { _meta: JsonObject } | undefined {
  let said: JsonObject | undefined;
  for (const message of group) {
    const meta = metaOf(message);
    if (meta !== undefined) said = said === undefined ? meta : { ...said, ...meta, ...added(said, meta) };
  }
  const mixed = isStandIn({ _meta: said }) && !group.every(({ meta }) => isStandIn({ _meta: meta }));
  return said && { _meta: mixed ? notStandIn(said) : said };
}

/** What belongs to parts, and so to both: names that were changed, and tokens. */
function added(a: JsonObject, b: JsonObject): JsonObject {
  const usage = isObject(a.usage) && isObject(b.usage) ? { usage: sum(a.usage, b.usage) } : undefined;
  return { ...bothRenamed(a, b), ...usage };
}

/** What was renamed belongs to parts, and so all of it stays. */
function bothRenamed(a: JsonObject, b: JsonObject): JsonObject {
  const [first, second] = [a.renamed, b.renamed];
  if (!isObject(first) || !isObject(second)) return {};
  const shared = ['ids', 'names'].filter((key) => isObject(first[key]) && isObject(second[key]));
  const both = shared.map((key) => [key, { ...(first[key] as JsonObject), ...(second[key] as JsonObject) }]);
  return { renamed: { ...first, ...second, ...Object.fromEntries(both) } };
}

/** Two counts of tokens in one. */
function sum(a: JsonObject, b: JsonObject): JsonObject {
  const fields = Object.keys({ ...a, ...b });
  return Object.fromEntries(
    fields.map((field) => {
      const [left, right] = [a[field], b[field]];
      return [field, typeof left === 'number' && typeof right === 'number' ? left + right : (right ?? left)];
    }),
  );
}

function metaOf(message: Message): JsonObject | undefined {
  const { id, by, stop, usage, meta } = message;
  if (id === undefined && by === undefined && stop === undefined && usage === undefined) return meta;
  const before = readMeta(meta);
  const changed: JsonObject = {
    ...(!equal(id, before?.id) && { id }),
    ...(!equal(by, before?.by) && { ...by }),
    ...(!equal(stop, before?.stop) && { stop: { ...stop } }),
    ...(!equal(usage, before?.usage) && { usage: usage && writeUsage(usage) }),
  };
  return Object.keys(changed).length === 0 ? meta : { ...meta, ...changed };
}

/** Token counts as `_meta.usage` spells them. */
export function writeUsage(usage: Usage): JsonObject {
  return withoutUndefined({
    input_tokens: usage.input,
    cache_read_tokens: usage.cacheRead,
    cache_write_tokens: usage.cacheWrite,
    output_tokens: usage.output,
    reasoning_tokens: usage.reasoning,
  });
}

function readUsage(usage: JsonObject): Usage {
  return {
    input: number(usage.input_tokens),
    cacheRead: number(usage.cache_read_tokens),
    cacheWrite: number(usage.cache_write_tokens),
    output: number(usage.output_tokens),
    reasoning: number(usage.reasoning_tokens),
  };
}

const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

function withoutUndefined(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}
