// A reply as the chunks that the API would have sent: https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent
import type { Delta } from '../../conversation/delta.ts';
import type { Lose, Message, Part } from '../../conversation/types.ts';
import type { JsonObject } from '../../json/values.ts';
import { Telling, wholeCalls } from '../codec/part-writer.ts';
import type { Known, StreamEvent, StreamWriter } from '../codec/stream.ts';
import { writeReply } from './reply.ts';
import { writeParts } from './write-content.ts';

/** A whole reply: a chunk for each part, and what is said of the whole with the last. */
export function writeStream(message: Message, lose: Lose): StreamEvent[] {
  const { _meta, ...reply } = writeReply(message, lose);
  const [candidate, ...others] = (reply.candidates ?? []) as JsonObject[];
  const content = candidate?.content as JsonObject | undefined;
  const parts = (content?.parts ?? []) as JsonObject[];
  if (candidate === undefined || parts.length < 2) return [{ data: reply }];
  const groups = together(parts);
  const last = groups.pop() ?? [];
  const { candidates: _, ...top } = reply;
  const about = shellOf(top);
  const index = candidate.index === undefined ? {} : { index: candidate.index };
  return [
    ...groups.map((group) => ({
      data: { candidates: [{ content: { ...content, parts: group }, ...index }], ...about },
    })),
    { data: { candidates: [{ ...candidate, content: { ...content, parts: last } }, ...others], ...top } },
  ];
}

/** What every chunk says of the reply. */
function shellOf(top: JsonObject): JsonObject {
  const names = ['modelVersion', 'model_version', 'responseId', 'response_id', 'createTime', 'create_time'];
  return Object.fromEntries(names.flatMap((name) => (top[name] === undefined ? [] : [[name, top[name]]])));
}

/** Texts that follow each other stay in one chunk: over chunks they would be taken for pieces of one. */
function together(parts: readonly JsonObject[]): JsonObject[][] {
  const groups: JsonObject[][] = [];
  for (const part of parts) {
    const last = groups.at(-1);
    if (last && typeof part.text === 'string' && typeof last.at(-1)?.text === 'string') last.push(part);
    else groups.push([part]);
  }
  return groups;
}

/** Writes a foreign reply while it comes. A call is told when its arguments are whole. */
export class GeminiWriter implements StreamWriter {
  readonly #known: Known;
  readonly #lose: Lose;
  readonly #telling = new Telling(
    wholeCalls({
      grow: (text, { kind }) => this.#chunk([{ text, ...(kind !== 'text' && { thought: true }) }]),
      whole: (part) => this.#whole(part),
    }),
  );

  constructor(known: Known, lose: Lose) {
    this.#known = known;
    this.#lose = lose;
  }

  push(delta: Delta): StreamEvent[] {
    return this.#telling.push(delta);
  }

  end(message: Message): StreamEvent[] {
    const rest = this.#telling.end();
    // A reply always says why it ended.
    const ended = { ...message, parts: [], stop: message.stop ?? { reason: 'stop' as const } };
    const { candidates, ...top } = writeReply(ended, () => {});
    const [candidate] = (candidates ?? []) as JsonObject[];
    // A chunk without content makes the API's own client forget the whole turn.
    const content = { parts: [{ text: '' }], role: 'model' };
    return [...rest, { data: { candidates: [{ ...candidate, content }], ...top } }];
  }

  fail(why: string): StreamEvent[] {
    return [{ data: { error: { code: 500, message: why, status: 'INTERNAL' } } }];
  }

  #whole(part: Part): StreamEvent[] {
    return this.#chunk(writeParts([part], this.#lose));
  }

  #chunk(parts: JsonObject[]): StreamEvent[] {
    if (parts.length === 0) return [];
    const { id, by } = this.#known;
    const about = {
      ...(by?.model !== undefined && { modelVersion: by.model }),
      ...(id !== undefined && { responseId: id }),
    };
    return [{ data: { candidates: [{ content: { parts, role: 'model' }, index: 0 }], ...about } }];
  }
}
