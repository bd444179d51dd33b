// What Converse refuses of turns, and of a body. https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html

import { type Json, type JsonObject, textIn } from '../../json/values.ts';
import {
  type Finding,
  listOf,
  type Mended,
  objectOf,
  ofHead,
  ofMessages,
  quoted,
  type RecordRule,
  without,
} from '../record-rules.ts';
import { DocumentNames } from './document-names.ts';
import { idOf, isCache, isClaude } from './rules.ts';

/** These take nothing beside a result: `extraneous key [toolResult]`. */
const ALONE = /meta\.llama|mistral\./;

const isResult = ({ toolResult }: JsonObject): boolean => toolResult !== undefined;
const isFile = ({ document, video }: JsonObject): boolean => document !== undefined || video !== undefined;
const FILLER: JsonObject = { role: 'assistant', content: [{ text: '.' }], _meta: { filler: true } };

/** What may not stand beside a result goes into a message of its own, behind a turn that says nothing. */
const resultsAlone = ofMessages({
  name: 'result-alone',
  find: ({ content }, records) => {
    const blocks = listOf(content);
    if (!blocks.some(isResult)) return undefined;
    const id = idOf(records);
    const wrong = ALONE.test(id)
      ? blocks.some((block) => !isResult(block) && !isCache(block))
      : isClaude(records) && blocks.some(isFile);
    return wrong
      ? { what: 'a message has other content beside a result', mend: 'put the rest into a later message' }
      : undefined;
  },
  mend: (message) => {
    const blocks = listOf(message.content);
    const rest = blocks.filter((block) => !isResult(block));
    const left = [{ ...message, content: blocks.filter(isResult) }, FILLER, { role: 'user', content: rest }];
    return { left, did: 'moved what was beside a result to a later message' };
  },
});

const lastWords: RecordRule = {
  name: 'last-turn',
  check(records): Finding[] {
    const last = records.messages.length - 1;
    const message = records.messages[last];
    const text = message?.role === 'assistant' ? listOf(message.content).at(-1)?.text : undefined;
    if (typeof text !== 'string' || text.trimEnd() === text || !isClaude(records)) return [];
    return [
      {
        rule: 'last-turn',
        message: last,
        what: 'the final assistant text ends with white space',
        mend: 'cut it off',
      },
    ];
  },
  mend(records) {
    if (this.check(records).length === 0) return undefined;
    const last = records.messages.length - 1;
    const message = records.messages[last] as JsonObject;
    const content = listOf(message.content);
    const end = content.at(-1) as JsonObject;
    const trimmed = { ...message, content: content.with(-1, { ...end, text: textIn(end.text).trimEnd() }) };
    const did: Mended[] = [{ rule: 'last-turn', message: last, did: 'removed the white space' }];
    return { records: { ...records, messages: records.messages.with(last, trimmed) }, did };
  },
};

const CHOICES = new Set(['auto', 'any', 'tool']);
const toolsOf = (head: JsonObject): JsonObject => objectOf(head.toolConfig);

const choice = ofHead({
  name: 'tool-choice',
  find: (head) => {
    const wrong = Object.keys(objectOf(toolsOf(head).toolChoice)).find((kind) => !CHOICES.has(kind));
    return wrong === undefined ? undefined : { what: `the choice ${quoted(wrong)}`, mend: 'use auto, any or tool' };
  },
  mend: (head) => ({ ...head, toolConfig: without(toolsOf(head), 'toolChoice') }),
  did: 'removed a tool_choice that the API does not support',
});

const specOf = ({ toolSpec }: JsonObject): JsonObject => objectOf(toolSpec);

const descriptions = ofHead({
  name: 'tool-description',
  find: (head) => {
    const blank = listOf(toolsOf(head).tools).find((tool) => specOf(tool).description === '');
    return blank && { what: `the description of the tool ${quoted(specOf(blank).name)} is empty`, mend: 'omit it' };
  },
  mend: (head) => {
    const tools = listOf(toolsOf(head).tools).map((tool) =>
      specOf(tool).description === '' ? { ...tool, toolSpec: without(specOf(tool), 'description') } : tool,
    );
    return { ...head, toolConfig: { ...toolsOf(head), tools } };
  },
  did: 'removed an empty description',
});

const MOST = { cachePoint: 4, document: 5 };

