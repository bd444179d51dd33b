// What routing looks at in a conversation. Each thing is found out once, and only if it is asked for.
import type { Need } from '../../lib/config/types.ts';
import type { Head, Message, Part } from '../../lib/conversation/types.ts';
import { type Conversation, firstRecord, headOf, messageOf } from '../../lib/conversion/gather.ts';
import { misshapen } from '../../lib/dialects/read-record.ts';
import { placeOf } from '../../lib/failure/failure.ts';
import type { Rec } from '../../lib/json/record.ts';
import { isObject, type JsonObject } from '../../lib/json/values.ts';
import type { Counter } from '../../lib/tokens/count.ts';
import { type Family, familyOf } from '../../lib/tokens/families.ts';
import type { Classification } from './classify.ts';
import { Prompt } from './prompt.ts';

export class View {
  readonly conversation: Conversation;
  readonly head: Head;
  readonly messages: readonly Message[];
  /** The record of each message; those that the head holds have its own. */
  readonly #recs: readonly (Rec | undefined)[];
  /** How many tokens it is. */
  readonly prompt = new Prompt((counter) => this.#count(counter));
  #needs: ReadonlyMap<Need, string> | undefined;
  #lastText: string | undefined;
  #task: { readonly found: Classification | undefined } | undefined;

  constructor(conversation: Conversation) {
    this.conversation = conversation;
    const { head, messages } = headOf(conversation);
    this.head = head;
    const own = messages.map((message) => ({ message, rec: conversation.head?.rec }));
    const read = conversation.items.flatMap((item) => {
      const message = messageOf(item);
      return message ? [{ message, rec: item.rec }] : [];
    });
    const all = own.length === 0 ? read : [...own, ...read];
    this.messages = all.map(({ message }) => message);
    this.#recs = all.map(({ rec }) => rec);
  }

  /** `file:line` of its first record. */
  get place(): string | undefined {
    return placeOf(firstRecord(this.conversation));
  }

  /** The answer's limit that the head names, where it is one. */
  get maxTokens(): number | undefined {
    const { maxTokens } = this.head;
    return typeof maxTokens === 'number' && maxTokens > 0 ? maxTokens : undefined;
  }

  /** The model that the head names. */
  get requested(): string | undefined {
    return this.head.model;
  }

  /** What an earlier run wrote into the head. */
  get routed(): JsonObject | undefined {
    const { meta } = this.head;
    return isObject(meta) && isObject(meta.route) ? meta.route : undefined;
  }

  /** How the tokens of the model that the head names are counted; of one that is not known, as OpenAI's. */
  get family(): Family {
    return familyOf(this.head.model, this.conversation.format.name);
  }

  #count(counter: Counter): number {
    const { head } = this.conversation;
    const ofHead = reading(head?.rec, () => counter.head(this.head));
    return this.messages.reduce(
      (sum, message, i) => sum + reading(this.#recs[i], () => counter.message(message)),
      ofHead,
    );
  }

  /** The kind of its task; found out once. */
  classified(classify: (text: string) => Classification | undefined): Classification | undefined {
    this.#task ??= { found: classify(this.lastText) };
    return this.#task.found;
  }

  /** The kind of its task, if anybody has asked for it. */
  get task(): Classification | undefined {
    return this.#task?.found;
  }

  get toolNames(): string[] {
    return (this.head.tools ?? []).map((tool) => tool.name);
  }

  /** The text of the user's last message that has any, without what harnesses put into it. */
  get lastText(): string {
    this.#lastText ??= this.messages.reduceRight<string | undefined>((found, message) => {
      if (found !== undefined || message.role !== 'user') return found;
      const text = plainText(textOf(message));
      return text === '' ? undefined : text;
    }, undefined);
    this.#lastText ??= '';
    return this.#lastText;
  }

  /** What the model must be able to do, each with what asks for it. */
  get needs(): ReadonlyMap<Need, string> {
    this.#needs ??= needsOf(this.head, this.messages);
    return this.#needs;
  }
}

/** What is wrong deep in a record is told with its place. */
function reading<T>(rec: Rec | undefined, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw rec === undefined ? error : misshapen(error, rec);
  }
}

export const textOf = ({ parts }: Message): string =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');

const OPEN = '<system-reminder>';
const CLOSE = '</system-reminder>';

/** A text without the reminders that harnesses add to what people write, and without space around it. */
export function plainText(text: string): string {
  const kept: string[] = [];
  let at = 0;
  for (;;) {
    const open = text.indexOf(OPEN, at);
    const close = open < 0 ? -1 : text.indexOf(CLOSE, open);
    if (close < 0) return (kept.join('') + text.slice(at)).trim();
    kept.push(text.slice(at, open));
    at = close + CLOSE.length;
  }
}

function needsOf(head: Head, messages: readonly Message[]): Map<Need, string> {
  const needs = new Map<Need, string>();
  const media = new Map<Need, number>();
  let calls = 0;
  const look = (parts: readonly Part[]): void => {
    for (const part of parts) {
      if (part.type === 'tool_call') calls += 1;
      else if (part.type === 'tool_result') look(part.parts);
      else if (part.type === 'media' && part.source.type !== 'text')
        media.set(part.kind, (media.get(part.kind) ?? 0) + 1);
    }
  };
  for (const message of messages) look(message.parts);
  for (const [kind, count] of media) needs.set(kind, `${count} ${kind}${count === 1 ? '' : 's'}`);
  const tools = head.tools?.length ?? 0;
  if (tools > 0) needs.set('tools', `${tools} tool${tools === 1 ? '' : 's'}`);
  else if (calls > 0) needs.set('tools', `${calls} call${calls === 1 ? '' : 's'} of tools`);
  const { reasoning, responseFormat, stream } = head;
  if (reasoning && reasoning.mode !== 'off' && reasoning.effort !== 'none' && reasoning.budget !== 0)
    needs.set('reasoning', 'the head asks for it');
  if (responseFormat?.type === 'schema') needs.set('schema', 'the head asks for it');
  if (stream === true) needs.set('streaming', 'the head asks for it');
  return needs;
}
