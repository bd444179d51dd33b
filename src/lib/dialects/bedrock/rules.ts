// What Converse refuses of its messages. https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html

import { isObject, type Json, type JsonObject, textIn } from '../../json/values.ts';
import { sniff } from '../codec/media-signatures.ts';
import {
  listOf,
  objectOf,
  ofBlocks,
  ofHead,
  ofMessages,
  quoted,
  type RecordRule,
  type Records,
  without,
} from '../record-rules.ts';
import { DocumentNames } from './document-names.ts';

const field = 'content';

export const idOf = ({ head }: Records): string => textIn(head?.modelId ?? head?.model);
export const isClaude = (records: Records): boolean => idOf(records).includes('claude');
/** `The json field of a tool result must be an object`. */
const jsonResults = ofBlocks({
  name: 'result-json',
  field,
  find: ({ toolResult }) =>
    listOf(objectOf(toolResult).content).some(isOddJson)
      ? { what: 'a result contains JSON that is not an object', mend: 'write it as text' }
      : undefined,
  mend: (block) => {
    const result = objectOf(block.toolResult);
    const content = listOf(result.content).map((each) => (isOddJson(each) ? { text: textOf(each.json) } : each));
    return [{ ...block, toolResult: { ...result, content } }];
  },
  did: 'changed JSON that is not an object to text',
});

const isOddJson = (block: JsonObject): boolean => block.json !== undefined && !isObject(block.json);
const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : JSON.stringify(value));

const inputs = ofBlocks({
  name: 'call-input',
  field,
  find: ({ toolUse }) =>
    isObject(toolUse) && !isObject(toolUse.input)
      ? { what: 'the input of a call is not an object', mend: 'write it as one' }
      : undefined,
  mend: (block) => {
    const call = objectOf(block.toolUse);
    return [{ ...block, toolUse: { ...call, input: call.input === undefined ? {} : { input: call.input } } }];
  },
  did: 'put the input of a call into an object',
});

const NAME = /^[A-Za-z0-9\-()[\]]+( [A-Za-z0-9\-()[\]]+)*$/;

const documentNames = ofBlocks({
  name: 'document',
  field,
  find: ({ document }) =>
    isObject(document) &&
    !(typeof document.name === 'string' && document.name.length <= 200 && NAME.test(document.name))
      ? {
          what: `the name ${quoted(document.name)} of a document`,
          mend: 'use letters, digits, single spaces, "-", "()" and "[]"',
        }
      : undefined,
  mend: (block) => {
    const document = objectOf(block.document);
    const said = typeof document.name === 'string' ? document.name : undefined;
    const name = new DocumentNames().next(said, textIn(objectOf(document.source).bytes));
    return [{ ...block, document: { ...document, name } }];
  },
  did: 'gave a document a name of the allowed characters',
});

export const isCache = (block: JsonObject | undefined): boolean => block?.cachePoint !== undefined;
const misplaced = (block: JsonObject, i: number, all: readonly JsonObject[]): boolean =>
  isCache(block) && (i === 0 || isCache(all[i - 1]));

/** The head's own points: in the system prompt, and among the tools. */
const cachesBefore = ofHead({
  name: 'cache-place',
  find: (head) =>
    listOf(head.system).some(misplaced) || listOf(objectOf(head.toolConfig).tools).some(misplaced)
      ? { what: 'a cache point of the head comes first or directly after another', mend: 'remove it' }
      : undefined,
  mend: (head) => {
    const { system, toolConfig } = head;
    const good = (list: readonly JsonObject[]) => list.filter((block, i, all) => !misplaced(block, i, all));
    return {
      ...head,
      ...(system !== undefined && { system: good(listOf(system)) }),
      ...(isObject(toolConfig) && { toolConfig: { ...toolConfig, tools: good(listOf(toolConfig.tools)) } }),
    };
  },
  did: 'removed a cache point',
});

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Message.html */
const DOCUMENT_BYTES = 4.5 * 1024 * 1024;

const documentSizes = ofBlocks({
  name: 'document-size',
  field,
  find: ({ document }) => {
    const { bytes } = objectOf(objectOf(document).source);
    return typeof bytes === 'string' && (bytes.length * 3) / 4 > DOCUMENT_BYTES
      ? { what: 'a document of more than 4.5 MB', mend: 'make it smaller' }
      : undefined;
  },
});

const cachePoints = ofMessages({
  name: 'cache-place',
  find: ({ content }) =>
    listOf(content).some(misplaced)
      ? { what: 'a cache point comes first or directly after another', mend: 'remove it' }
      : undefined,
  mend: (message) => ({
    left: [{ ...message, content: listOf(message.content).filter((block, i, all) => !misplaced(block, i, all)) }],
    did: 'removed a cache point',
  }),
});

const MEDIA = ['image', 'document', 'video', 'audio'];
const FORMATS: { readonly [mime: string]: string } = {
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

const sources = ofBlocks({
  name: 'media-source',
  field,
  find: (block, records) => {
    const kind = MEDIA.find((each) => isObject(block[each]));
    if (kind === undefined || !isClaude(records)) return undefined;
    if (kind === 'video' || kind === 'audio')
      return { what: `the model does not support ${kind} input`, mend: 'remove it' };
    return objectOf(objectOf(block[kind]).source).s3Location === undefined
      ? undefined
      : { what: `the model does not support ${kind} input from S3`, mend: 'send its bytes' };
  },
  mend: () => [],
  did: 'removed media that the model does not support',
});

const imageFormats = ofBlocks({
  name: 'media-type',
  field,
  find: ({ image }) => {
    const { format, source } = objectOf(image);
    const is = FORMATS[sniff(textIn(objectOf(source).bytes)) ?? ''];
    if (is === undefined || is === format) return undefined;
    return { what: `an image is called ${quoted(format)}, and its bytes are ${is}`, mend: 'set the right type' };
  },
  mend: (block) => {
    const image = objectOf(block.image);
    const format = FORMATS[sniff(textIn(objectOf(image.source).bytes)) ?? ''] ?? null;
    return [{ ...block, image: { ...image, format } }];
  },
  did: 'corrected the type of an image',
});

const statuses = ofBlocks({
  name: 'result-status',
  field,
  find: ({ toolResult }, records) =>
    idOf(records).includes('writer.') && objectOf(toolResult).status !== undefined
      ? { what: 'the model does not support the status of a result', mend: 'remove it' }
      : undefined,
  mend: (block) => [{ ...block, toolResult: without(objectOf(block.toolResult), 'status') }],
  did: 'removed the status of a result',
});

const reasoning = ofBlocks({
  name: 'unsigned-thinking',
  field,
  find: ({ reasoningContent }, records) => {
    const { reasoningText } = objectOf(reasoningContent);
    return isObject(reasoningText) && !reasoningText.signature && isClaude(records)
      ? { what: 'a thought has no signature', mend: 'remove it: only the provider of the model can sign it' }
      : undefined;
  },
  mend: () => [],
  did: 'removed a thought without a signature',
});

export const bedrock: readonly RecordRule[] = [
  jsonResults,
  inputs,
  sources,
  imageFormats,
  documentNames,
  reasoning,
  statuses,
  cachePoints,
  cachesBefore,
  documentSizes,
];
