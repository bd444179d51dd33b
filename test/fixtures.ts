// Fixtures of every format, written by us, and the real corpora where they are at hand.

import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { noStream } from '../src/lib/formats/stream.ts';
import { FORMATS } from '../src/lib/formats/table.ts';
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

/** The streams of one API as a recorder kept them: an event on each line. With the whole reply, where the same answer was recorded so too. */
export function recordedStreams(folder: string): { name: string; events: JsonObject[]; reply?: JsonObject }[] {
  if (CORPORA === undefined) return [];
  return globSync(`exchanges/${folder}/vercel-recorded/*.chunks.txt`, { cwd: CORPORA }).map((file) => {
    const path = join(CORPORA as string, file);
    const lines = readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '');
    const whole = path.replace(/chunks\.txt$/, 'json');
    return {
      name: file.split('/').at(-1) ?? file,
      events: lines.map((line) => JSON.parse(line)),
      reply: existsSync(whole) ? JSON.parse(readFileSync(whole, 'utf8')) : undefined,
    };
  });
}

/** The whole answers of one API that the same recorder kept: replies, and here and there an error. */
export function recordedReplies(folder: string): { name: string; reply: JsonObject }[] {
  if (CORPORA === undefined) return [];
  return globSync(`exchanges/${folder}/vercel-recorded/*.json`, { cwd: CORPORA }).map((file) => ({
    name: file.split('/').at(-1) ?? file,
    reply: JSON.parse(readFileSync(join(CORPORA as string, file), 'utf8')),
  }));
}

/** The examples of Ollama's documentation, for its own API: whole requests and single lines of replies. */
export function ollamaExamples(kind: 'request' | 'response'): JsonObject[] {
  if (CORPORA === undefined) return [];
  return readLines(join(CORPORA, 'exchanges/ollama-chat/docs-examples.jsonl'))
    .filter((line) => line.kind === kind && !String(line.file).includes('compatibility'))
    .map((line) => line.body as JsonObject);
}

/** The dialects of APIs; the others hold conversations only. */
export const APIS = FORMATS.filter(({ openStream }) => openStream !== noStream);
