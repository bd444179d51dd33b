// What Mistral's API refuses of its messages and its body. https://docs.mistral.ai/api
import { textIn } from '../../json/values.ts';
import { developers } from '../chat/rules.ts';
import { objectOf, ofBlocks, ofHead, quoted, type RecordRule } from '../record-rules.ts';

const namedSchema = ofHead({
  name: 'tool-schema',
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
  field: 'content',
  find: ({ type }, { head }) =>
    type === 'thinking' && PLAIN.test(textIn(head?.model))
      ? { what: `${quoted(head?.model)} does not support thinking`, mend: 'remove it' }
      : undefined,
  mend: () => [],
  did: 'took thinking away',
});

export const mistral: readonly RecordRule[] = [developers, namedSchema, thinkingChunks];
