// What Cohere's API refuses of its messages and its body. https://docs.cohere.com/reference/chat
import { developers, isText, textArguments } from '../chat/rules.ts';
import { listOf, objectOf, ofBlocks, ofHead, quoted, type RecordRule, without } from '../record-rules.ts';

const resultImages = ofBlocks({
  name: 'media-place',
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
  find: ({ response_format, tools }) =>
    objectOf(response_format).type === 'json_object' && listOf(tools).length > 0
      ? { what: 'JSON output is requested together with tools', mend: 'set only one of them' }
      : undefined,
  mend: (head) => without(head, 'response_format'),
  did: 'removed the response format',
});

const choiceWords = ofHead({
  name: 'tool-choice',
  find: ({ tool_choice }) =>
    isText(tool_choice) &&
    (tool_choice === undefined || tool_choice === null || tool_choice === 'REQUIRED' || tool_choice === 'NONE')
      ? undefined
      : { what: `tool_choice is ${quoted(tool_choice)}`, mend: 'use REQUIRED or NONE, or omit it' },
  mend: (head) => without(head, 'tool_choice'),
  did: 'removed tool_choice',
});

export const cohere: readonly RecordRule[] = [textArguments, developers, resultImages, jsonOrTools, choiceWords];
