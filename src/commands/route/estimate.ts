// How many tokens a conversation takes, roughly: a routing decision needs the order of magnitude, at the speed of reading.
import type { Head, Message, Part } from '../../lib/ir/types.ts';

/** Bytes of text, code and JSON that make a token, on average over models. */
const BYTES_PER_TOKEN = 3.6;

/** What a message and a request take beside their texts. */
const PER_MESSAGE = 4;

/** An image of the size that APIs scale to; https://docs.claude.com/en/docs/build-with-claude/vision. */
const IMAGE = 1500;

/** Base64 characters of other media that make a token: a page of PDF of 100 kB comes to some 1,700. */
const MEDIA_PER_TOKEN = 80;

export const textTokens = (text: string): number => Buffer.byteLength(text) / BYTES_PER_TOKEN;

/** Not a whole number: add first, then round up. */
export function messageTokens(message: Message): number {
  let sum = PER_MESSAGE;
  for (const part of message.parts) sum += partTokens(part);
  return sum;
}

function partTokens(part: Part): number {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return textTokens(part.text);
    case 'reasoning':
      return textTokens(part.text ?? '') + textTokens(part.redacted ?? '');
    case 'tool_call':
      return textTokens(part.name) + (part.text === undefined ? jsonTokens(part.input) : textTokens(part.text));
    case 'tool_result':
      return part.parts.reduce((sum, inner) => sum + partTokens(inner), 0);
    case 'media':
      return mediaTokens(part);
    case 'native':
      return jsonTokens(part.value);
  }
}

function mediaTokens({ kind, source }: Extract<Part, { type: 'media' }>): number {
  if (source.type === 'text') return textTokens(source.text);
  if (source.type === 'parts') return source.parts.reduce((sum, inner) => sum + partTokens(inner), 0);
  if (kind === 'image') return IMAGE;
  return source.type === 'data' ? source.data.length / MEDIA_PER_TOKEN : IMAGE;
}

const jsonTokens = (value: unknown): number => (value === undefined ? 0 : textTokens(JSON.stringify(value)));

/** The tools and the schema of the answer. */
export function headTokens({ tools = [], responseFormat }: Head): number {
  const defined = tools.map(({ name, description, schema }) => jsonTokens({ name, description, schema }));
  return defined.reduce((sum, tokens) => sum + tokens, 0) + jsonTokens(responseFormat?.schema);
}
