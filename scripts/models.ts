// Writes src/lib/models/data/models.json from the packages that catalogue/sources.json names and the hand-kept files beside it.
// --from DIR takes packages that are unpacked there already; --check only says whether the file is as it would be written.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import yargs from 'yargs';
import { equal } from '../src/lib/json/values.ts';
import { canonical } from '../src/lib/models/canonical.ts';
import { catalogue } from '../src/lib/models/catalogue.ts';
import type { Model } from '../src/lib/models/types.ts';
import { fetchPackage, type Source } from './catalogue/fetch.ts';
import { factsOf, loadGenai, readGenai } from './catalogue/genai.ts';
import { finish, merge, type Overrides } from './catalogue/merge.ts';
import { readPi } from './catalogue/pi.ts';
import { render } from './catalogue/write.ts';

const PROVIDERS = [...catalogue().providers.values()];
const HERE = join(import.meta.dirname, 'catalogue');
const TARGET = join(import.meta.dirname, '../src/lib/models/data/models.json');
const read = (name: string) => JSON.parse(readFileSync(join(HERE, name), 'utf8'));

interface Sources {
  readonly generated: string;
  readonly packages: { readonly pi: Source; readonly genai: Source };
  readonly providers: { readonly [name: string]: { readonly pi?: readonly string[]; readonly genai?: string } };
}

async function collect(sources: Sources, piRoot: string, genaiRoot: string): Promise<Model[]> {
  const genai = await loadGenai(genaiRoot);
  const models: Model[] = [];
  for (const [provider, names] of Object.entries(sources.providers)) {
    const dialect = PROVIDERS.find(({ name }) => name === provider)?.api;
    if (dialect === undefined) throw new Error(`providers.json has no ${provider}`);
    const rows = (names.pi ?? []).flatMap((name) => readPi(piRoot, name));
    for (const { api, ...row } of rows) {
      const other = names.genai ? factsOf(genai, names.genai, row.id, sources.generated) : undefined;
      const spoken = speaks(provider, api) && api !== dialect && BY_MODEL.has(provider) ? { api } : {};
      models.push(merge({ ...withoutShared(row, provider), provider, ...spoken }, other));
    }
    if (rows.length > 0 || names.genai === undefined) continue;
    for (const row of readGenai(genai, names.genai, sources.generated))
      models.push({ ...row, provider, from: 'genai' });
  }
  return models;
}

/** Providers that serve each model in one dialect alone. Elsewhere a source that names another has only a preference. */
const BY_MODEL = new Set(['opencode', 'opencode-go', 'cloudflare-ai-gateway']);

/** The quirks that the provider's row does not say already. */
function withoutShared<M extends Partial<Model>>(row: M, provider: string): M {
  const { quirks = {}, ...rest } = row;
  const shared = (catalogue().provider(provider)?.quirks ?? {}) as { [quirk: string]: unknown };
  const own = Object.entries(quirks).filter(([quirk, value]) => !equal(shared[quirk], value));
  return { ...rest, ...(own.length > 0 && { quirks: Object.fromEntries(own) }) } as M;
}

const speaks = (provider: string, api: string) =>
  PROVIDERS.some(({ name, apis }) => name === provider && Object.hasOwn(apis, api));

/** The makers' own models, by what they are called anywhere. The undated id stands for the dated ones. */
function makersOf(models: readonly Model[]): Map<string, string> {
  const vendors = new Set(PROVIDERS.filter(({ kind }) => kind === 'vendor').map(({ name }) => name));
  const own = models.filter(({ provider }) => vendors.has(provider) && provider !== 'mistral');
  const all = [...own, ...models.filter(({ provider }) => provider === 'mistral')];
  const makers = new Map<string, string>();
  for (const { provider, id } of all.toSorted((a, b) => a.id.length - b.id.length))
    if (!makers.has(canonical(id))) makers.set(canonical(id), `${provider}/${id}`);
  return makers;
}

const values = await yargs(process.argv.slice(2))
  .usage('Usage: models [OPTION]...')
  .options({
    from: { type: 'string', describe: 'a directory with the unpacked packages, in place of the registry' },
    check: { type: 'boolean', describe: 'only say whether models.json is up to date' },
  })
  .strict()
  .parse();
const sources: Sources = read('sources.json');
const overrides: Overrides = read('overrides.json');
const dir = mkdtempSync(join(tmpdir(), 'models-'));
try {
  const rootOf = (source: Source) =>
    values.from ? join(values.from, source.package.replace('/', '-')) : fetchPackage(source, dir);
  const models = await collect(sources, rootOf(sources.packages.pi), rootOf(sources.packages.genai));
  const kept = models.filter(({ provider, id }) => !overrides.skip.includes(`${provider}/${id}`));
  const makers = makersOf(kept);
  const rows = kept.map((row) => finish(row, read('families.json'), overrides, makers));
  const text = render(rows, sources.generated, sources.packages as unknown as { [name: string]: Source });
  if (!values.check) writeFileSync(TARGET, text);
  else if (readFileSync(TARGET, 'utf8') !== text) {
    console.error('models.json is stale: run scripts/models');
    process.exitCode = 1;
  }
  const disputed = rows.filter((row) => row.disputed !== undefined).length;
  console.log(`${rows.length} models, ${disputed} of them disputed, ${text.length} bytes`);
} finally {
  rmSync(dir, { recursive: true, force: true });
}
