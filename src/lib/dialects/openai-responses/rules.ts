// What the Responses API refuses of its items. https://platform.openai.com/docs/api-reference/responses/create

import { type JsonObject, textIn } from '../../json/values.ts';
import { jsonWord } from '../chat/rules.ts';
import { lookup } from '../codec/fields.ts';
import { sniff } from '../codec/media-signatures.ts';
import { listOf, ofBlocks, ofHead, ofMessages, quoted, type RecordRule, without } from '../record-rules.ts';

/** `Invalid 'input[2].id': Expected an ID that begins with 'fc'.` Compatible servers have ids of their own make. */
const PREFIXES: { readonly [type: string]: string } = {
  function_call: 'fc',
  custom_tool_call: 'ctc',
  reasoning: 'rs',
  message: 'msg',
};
const LONGEST = 64;

const itemIds = ofMessages({
  name: 'item-id',
  find: ({ id, type }) => {
    const prefix = lookup(PREFIXES, type);
    if (
      typeof id !== 'string' ||
      (id.length <= LONGEST && (prefix === undefined || !/^[a-z]+_/.test(id) || id.startsWith(`${prefix}_`)))
    )
      return undefined;
    return {
      what: `the id ${quoted(id)} is not an id for an item of this type`,
      mend: 'omit it: the call has its own',
    };
  },
  mend: (item) => ({ left: [without(item, 'id')], did: 'removed the id of an item' }),
});

const ASSISTANTS = new Set<unknown>(['output_text', 'refusal']);

const roleOf = (item: JsonObject): unknown => item.role;
const isAssistants = (block: JsonObject): boolean => ASSISTANTS.has(block.type);
/** `text` is Chat's word. */
const isInput = ({ type }: JsonObject): boolean =>
  typeof type === 'string' && (type.startsWith('input_') || type === 'text');

/** `Invalid value: 'input_text'. Supported values are: 'output_text' and 'refusal'.` */
const contentTypes = ofMessages({
  name: 'content-type',
  find: (item) => {
    const wrong = listOf(item.content).find((block) =>
      roleOf(item) === 'assistant' ? isInput(block) : isAssistants(block) || block.type === 'text',
    );
    if (item.role === undefined || wrong === undefined) return undefined;
    const what = `a message of the role ${quoted(item.role)} holds ${quoted(wrong.type)}`;
    return { what, mend: item.role === 'assistant' ? 'an assistant says output_text' : 'others say input_text' };
  },
  mend: (item) => {
    const content = listOf(item.content).flatMap((block): JsonObject[] => {
      if (item.role !== 'assistant')
        return isAssistants(block) || block.type === 'text'
          ? [{ type: 'input_text', text: block.text ?? block.refusal ?? '' }]
          : [block];
      if (block.type === 'input_text' || block.type === 'text')
        return [{ type: 'output_text', text: block.text ?? '', annotations: [] }];
      return isInput(block) ? [] : [block];
    });
    return { left: content.length > 0 ? [{ ...item, content }] : [], did: 'gave the content the type of its role' };
  },
});

const summaries = ofMessages({
  name: 'reasoning-summary',
  find: ({ type, summary }) =>
    type === 'reasoning' && !Array.isArray(summary)
      ? { what: 'reasoning has no summary', mend: 'give it an empty list' }
      : undefined,
  mend: (item) => ({ left: [{ ...item, summary: [] }], did: 'gave reasoning an empty summary' }),
});

/** What the model did after it thought. */
const isAnswer = (item: JsonObject | undefined): boolean =>
  item !== undefined &&
  (item.role === 'assistant' || (item.role === undefined && !textIn(item.type).endsWith('_output')));

/** `Item 'rs_…' of type 'reasoning' was provided without its required following item.` */
const followed = ofMessages({
  name: 'reasoning-alone',
  find: ({ type }, { messages }, i) =>
    type === 'reasoning' && !isAnswer(messages[i + 1])
      ? { what: 'reasoning is not followed by its item', mend: 'remove it, or restore the item' }
      : undefined,
  mend: () => ({ left: [], did: 'removed reasoning without the item that followed it' }),
});

/** `Expected a base64-encoded data URL`: file_data is one. */
const files = ofBlocks({
  name: 'file-data',
  field: 'content',
  find: ({ type, file_data }) =>
    type === 'input_file' && typeof file_data === 'string' && !file_data.startsWith('data:')
      ? { what: 'file_data is not a data: URL', mend: 'put "data:application/pdf;base64," in front' }
      : undefined,
  mend: (block) => [
    { ...block, file_data: `data:${sniff(textIn(block.file_data)) ?? 'application/pdf'};base64,${block.file_data}` },
  ],
  did: 'changed a file to a data: URL',
});

const deferred = ofHead({
  name: 'deferred-tools',
  find: ({ tools }) => {
    const list = listOf(tools);
    if (!list.some(({ defer_loading }) => defer_loading === true) || list.some(({ type }) => type === 'tool_search'))
      return undefined;
    return { what: 'a tool is deferred, but there is no tool_search', mend: 'remove defer_loading' };
  },
  mend: (head) => ({ ...head, tools: listOf(head.tools).map((tool) => without(tool, 'defer_loading')) }),
  did: 'removed defer_loading',
});

export const responses: readonly RecordRule[] = [itemIds, contentTypes, summaries, followed, files, deferred, jsonWord];
