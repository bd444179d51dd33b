// `--mark`: what goes stays in the stream, hidden from the model, and can be shown again.
import { hidden, noteOf, shown } from '../../lib/conversation/hidden.ts';
import { type Rec, record } from '../../lib/json/record.ts';
import { isObject, type Json } from '../../lib/json/values.ts';

/** The record with the mark, and with its line where that cannot be made again from its value. */
export function hide(rec: Rec, reason: string): Rec {
  const source = sourceOf(rec);
  const marked = hidden(rec.value, { reason });
  const same = source !== undefined && textOf(shown(marked)) === source;
  return record(same ? marked : hidden(rec.value, { reason, source: source ?? textOf(rec.value) }), rec);
}

/** The record as it was before it was hidden; any other comes back as it is. */
export function show(rec: Rec): Rec {
  const note = noteOf(rec.value);
  if (note === undefined || !isObject(rec.value)) return rec;
  const { source } = note;
  return source === undefined ? record(shown(rec.value), rec) : { ...rec, value: parsed(source), source };
}

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

/** The line of a record; undefined where its bytes are no text. */
function sourceOf({ source, value }: Rec): string | undefined {
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
