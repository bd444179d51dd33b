// What Chat, and the APIs that took over its shapes, refuse of their messages.
import { isObject, type JsonObject } from '../../json/values.ts';
import { quoted } from '../rules/build.ts';
import { listOf, objectOf, ofBlocks, ofHead, ofMessages, type WireRule, without } from './types.ts';

/** `Invalid type for 'messages[1].tool_calls[0].function.arguments': expected a string` */
const textArguments = ofMessages({
  name: 'arguments-text',
  formats: ['openai', 'cohere'],
  find: ({ tool_calls }) => {
    const wrong = listOf(tool_calls).find((call) => isObject(call.function) && !isText(call.function.arguments));
    return wrong && { what: 'the arguments of a call are not a string', mend: 'write them as JSON text' };
  },
  mend: (message) => ({
    left: [{ ...message, tool_calls: listOf(message.tool_calls).map(withText) }],
    did: 'wrote arguments as JSON text',
  }),
});

const isText = (value: unknown): boolean => value === undefined || value === null || typeof value === 'string';

function withText(call: JsonObject): JsonObject {
  const fn = objectOf(call.function);
  return isText(fn.arguments) ? call : { ...call, function: { ...fn, arguments: JSON.stringify(fn.arguments) } };
}

const SOUNDS = new Set<unknown>(['wav', 'mp3']);

const audio = ofBlocks({
  name: 'audio-format',
  formats: ['openai'],
  field: 'content',
  find: ({ type, input_audio }) => {
    const { format } = objectOf(input_audio);
    if (type !== 'input_audio' || SOUNDS.has(format)) return undefined;
    return { what: `audio of the format ${quoted(format)}`, mend: 'use wav or mp3' };
  },
  mend: () => [],
  did: 'took audio away',
});

/** These know no developer. */
const developers = ofMessages({
  name: 'role',
  formats: ['mistral', 'cohere'],
  find: ({ role }) =>
    role === 'developer' ? { what: 'the API has no role "developer"', mend: 'use "system"' } : undefined,
  mend: (message) => ({ left: [{ ...message, role: 'system' }], did: 'changed the role developer to system' }),
});

const resultImages = ofBlocks({
  name: 'media-place',
  formats: ['cohere'],
  field: 'content',
  find: ({ type }, { messages }, i) =>
    type === 'image_url' && messages[i]?.role === 'tool'
      ? { what: 'a result contains an image', mend: 'move it to a user message' }
      : undefined,
  mend: () => [{ type: 'text', text: '' }],
  did: 'moved an image out of a result',
});

/** `response_format: {"type": "json_object"}` is not allowed with tools or documents: the SDK's own words. */
const jsonOrTools = ofHead({
  name: 'json-and-tools',
  formats: ['cohere'],
  find: ({ response_format, tools }) =>
    objectOf(response_format).type === 'json_object' && listOf(tools).length > 0
      ? { what: 'JSON output is requested together with tools', mend: 'set only one of them' }
      : undefined,
  mend: (head) => without(head, 'response_format'),
  did: 'removed the response format',
});

const choiceWords = ofHead({
  name: 'tool-choice',
  formats: ['cohere'],
  find: ({ tool_choice }) =>
    isText(tool_choice) &&
    (tool_choice === undefined || tool_choice === null || tool_choice === 'REQUIRED' || tool_choice === 'NONE')
      ? undefined
      : { what: `tool_choice is ${quoted(tool_choice)}`, mend: 'use REQUIRED or NONE, or omit it' },
  mend: (head) => without(head, 'tool_choice'),
  did: 'removed tool_choice',
});

const namedSchema = ofHead({
  name: 'tool-schema',
  formats: ['mistral'],
  find: ({ response_format }) => {
    const { type, json_schema } = objectOf(response_format);
    if (type !== 'json_schema' || typeof objectOf(json_schema).name === 'string') return undefined;
    return { what: 'the response format has no name', mend: 'give it one' };
  },
  mend: (head) => {
    const format = objectOf(head.response_format);
    return {
      ...head,
      response_format: { ...format, json_schema: { name: 'response', ...objectOf(format.json_schema) } },
    };
  },
  did: 'gave the response format a name',
});

/** `Reasoning input is not enabled for this model` */
const PLAIN = /^(mistral-large|codestral|open-|ministral|pixtral)/;

const thinkingChunks = ofBlocks({
  name: 'reasoning-place',
  formats: ['mistral'],
  field: 'content',
  find: ({ type }, { head }) =>
    type === 'thinking' && PLAIN.test(String(head?.model ?? ''))
      ? { what: `${quoted(head?.model)} does not support thinking`, mend: 'remove it' }
      : undefined,
  mend: () => [],
  did: 'took thinking away',
});

export const chat: readonly WireRule[] = [
  textArguments,
  audio,
  developers,
  resultImages,
  jsonOrTools,
  choiceWords,
  namedSchema,
  thinkingChunks,
];
