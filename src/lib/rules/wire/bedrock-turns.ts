// What Converse refuses of turns, and of a body. https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
import type { JsonObject } from '../../ir/json.ts';
import { quoted } from '../build.ts';
import type { Finding, Mended } from '../types.ts';
import { idOf, isCache, isClaude } from './bedrock.ts';
import { listOf, objectOf, ofHead, ofMessages, type WireRule, without } from './types.ts';

const formats = ['bedrock'];

/** These take nothing beside a result: `extraneous key [toolResult]`. */
const ALONE = /meta\.llama|mistral\./;

const isResult = ({ toolResult }: JsonObject): boolean => toolResult !== undefined;
const isFile = ({ document, video }: JsonObject): boolean => document !== undefined || video !== undefined;
const FILLER: JsonObject = { role: 'assistant', content: [{ text: '.' }], _meta: { filler: true } };

/** What may not stand beside a result goes into a message of its own, behind a turn that says nothing. */
const resultsAlone = ofMessages({
  name: 'result-alone',
  formats,
  find: ({ content }, records) => {
    const blocks = listOf(content);
    if (!blocks.some(isResult)) return undefined;
    const id = idOf(records);
    const wrong = ALONE.test(id)
      ? blocks.some((block) => !isResult(block) && !isCache(block))
      : isClaude(records) && blocks.some(isFile);
    return wrong ? { what: 'a result does not stand alone', mend: 'put the rest into a later message' } : undefined;
  },
  mend: (message) => {
    const blocks = listOf(message.content);
    const rest = blocks.filter((block) => !isResult(block));
    const left = [{ ...message, content: blocks.filter(isResult) }, FILLER, { role: 'user', content: rest }];
    return { left, did: 'put what stood beside a result into a later message' };
  },
});

const lastWords: WireRule = {
  name: 'last-turn',
  formats,
  check(records): Finding[] {
    const last = records.messages.length - 1;
    const message = records.messages[last];
    const text = message?.role === 'assistant' ? listOf(message.content).at(-1)?.text : undefined;
    if (typeof text !== 'string' || text.trimEnd() === text || !isClaude(records)) return [];
    return [
      {
        rule: 'last-turn',
        message: last,
        what: 'the last words of the assistant end with white space',
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
    const trimmed = { ...message, content: content.with(-1, { ...end, text: String(end.text).trimEnd() }) };
    const did: Mended[] = [{ rule: 'last-turn', message: last, did: 'cut white space off' }];
    return { records: { ...records, messages: records.messages.with(last, trimmed) }, did };
  },
};

const CHOICES = new Set(['auto', 'any', 'tool']);
const toolsOf = (head: JsonObject): JsonObject => objectOf(head.toolConfig);

const choice = ofHead({
  name: 'tool-choice',
  formats,
  find: (head) => {
    const wrong = Object.keys(objectOf(toolsOf(head).toolChoice)).find((kind) => !CHOICES.has(kind));
    return wrong === undefined ? undefined : { what: `the choice ${quoted(wrong)}`, mend: 'use auto, any or tool' };
  },
  mend: (head) => ({ ...head, toolConfig: without(toolsOf(head), 'toolChoice') }),
  did: 'took a choice away that the API does not know',
});

const specOf = ({ toolSpec }: JsonObject): JsonObject => objectOf(toolSpec);

const descriptions = ofHead({
  name: 'tool-description',
  formats,
  find: (head) => {
    const blank = listOf(toolsOf(head).tools).find((tool) => specOf(tool).description === '');
    return (
      blank && { what: `the description of the tool ${quoted(specOf(blank).name)} is empty`, mend: 'leave it out' }
    );
  },
  mend: (head) => {
    const tools = listOf(toolsOf(head).tools).map((tool) =>
      specOf(tool).description === '' ? { ...tool, toolSpec: without(specOf(tool), 'description') } : tool,
    );
    return { ...head, toolConfig: { ...toolsOf(head), tools } };
  },
  did: 'left an empty description out',
});

const MOST = { cachePoint: 4, document: 5 };

const counts: WireRule = {
  name: 'block-count',
  formats,
  check({ messages }): Finding[] {
    const blocks = messages.flatMap(({ content }) => listOf(content));
    return Object.entries(MOST).flatMap(([kind, most]): Finding[] => {
      const count = blocks.filter((block) => block[kind] !== undefined).length;
      if (count <= most) return [];
      return [
        { rule: 'block-count', what: `there are ${count} of ${kind}, and ${most} are allowed`, mend: 'take some away' },
      ];
    });
  },
  mend(records) {
    if (this.check(records).length === 0) return undefined;
    const left: { [kind: string]: number } = { ...MOST };
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

export const bedrockTurns: readonly WireRule[] = [counts, resultsAlone, lastWords, choice, descriptions];
