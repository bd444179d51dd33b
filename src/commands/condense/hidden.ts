// `--mark`: what goes stays in the stream, hidden from the model, and can be shown again.
import { isObject, type Json, type JsonObject } from '../../lib/ir/json.ts';
import { type Rec, record } from '../../lib/ir/record.ts';

/** What is noted of a hidden record: why, and its line where it cannot be made again from its value. */
interface Hidden {
  readonly reason: string;
  /** The line as it came. */
  readonly source?: string;
}

/** The record with `_meta.hidden`: programs pass it on and never send it. */
export function hide(rec: Rec, reason: string): Rec {
  const source = sourceOf(rec);
  const hidden = withMark(rec.value, { reason });
  const same = source !== undefined && textOf(shownValue(hidden)) === source;
  return record(same ? hidden : withMark(rec.value, { reason, source: source ?? textOf(rec.value) }), rec);
}

/** The record as it was before it was hidden; any other comes back as it is. */
export function show(rec: Rec): Rec {
  if (!isObject(rec.value) || hiddenOf(rec.value) === undefined) return rec;
  const { source } = hiddenOf(rec.value) as Hidden;
  return source === undefined ? record(shownValue(rec.value), rec) : { ...rec, value: parsed(source), source };
}

/** Whether a record was put in the place of hidden ones. */
export const isStandIn = ({ value }: Rec): boolean =>
  isObject(value) &&
  isObject(value._meta) &&
  isObject(value._meta.condensed) &&
  value._meta.condensed.stands_in === true;

/** A rolled-up line of which messages are now hidden: it keeps its own line where it cannot be made again from its value. */
export function keepSpelling(rolled: Rec, changed: Rec): Rec {
  const source = sourceOf(rolled);
  if (source === undefined || source === textOf(rolled.value) || !isObject(changed.value)) return changed;
  const before = isObject(changed.value._meta) ? changed.value._meta : {};
  return record({ ...changed.value, _meta: { ...before, hidden_for: { reason: 'spelling', source } } }, changed);
}

/** The line that `keepSpelling` kept. */
export function spelledLine(rolled: Rec): Rec | undefined {
  const meta = isObject(rolled.value) ? rolled.value._meta : undefined;
  const kept = isObject(meta) && isObject(meta.hidden_for) ? meta.hidden_for.source : undefined;
  return typeof kept === 'string' ? { ...rolled, value: parsed(kept), source: kept } : undefined;
}

function withMark(value: Json | undefined, { reason, source }: Hidden): JsonObject {
  const object = isObject(value) ? value : {};
  const before = isObject(object._meta) ? object._meta : {};
  const hidden_for = { reason, ...(source !== undefined && { source }) };
  return { ...object, _meta: { ...before, hidden: true, hidden_for } };
}

function hiddenOf({ _meta: meta }: JsonObject): Hidden | undefined {
  if (!isObject(meta) || meta.hidden !== true || !isObject(meta.hidden_for)) return undefined;
  const { reason, source } = meta.hidden_for;
  return { reason: String(reason), ...(typeof source === 'string' && { source }) };
}

/** Without the mark, and without a `_meta` that has nothing else. */
function shownValue(value: JsonObject): JsonObject {
  const { _meta, ...rest } = value;
  const { hidden, hidden_for, ...meta } = _meta as JsonObject;
  return Object.keys(meta).length === 0 ? rest : { ...value, _meta: meta };
}

/** The line of a record; undefined where its bytes are no text. */
export function sourceOf({ source, value }: Rec): string | undefined {
  if (source === undefined) return value === undefined ? '' : textOf(value);
  return typeof source === 'string' ? source : undefined;
}

const textOf = (value: Json | undefined): string => `${JSON.stringify(value)}\n`;

/** A line as JSON; undefined where it is none. */
export function parsed(source: string): Json | undefined {
  try {
    return JSON.parse(source.replace(/^\ufeff/, '')) as Json;
  } catch {
    return undefined;
  }
}
