// A response as the events that the API would have sent: https://platform.openai.com/docs/api-reference/responses-streaming

import type { Lose, Message } from '../../conversation/types.ts';
import type { JsonObject } from '../../json/values.ts';
import { lookup } from '../codec/fields.ts';
import type { StreamEvent } from '../codec/stream.ts';
import { writeReply } from './reply.ts';

/** Events in a row, each with its number. */
export class Numbered {
  #count = 0;

  event(type: string, fields: JsonObject): StreamEvent {
    return { event: type, data: { type, sequence_number: this.#count++, ...fields } };
  }
}

/** A whole response: its items one after the other, each with its pieces, and the whole once more at the end. */
export function writeStream(message: Message, lose: Lose): StreamEvent[] {
  const { _meta, ...response } = writeReply(message, lose);
  const numbered = new Numbered();
  const items = (response.output as JsonObject[]).flatMap((item, index) => writeItem(item, index, numbered));
  return [...begin(response, numbered), ...items, finish(response, numbered)];
}

export function begin(response: JsonObject, numbered: Numbered): StreamEvent[] {
  const { usage: _, completed_at: _at, ...rest } = response;
  const open = { ...rest, status: 'in_progress', output: [], error: null, incomplete_details: null, usage: null };
  return [
    numbered.event('response.created', { response: open }),
    numbered.event('response.in_progress', { response: open }),
  ];
}

export function finish(response: JsonObject, numbered: Numbered): StreamEvent {
  const type = lookup(FINAL, response.status) ?? 'response.completed';
  return numbered.event(type, { response });
}

const FINAL: { readonly [status: string]: string } = { incomplete: 'response.incomplete', failed: 'response.failed' };

/** What a growing thing needs to say of itself in each event. */
interface Place {
  readonly numbered: Numbered;
  readonly at: JsonObject;
}

function writeItem(item: JsonObject, output_index: number, numbered: Numbered): StreamEvent[] {
  const place: Place = { numbered, at: { item_id: item.id ?? '', output_index } };
  const open = numbered.event('response.output_item.added', { output_index, item: emptied(item) });
  const pieces = piecesOf(item, place);
  return [open, ...pieces, numbered.event('response.output_item.done', { output_index, item })];
}

const EMPTY: { readonly [type: string]: JsonObject } = {
  message: { content: [], status: 'in_progress' },
  reasoning: { summary: [] },
  function_call: { arguments: '', status: 'in_progress' },
  custom_tool_call: { input: '' },
};

/** The item as it begins; one of a kind that does not grow begins as it is. */
export function emptied(item: JsonObject): JsonObject {
  const { encrypted_content, content, ...rest } = item;
  const kind = lookup(EMPTY, item.type);
  if (kind === undefined) return item;
  return { ...(item.type === 'reasoning' ? rest : item), ...kind };
}

function piecesOf(item: JsonObject, place: Place): StreamEvent[] {
  switch (item.type) {
    case 'message':
      return ((item.content ?? []) as JsonObject[]).flatMap((part, index) => writePart(part, index, place));
    case 'reasoning':
      return writeReasoning(item, place);
    case 'function_call':
      return writeText(
        'response.function_call_arguments',
        { arguments: item.arguments ?? '', name: item.name },
        'arguments',
        place,
      );
    case 'custom_tool_call':
      return writeText('response.custom_tool_call_input', { input: item.input ?? '' }, 'input', place);
    default:
      return [];
  }
}

/** One piece, and the whole again. */
function writeText(type: string, whole: JsonObject, field: string, { numbered, at }: Place): StreamEvent[] {
  const text = whole[field];
  const pieces = text === '' ? [] : [numbered.event(`${type}.delta`, { ...at, delta: text })];
  return [...pieces, numbered.event(`${type}.done`, { ...at, ...whole })];
}

function writePart(part: JsonObject, content_index: number, { numbered, at }: Place): StreamEvent[] {
  const here = { ...at, content_index };
  const refusal = part.type === 'refusal';
  const empty = refusal ? { ...part, refusal: '' } : { ...part, text: '', annotations: [] };
  const annotations = Array.isArray(part.annotations) ? part.annotations : [];
  return [
    numbered.event('response.content_part.added', { ...here, part: empty }),
    ...(refusal ? writeRefusal(part, here, numbered) : writeOutputText(part, here, numbered)),
    ...annotations.map((annotation, annotation_index) =>
      numbered.event('response.output_text.annotation.added', { ...here, annotation_index, annotation }),
    ),
    numbered.event('response.content_part.done', { ...here, part }),
  ];
}

function writeRefusal({ refusal }: JsonObject, here: JsonObject, numbered: Numbered): StreamEvent[] {
  return writeText('response.refusal', { refusal }, 'refusal', { numbered, at: here });
}

function writeOutputText({ text, logprobs = [] }: JsonObject, here: JsonObject, numbered: Numbered): StreamEvent[] {
  if (typeof text !== 'string') return [];
  const pieces = text === '' ? [] : [numbered.event('response.output_text.delta', { ...here, delta: text, logprobs })];
  return [...pieces, numbered.event('response.output_text.done', { ...here, text, logprobs })];
}

function writeReasoning({ summary, content }: JsonObject, { numbered, at }: Place): StreamEvent[] {
  const summaries = Array.isArray(summary) ? (summary as JsonObject[]) : [];
  const contents = Array.isArray(content) ? (content as JsonObject[]) : [];
  return [
    ...summaries.flatMap((part, summary_index) => [
      numbered.event('response.reasoning_summary_part.added', { ...at, summary_index, part: { ...part, text: '' } }),
      ...writeText('response.reasoning_summary_text', { text: part.text }, 'text', {
        numbered,
        at: { ...at, summary_index },
      }),
      numbered.event('response.reasoning_summary_part.done', { ...at, summary_index, part }),
    ]),
    ...contents.flatMap((part, content_index) => {
      const here = { ...at, content_index };
      return [
        numbered.event('response.content_part.added', { ...here, part: { ...part, text: '' } }),
        ...writeText('response.reasoning_text', { text: part.text }, 'text', { numbered, at: here }),
        numbered.event('response.content_part.done', { ...here, part }),
      ];
    }),
  ];
}
