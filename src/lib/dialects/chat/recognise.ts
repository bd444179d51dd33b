// Recognition for the APIs that took over the shapes of Chat Completions.
import { isObject, type JsonObject } from '../../json/values.ts';
import { lookup } from '../codec/fields.ts';
import { type Claim, claim } from '../types.ts';
import { saysElsewhere } from './elsewhere.ts';

/** What one API says of a record: true if it alone spells it so, false if it could be its own, undefined if it cannot. */
interface Marks {
  message(value: JsonObject): boolean | undefined;
  head(value: JsonObject): boolean | undefined;
  reply(value: JsonObject): boolean | undefined;
}

export function recogniser(marks: Marks): (value: JsonObject) => Claim | undefined {
  return (value) => {
    if (typeof value.role === 'string')
      return isRole(value) && !saysElsewhere(value) ? claimed('message', marks.message(value)) : undefined;
    const reply = marks.reply(value);
    if (reply !== undefined) return claim('reply', reply);
    if (value.type !== undefined) return undefined;
    if (FOREIGN.some((field) => field in value)) return undefined;
    if (Array.isArray(value.messages)) return claimed('conversation', conversation(value, value.messages, marks));
    return claimed('head', marks.head(value));
  };
}

/** The roles that they all have. */
function isRole({ role, type }: JsonObject): boolean {
  return type === undefined && (role === 'user' || role === 'assistant' || role === 'tool' || role === 'system');
}

/** Where other APIs keep what they are told, and fields of replies. */
const FOREIGN = ['system', 'input', 'contents', 'conversations', 'instructions', 'choices', 'content', 'output'].concat(
  ['message', 'done'],
);

/** Types of parts that belong to other APIs. */
const PARTS = new Set(
  [
    'tool_use',
    'tool_result',
    'redacted_thinking',
    'server_tool_use',
    'mcp_tool_use',
    'search_result',
    'refusal',
  ].concat(
    ['container_upload', 'image', 'document', 'file', 'input_audio', 'thinking', 'document_url', 'reference'],
    ['input_text', 'output_text', 'input_image', 'input_file'],
  ),
);

/**
 * Whether a list of parts is an API's own, by its table of types: true if it alone has such a part or spells it so. A type that no API has may
 * be anyone's.
 */
export function recogniseParts(
  content: readonly unknown[],
  types: { readonly [type: string]: (part: JsonObject) => boolean | undefined },
): boolean | undefined {
  let sure = false;
  for (const part of content) {
    if (!isObject(part) || typeof part.type !== 'string') return undefined;
    const reader = lookup(types, part.type);
    const isOwn = reader
      ? reader(part)
      : PARTS.has(part.type) || part.type.endsWith('_tool_result')
        ? undefined
        : false;
    if (isOwn === undefined) return undefined;
    sure ||= isOwn;
  }
  return sure;
}

function claimed(kind: 'message' | 'conversation' | 'head', sure: boolean | undefined): Claim | undefined {
  return sure === undefined ? undefined : claim(kind, sure);
}

function conversation(value: JsonObject, messages: readonly unknown[], marks: Marks): boolean | undefined {
  let sure = marks.head(value) === true;
  for (const message of messages) {
    if (sure) break;
    const found = isObject(message) && isRole(message) ? marks.message(message) : undefined;
    if (found === undefined) return undefined;
    sure = found;
  }
  return sure;
}