const counts: RecordRule = {
  name: 'block-count',
  check({ head = {}, messages }): Finding[] {
    const before = [...listOf(toolsOf(head).tools), ...listOf(head.system)];
    const blocks = [...before, ...messages.flatMap(({ content }) => listOf(content))];
    return Object.entries(MOST).flatMap(([kind, most]): Finding[] => {
      const count = blocks.filter((block) => block[kind] !== undefined).length;
      if (count <= most) return [];
      return [
        {
          rule: 'block-count',
          what: `there are ${count} of ${kind}, but at most ${most} are allowed`,
          mend: 'remove some',
        },
      ];
    });
  },
  mend(records) {
    if (this.check(records).length === 0) return undefined;
    const left: { [kind: string]: number } = { ...MOST };
    const { head = {} } = records;
    // What stands before all messages serves every request of the conversation.
    const first = [...listOf(toolsOf(head).tools), ...listOf(head.system)].filter(isCache).length;
    left.cachePoint = Math.max(0, MOST.cachePoint - first);
    // The last ones are kept: they stand where the conversation goes on.
    const messages = records.messages.toReversed().map((message) => {
      const content = listOf(message.content)
        .toReversed()
        .filter((block) => {
          const kind = Object.keys(MOST).find((each) => block[each] !== undefined);
          if (kind === undefined) return true;
          left[kind] = (left[kind] ?? 0) - 1;
          return (left[kind] ?? 0) >= 0;
        });
      return content.length === listOf(message.content).length
        ? message
        : { ...message, content: content.toReversed() };
    });
    return {
      records: { ...records, messages: messages.toReversed() },
      did: [{ rule: 'block-count', did: 'kept the last ones that are allowed' }],
    };
  },
};

/** `Messages can't contain duplicate document names`, in all of them together: https://github.com/maximhq/bifrost/issues/7003 */
const uniqueDocuments: RecordRule = {
  name: 'document',
  check({ messages }): Finding[] {
    const seen = new Set<string>();
    return messages.flatMap(({ content }, i): Finding[] => {
      const twice = documentsIn(content).filter((name) => seen.has(name) || !seen.add(name));
      return twice.map((name) => ({
        rule: 'document',
        message: i,
        what: `two documents have the name ${quoted(name)}`,
        mend: 'give each a name of its own',
      }));
    });
  },
  mend(records) {
    if (this.check(records).length === 0) return undefined;
    const names = new DocumentNames();
    const did: Mended[] = [];
    const messages = records.messages.map((message, i) => {
      let changed = false;
      const content = listOf(message.content).map((block) => {
        const document = objectOf(block.document);
        if (typeof document.name !== 'string') return block;
        const name = names.next(document.name, '');
        if (name === document.name) return block;
        changed = true;
        did.push({
          rule: 'document',
          message: i,
          did: `called the second document ${quoted(document.name)} ${quoted(name)}`,
        });
        return { ...block, document: { ...document, name } };
      });
      return changed ? { ...message, content } : message;
    });
    return { records: { ...records, messages }, did };
  },
};

const documentsIn = (content: Json | undefined): string[] =>
  listOf(content).flatMap(({ document }) => {
    const { name } = objectOf(document);
    return typeof name === 'string' ? [name.toLowerCase()] : [];
  });

/** Claude's own bounds hold here too: `thinking.enabled.budget_tokens: Input should be greater than or equal to 1024`. */
const thinking = ofHead({
  name: 'model-parameters',
  find: (head) => {
    const { type, budget_tokens: budget } = objectOf(objectOf(head.additionalModelRequestFields).thinking);
    if (type !== 'enabled') return undefined;
    const { maxTokens, temperature, topP } = objectOf(head.inferenceConfig);
    if (typeof budget !== 'number' || budget < 1024)
      return { what: `the thinking budget is ${quoted(budget)}`, mend: 'it must be at least 1024' };
    if (typeof maxTokens === 'number' && budget >= maxTokens)
      return {
        what: `the thinking budget, ${budget}, is not below maxTokens, ${maxTokens}`,
        mend: 'raise maxTokens',
      };
    if (typeof temperature === 'number' && temperature !== 1)
      return { what: 'temperature is set together with thinking', mend: 'remove it' };
    return typeof topP === 'number' && topP < 0.95
      ? { what: `topP is ${topP} beside thinking`, mend: 'it must be at least 0.95' }
      : undefined;
  },
  mend: (head) => {
    const fields = objectOf(head.additionalModelRequestFields);
    const { maxTokens } = objectOf(head.inferenceConfig);
    const given = Math.max(1024, Number(objectOf(fields.thinking).budget_tokens) || 0);
    const budget = typeof maxTokens === 'number' ? Math.min(given, maxTokens - 1) : given;
    const inferenceConfig = without(objectOf(head.inferenceConfig), 'temperature', 'topP');
    const rest = without(fields, 'thinking');
    const thinking = { ...objectOf(fields.thinking), budget_tokens: budget };
    const now = budget < 1024 ? rest : { ...rest, thinking };
    return { ...head, inferenceConfig, additionalModelRequestFields: now };
  },
  did: 'brought the thinking budget within its limits, or switched thinking off',
});

export const bedrockTurns: readonly RecordRule[] = [
  counts,
  resultsAlone,
  lastWords,
  uniqueDocuments,
  choice,
  descriptions,
  thinking,
];
