// The text of models.json: one provider a line, so that a look-up parses one line; what its rows share stands once, under "*". The first line
// has all the ids.
import { equal } from '../../src/lib/json/values.ts';
import type { Model } from '../../src/lib/models/types.ts';
import type { Source } from './fetch.ts';

type Row = { readonly [field: string]: unknown };

export function render(
  models: readonly Model[],
  generated: string,
  sources: { readonly [name: string]: Source },
): string {
  const providers = [...new Set(models.map((model) => model.provider))].sort();
  const lines = providers.map((provider) => {
    const rows = models.filter((model) => model.provider === provider);
    return ascii(`${JSON.stringify(provider)}:${JSON.stringify(compact(rows))}`);
  });
  const cited = Object.fromEntries(
    Object.entries(sources).map(([name, s]) => [name, `${s.package}@${s.version} (${s.date}, ${s.licence})`]),
  );
  const ids = Object.fromEntries(providers.map((name) => [name, idsOf(models, name)]));
  const head = JSON.stringify({ generated, sources: cited, ids });
  return `${head.slice(0, -1)},"models":{\n${lines.join(',\n')}\n}}\n`;
}

const idsOf = (models: readonly Model[], provider: string): string[] =>
  models
    .filter((model) => model.provider === provider)
    .map(({ id }) => id)
    .sort();

/** A text of one byte a character is read and searched in half the time. */
const ascii = (text: string): string =>
  text.replace(/[^ -~]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Fields that may be said once for all rows of a provider. */
const SHARED = ['api', 'context', 'output', 'input', 'tools', 'reasoning', 'schema', 'cache_ttl', 'from', 'quirks'];

function compact(models: readonly Model[]): Row {
  const rows = models.map(({ id, provider, ...row }) => [id, row as Row] as const);
  const shared = Object.fromEntries(
    SHARED.flatMap((field) => {
      const value = usual(rows.map(([, row]) => row[field]));
      return value === undefined ? [] : [[field, value]];
    }),
  );
  const own = rows
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, row]) => [id, Object.fromEntries(Object.entries(row).filter(([f, v]) => !equal(v, shared[f])))]);
  return { ...(Object.keys(shared).length > 0 && { '*': shared }), ...Object.fromEntries(own) };
}

/** The value that most rows have; undefined unless every row has one, since a row cannot say that it has none. */
function usual(values: readonly unknown[]): unknown {
  if (values.length < 2 || values.some((value) => value === undefined)) return undefined;
  const counts = new Map<string, number>();
  for (const value of values) counts.set(JSON.stringify(value), (counts.get(JSON.stringify(value)) ?? 0) + 1);
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most && most[1] > 1 ? JSON.parse(most[0]) : undefined;
}
