// Recognition for the APIs that took over the shapes of Chat Completions.
import { isObject, type JsonObject } from '../../ir/json.ts';
import { type Claim, claim } from '../types.ts';

/** What one API says of a record: true if it alone spells it so, false if it could be its own, undefined if it cannot. */
export interface Marks {
  message(value: JsonObject): boolean | undefined;
  head(value: JsonObject): boolean | undefined;
  reply(value: JsonObject): boolean | undefined;
}

export function recogniser(marks: Marks): (value: JsonObject) => Claim | undefined {
  return (value) => {
    const reply = marks.reply(value);
    if (reply !== undefined) return claim('reply', reply);
    if (value.type !== undefined) return undefined;
    if (typeof value.role === 'string') return claimed('message', marks.message(value));
    if (FOREIGN.some((field) => field in value)) return undefined;
    if (Array.isArray(value.messages)) return claimed('conversation', conversation(value, value.messages, marks));
    return claimed('head', marks.head(value));
  };
}

/** Where other APIs keep what they are told, and fields of replies. */
const FOREIGN = ['system', 'input', 'contents', 'conversations', 'instructions', 'choices', 'content', 'output'];

function claimed(kind: 'message' | 'conversation' | 'head', sure: boolean | undefined): Claim | undefined {
  return sure === undefined ? undefined : claim(kind, sure);
}

function conversation(value: JsonObject, messages: readonly unknown[], marks: Marks): boolean | undefined {
  let sure = marks.head(value) === true;
  for (const message of messages) {
    if (sure) break;
    const found = isObject(message) && typeof message.role === 'string' ? marks.message(message) : undefined;
    if (found === undefined) return undefined;
    sure = found;
  }
  return sure;
}
