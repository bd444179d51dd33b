// Fixtures of every format, written by us, and the real corpora where they are at hand.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../src/lib/ir/json.ts';

const ROOT = join(import.meta.dirname, 'fixtures');

export function readLines(path: string): JsonObject[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line));
}

/** The records of one kind of one format; none if the format has no such file. */
export function fixture(format: string, kind: 'messages' | 'heads' | 'replies'): JsonObject[] {
  const path = join(ROOT, format, `${kind}.jsonl`);
  return existsSync(path) ? readLines(path) : [];
}

/** The recorded streams of a format: their events, and the reply that the API sends for the same without streaming. */
export function streams(format: string): { name: string; events: JsonObject[]; reply: JsonObject }[] {
  return globSync('stream-*.jsonl', { cwd: join(ROOT, format) }).map((file) => {
    const path = join(ROOT, format, file);
    return {
      name: file,
      events: readLines(path),
      reply: JSON.parse(readFileSync(path.replace(/jsonl$/, 'reply.json'), 'utf8')),
    };
  });
}

/** The folder of real conversations (AI_CORPORA), or undefined: tests that need it are skipped then. */
export const CORPORA: string | undefined =
  process.env.AI_CORPORA && existsSync(process.env.AI_CORPORA) ? process.env.AI_CORPORA : undefined;

/** Accepted requests of one API, as recorded. */
export function accepted(folder: string): JsonObject[] {
  if (CORPORA === undefined) return [];
  return globSync(`exchanges/${folder}/exchanges-*.jsonl`, { cwd: CORPORA }).flatMap((file) =>
    readLines(join(CORPORA as string, file)).filter((line) => line.status === 200 && typeof line.request === 'object'),
  );
}
