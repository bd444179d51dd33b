// Fixtures of every format, written by us, and the real corpora where they are at hand.

import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ReplyStreams, type Step } from '../src/lib/conversion/reply-streams.ts';
import { noStream } from '../src/lib/dialects/codec/stream.ts';
import { FORMATS } from '../src/lib/dialects/table.ts';
import type { Format } from '../src/lib/dialects/types.ts';
import { Failure } from '../src/lib/failure/failure.ts';
import { isObject, type Json, type JsonObject } from '../src/lib/json/values.ts';
import { eventOf, FrameParser } from '../src/lib/streams/aws-event-stream.ts';
import { SseParser } from '../src/lib/streams/sse-parser.ts';

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

/** One reply out of a recorded stream, or why it is none. */
export interface RecordedReply {
  readonly name: string;
  readonly format: Format;
  readonly events: readonly JsonObject[];
}

/** Every stream of the corpora, whatever its API and framing: the replies in it, one after the other. */
export function recordedAnswers(): (RecordedReply | { readonly name: string; readonly failure: Failure })[] {
  if (CORPORA === undefined) return [];
  const kept = globSync('exchanges/*/vercel-recorded/*.chunks.txt', { cwd: CORPORA }).map((name) => ({
    name,
    events: readFileSync(join(CORPORA as string, name), 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== ''),
  }));
  const exchanged = globSync('exchanges/*/exchanges-*.jsonl', { cwd: CORPORA }).flatMap((file) =>
    readLines(join(CORPORA as string, file)).flatMap(({ id, response }) => {
      const events = eventsIn(response);
      return events.length > 0 ? [{ name: `${file} ${id}`, events }] : [];
    }),
  );
  return [...kept, ...exchanged].filter(({ name }) => !name.includes('interactions')).flatMap(repliesIn);
}

/** The events of a body, in whatever framing it was recorded. */
function eventsIn(response: Json | undefined): string[] {
  if (isObject(response) && typeof response.__bytes_base64 === 'string')
    return new FrameParser()
      .push(Buffer.from(response.__bytes_base64, 'base64'))
      .map((f) => JSON.stringify(eventOf(f)));
  if (typeof response !== 'string' || !response.includes('data:')) return [];
  return new SseParser().push(`${response}\n\n`).map(({ data }) => data);
}

function repliesIn({ name, events }: { name: string; events: string[] }) {
  const replies: (RecordedReply | { name: string; failure: Failure })[] = [];
  const streams = new ReplyStreams();
  let told: JsonObject[] = [];
  const take = (steps: readonly Step[]) => {
    for (const step of steps)
      if (step.type === 'whole') {
        replies.push({ name, format: step.stream.format, events: told });
        told = [];
      } else if (step.event.data !== '[DONE]') told.push(JSON.parse(step.event.data));
  };
  const rec = { value: undefined, file: name, line: 1 };
  const guarded = (act: () => readonly Step[]) => {
    try {
      take(act());
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      replies.push({ name, failure: error });
      streams.drop();
      told = [];
    }
  };
  for (const data of events) guarded(() => streams.push({ data }, rec));
  guarded(() => streams.end());
  return replies;
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
