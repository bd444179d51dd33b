// A message of the view as items: a message for its text and media, and an item for each call, result and piece of reasoning.

import { writeMeta } from '../../conversation/meta.ts';
import type { Lose, Message, Part } from '../../conversation/types.ts';
import type { JsonObject } from '../../json/values.ts';
import { own } from '../codec/residual.ts';
import { RESPONSES } from './name.ts';
import { writeContent, writeParts } from './write-content.ts';
import type { NewId } from './write-item.ts';
import { writeCall, writeReasoning, writeResult } from './write-item.ts';

/** Every item stands for itself: no message shares one with another. */
export const joins = (): boolean => false;

export function writeMessages(group: readonly Message[], lose: Lose): JsonObject[] {
  return group.flatMap((message) => withMeta(writeItems(message, lose), message));
}

function withMeta(items: JsonObject[], message: Message): JsonObject[] {
  const meta = writeMeta([message]);
  return meta ? items.map((item, i) => (i === items.length - 1 ? { ...item, ...meta } : item)) : items;
}

/** The items of one message. With `newId` they are the output of a reply, where every item has an id and a status. */
export function writeItems(message: Message, lose: Lose, newId?: NewId): JsonObject[] {
  if (message.name !== undefined) lose('name', 'messages have no name');
  const runs = message.parts.length === 0 ? emptyRun(message, newId) : runsOf(message.parts);
  return runs.flatMap((run) => writeRun(run, message, lose, newId));
}

/** A message that this API left empty is written so; another's says nothing. */
const emptyRun = ({ form }: Message, newId?: NewId): (readonly Part[])[] =>
  newId !== undefined || form?.[RESPONSES] === undefined ? [] : [[]];

/** Content that stands together, and each other part by itself. */
function runsOf(parts: readonly Part[]): Part[][] {
  const runs: Part[][] = [];
  let open = false;
  for (const part of parts) {
    const content = isContent(part);
    if (content && open && itemOf(part) === undefined) runs.at(-1)?.push(part);
    else runs.push([part]);
    open = content;
  }
  return runs;
}

function isContent(part: Part): boolean {
  if (part.type === 'native') return part.form?.[RESPONSES] !== 'item';
  return part.type === 'text' || part.type === 'media' || part.type === 'refusal';
}

function writeRun(run: readonly Part[], message: Message, lose: Lose, newId: NewId | undefined): JsonObject[] {
  const [part] = run;
  switch (part?.type) {
    case 'tool_call':
      return listOf(writeCall(part, lose, newId));
    case 'tool_result':
      return listOf(writeResult(part, lose, newId));
    case 'reasoning':
      return listOf(writeReasoning(part, lose, newId));
    case 'native':
      if (part.form?.[RESPONSES] === 'item') return [part.value as JsonObject];
  }
  return writeMessageItem(run, message, lose, newId);
}

const listOf = (item: JsonObject | undefined): JsonObject[] => (item === undefined ? [] : [item]);

function writeMessageItem(run: readonly Part[], message: Message, lose: Lose, newId: NewId | undefined): JsonObject[] {
  const role = message.role === 'tool' ? 'user' : message.role;
  if (newId !== undefined) return [writeOutput(run, lose, newId)];
  const form = message.form?.[RESPONSES];
  if (form === undefined && role === 'assistant') return writeTexts(run, lose);
  const content = writeContent(run, form, role, lose);
  if (form === undefined && Array.isArray(content) && content.length === 0) return [];
  return [{ ...own(message.ext, RESPONSES), role, ...(content !== undefined && { content }) }];
}

/** The message of a reply. */
function writeOutput(run: readonly Part[], lose: Lose, newId: NewId): JsonObject {
  const [first] = run;
  const item = first && itemOf(first);
  const content = writeParts(run.map(withoutItem), 'assistant', lose);
  if (item) return { ...item, content };
  return { id: newId('msg'), type: 'message', status: 'completed', role: 'assistant', content };
}

/** The fields of the output message that begins with this part. */
function itemOf(part: Part): JsonObject | undefined {
  return part.type === 'native' ? undefined : (own(part.ext, RESPONSES)?.item as JsonObject | undefined);
}

function withoutItem(part: Part): Part {
  if (part.type === 'native' || itemOf(part) === undefined) return part;
  const { item: _, ...fields } = own(part.ext, RESPONSES) ?? {};
  const { [RESPONSES]: _whole, ...others } = part.ext ?? {};
  return { ...part, ext: Object.keys(fields).length > 0 ? { ...others, [RESPONSES]: fields } : others };
}

/** A text that an assistant wrote elsewhere: an output message would need an id, so each text is a message of its own. */
function writeTexts(run: readonly Part[], lose: Lose): JsonObject[] {
  return run.flatMap((part) => {
    if (part.type !== 'text' && part.type !== 'refusal') return writeParts([part], 'assistant', lose);
    if (part.type === 'refusal') lose('refusal', 'written as text: only the API itself creates refusals');
    else if (part.citations) lose('citations', 'only messages from the API can have annotations');
    if (part.type === 'text' && part.cache) lose('cache_control', 'only input can have cache breakpoints');
    return part.text === '' ? [] : [{ role: 'assistant', content: part.text }];
  });
}
