// Turns that would be refused, or would say nothing: parts that only another API reads, results without their calls, an assistant that speaks first.

import { HAS } from '../../conversation/message-traits.ts';
import { modelName } from '../../conversation/model-name.ts';
import type { FormatName, Head, Lose, Part, ToolResultPart } from '../../conversation/types.ts';
import { type Adaptation, type Ahead, gone, type Read } from '../../conversion/adaptation.ts';
import { nameOf } from '../../dialects/codec/fields.ts';
import { constraintsOf } from '../../dialects/table.ts';
import { filler } from './fillers.ts';

/** A message of nothing but parts of another API is not written, and so nothing stands before or behind it. */
export function readable(to: FormatName): Adaptation {
  return {
    head: (head) => head,
    appliesTo: HAS.others,
    read(read, lose) {
      const { parts } = read.message;
      if (parts.length === 0 || !parts.every((part) => part.type === 'native' && part.format !== to)) return read;
      for (const part of parts) if (part.type === 'native') lose(nameOf(part.value), 'only its own API can use it');
      return gone(read);
    },
  };
}

/** In a whole request, a result whose call is not there (a server keeps it, say) becomes a text of the user. */
export class Orphans implements Adaptation {
  #whole = false;
  readonly #calls = new Set<string>();
  readonly appliesTo = HAS.calls | HAS.results;

  head(head: Head, _lose: Lose, _from: FormatName, ahead?: Ahead): Head {
    this.#whole = ahead !== undefined;
    return head;
  }

  read(read: Read, lose: Lose): Read {
    if (!this.#whole) return read;
    const { message } = read;
    for (const part of message.parts) if (part.type === 'tool_call') this.#calls.add(part.id);
    if (!message.parts.some((part) => this.#isOrphan(part))) return read;
    const parts = message.parts.flatMap((part) =>
      this.#isOrphan(part) ? asText(part as ToolResultPart, lose) : [part],
    );
    const role = parts.some((part) => part.type === 'tool_result') ? message.role : 'user';
    return { ...read, message: { ...message, role, parts } };
  }

  #isOrphan(part: Part): boolean {
    return part.type === 'tool_result' && part.by !== 'provider' && !this.#calls.has(part.callId);
  }
}

function asText({ callId, parts }: ToolResultPart, lose: Lose): Part[] {
  lose('tool result', 'its call is not in the request: written as user text', 'changed');
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const shown = parts.filter((part) => part.type !== 'text');
  return [{ type: 'text', text: `<tool_result id=${JSON.stringify(callId)}>\n${text}\n</tool_result>` }, ...shown];
}

/** Whether the user must speak first. */
export function wantsUserFirst(to: FormatName, model: string | undefined): boolean {
  const { userFirst } = constraintsOf(to);
  return userFirst !== undefined && !userFirst.unless.includes(modelName(model)?.family ?? '');
}

/** A turn of the user before an assistant that speaks first, where the API wants one. */
export class UserFirst implements Adaptation {
  readonly #to: FormatName;
  readonly #model: string | undefined;
  #waits = false;

  constructor(to: FormatName, model: string | undefined) {
    this.#to = to;
    this.#model = model;
  }

  head(head: Head, _lose: Lose, _from: FormatName, ahead?: Ahead): Head {
    this.#waits = wantsUserFirst(this.#to, this.#model) && ahead !== undefined;
    return head;
  }

  read(read: Read, lose: Lose): Read | readonly Read[] {
    const { role, parts } = read.message;
    if (!this.#waits || read.gone || role === 'system' || role === 'developer' || parts.every(isBlank)) return read;
    this.#waits = false;
    if (role === 'user') return read;
    lose('user', 'the API requires a user turn first: "."', 'added');
    return [{ message: filler('user', '.'), from: read.from, recs: [] }, read];
  }
}

/** A text without characters is not written. */
const isBlank = (part: Part): boolean => part.type === 'text' && part.text.trim() === '';
