// --cache: replies stored by their request, a file each, written beside and renamed, so that no reader sees half of one.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT, Failure } from '../../../lib/failure/failure.ts';
import type { Json, JsonObject } from '../../../lib/json/values.ts';
import { isObject } from '../../../lib/json/values.ts';
import type { Recorded } from '../../../lib/providers/exchange.ts';
import type { ApiRequest } from '../request/build.ts';
import type { Target } from '../select/target.ts';

type Env = Readonly<Record<string, string | undefined>>;

interface CacheOptions {
  readonly dir: string;
  /** Milliseconds. */
  readonly ttl: number;
  /** Bytes. */
  readonly size: number;
  readonly now: () => number;
}

const MEGABYTE = 1024 * 1024;
const SIZE = 256;

/** `$XDG_CACHE_HOME/ai/replies`, else `~/.cache/ai/replies`; `AI_CACHE_MB` bounds its size. Throws a Failure (78) without a home. */
export function openCache(env: Env, ttl: string, now: () => number): ReplyCache {
  const base = env.XDG_CACHE_HOME || (env.HOME && join(env.HOME, '.cache'));
  if (!base) throw new Failure(EXIT.config, 'cannot use the cache: HOME is not set');
  const megabytes = Number(env.AI_CACHE_MB || SIZE);
  if (!(megabytes > 0)) throw new Failure(EXIT.config, 'expected a number of megabytes', { place: 'AI_CACHE_MB' });
  return new ReplyCache({ dir: join(base, 'ai', 'replies'), ttl: readTtl(ttl), size: megabytes * MEGABYTE, now });
}

const UNITS: { readonly [unit: string]: number } = { s: 1e3, m: 6e4, h: 36e5, d: 864e5 };

function readTtl(text: string): number {
  if (text === '') return Number.POSITIVE_INFINITY;
  const [, amount, unit = 's'] = /^(\d+(?:\.\d+)?)([smhd])?$/.exec(text) ?? [];
  if (amount !== undefined) return Number(amount) * (UNITS[unit] ?? 1);
  throw new Failure(EXIT.usage, `option --cache cannot be "${text}": use a time such as 90s, 30m, 12h or 7d`);
}

export class ReplyCache {
  readonly #options: CacheOptions;
  /** Bytes, roughly, since the size was looked at. */
  #added = 0;

  constructor(options: CacheOptions) {
    this.#options = options;
  }

  /** The reply to the same request, to the same server; it is now the one used last. */
  find(target: Target, request: ApiRequest): Recorded | undefined {
    const path = this.#path(target, request);
    try {
      const { at, ...recorded } = JSON.parse(readFileSync(path, 'utf8')) as Recorded & { readonly at: number };
      if (typeof recorded.body !== 'string' || this.#options.now() - at >= this.#options.ttl) return undefined;
      const used = this.#options.now() / 1000;
      utimesSync(path, used, used);
      return recorded;
    } catch {
      return undefined;
    }
  }

  /** Keeps a reply. A cache that cannot be written is none, and no reason to lose the answer. */
  keep(target: Target, request: ApiRequest, recorded: Recorded): void {
    const path = this.#path(target, request);
    const { dir, now, size } = this.#options;
    try {
      mkdirSync(dir, { recursive: true, mode: 0o700 });
      const beside = join(dir, `.${process.pid}-${unique++}`);
      const text = JSON.stringify({ ...recorded, at: now() });
      writeFileSync(beside, text, { mode: 0o600 });
      renameSync(beside, path);
      this.#added += text.length;
      if (path.endsWith('0') || this.#added > size / 16) this.#shrink();
    } catch {
      // The next run asks again.
    }
  }

  /** Drops what was used longest ago, until the rest is a tenth smaller than it may be. Looked at after a sixteenth of it, and by every sixteenth process or so. */
  #shrink(): void {
    const { dir, size } = this.#options;
    this.#added = 0;
    const files = readdirSync(dir).flatMap((name) => {
      const found = statSync(join(dir, name), { throwIfNoEntry: false });
      return found ? [{ name, used: found.mtimeMs, bytes: found.size }] : [];
    });
    let all = files.reduce((sum, { bytes }) => sum + bytes, 0);
    if (all <= size) return;
    for (const { name, bytes } of files.sort((a, b) => a.used - b.used)) {
      if (all <= size * 0.9) return;
      rmSync(join(dir, name), { force: true });
      all -= bytes;
    }
  }

  #path(target: Target, request: ApiRequest): string {
    return join(this.#options.dir, keyOf(target, request));
  }
}

let unique = 0;

/** Whether the reply was asked for in pieces makes no other reply. */
function keyOf({ format, model }: Target, { url, body, headers }: ApiRequest): string {
  const { stream: _, stream_options: _o, ...asked } = body;
  const { origin, pathname } = new URL(url);
  const place = `${origin}${pathname.replace(/:streamGenerateContent$/, ':generateContent').replace(/converse-stream$/, 'converse')}`;
  const text = JSON.stringify([format.name, model, place, sorted(headers), sorted(asked)]);
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('hex');
}

/** The same value with its keys in order. */
function sorted(value: Json | JsonObject | Readonly<Record<string, string>>): Json {
  if (Array.isArray(value)) return value.map((inner) => sorted(inner));
  if (!isObject(value)) return value as Json;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, inner === undefined ? inner : sorted(inner)]));
}
