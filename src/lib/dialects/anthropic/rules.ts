// What the Messages API refuses of its blocks. https://platform.claude.com/docs/en/api/messages

import { isObject, type JsonObject, textIn } from '../../json/values.ts';
import { sniff } from '../codec/media-signatures.ts';
import { listOf, objectOf, ofBlocks, quoted, type RecordRule } from '../record-rules.ts';

/** `messages.1.content.0.tool_use.input: Input should be a valid dictionary` */
const inputs = ofBlocks({
  name: 'call-input',
  field: 'content',
  find: ({ type, input }) =>
    type === 'tool_use' && input !== undefined && !isObject(input)
      ? { what: 'the input of a call is not an object', mend: 'write it as one' }
      : undefined,
  mend: (block) => [{ ...block, input: { input: block.input ?? null } }],
  did: 'put the input of a call into an object',
});

/** The images of a block, those in a result included. */
const imagesIn = (block: JsonObject): JsonObject[] =>
  block.type === 'image' ? [block] : block.type === 'tool_result' ? listOf(block.content).flatMap(imagesIn) : [];

const TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

function typeIn({ source }: JsonObject): string | undefined {
  const { type, media_type, data } = objectOf(source);
  const is = type === 'base64' ? sniff(textIn(data)) : undefined;
  return is !== undefined && is !== media_type && TYPES.has(is) ? is : undefined;
}

/** `Image does not match the provided media type` */
const imageTypes = ofBlocks({
  name: 'media-type',
  field: 'content',
  find: (block) => {
    const wrong = imagesIn(block).find((image) => typeIn(image) !== undefined);
    if (wrong === undefined) return undefined;
    const said = quoted(objectOf(wrong.source).media_type);
    return { what: `an image is called ${said}, and its bytes are ${typeIn(wrong)}`, mend: 'set the right type' };
  },
  mend: (block) => [mended(block)],
  did: 'corrected the type of an image',
});

function mended(block: JsonObject): JsonObject {
  if (block.type === 'tool_result') return { ...block, content: listOf(block.content).map(mended) };
  const type = block.type === 'image' ? typeIn(block) : undefined;
  return type === undefined ? block : { ...block, source: { ...objectOf(block.source), media_type: type } };
}

/** `messages: first message must use the "user" or "assistant" role`; what leads stands in the head. */
const leading: RecordRule = {
  name: 'system-place',
  check: ({ messages }) =>
    messages[0]?.role === 'system'
      ? [
          {
            rule: 'system-place',
            message: 0,
            what: 'the first message is a system message',
            mend: 'write it into "system"',
          },
        ]
      : [],
  mend(records) {
    const { head, messages } = records;
    const [first, ...rest] = messages;
    if (head === undefined || first?.role !== 'system') return undefined;
    const said = typeof first.content === 'string' ? [{ type: 'text', text: first.content }] : listOf(first.content);
    const before = typeof head.system === 'string' ? [{ type: 'text', text: head.system }] : listOf(head.system);
    const did = [{ rule: 'system-place', message: 0, did: 'moved a leading system message to "system"' }];
    return { records: { head: { ...head, system: [...before, ...said] }, messages: rest }, did };
  },
};

export const anthropic: readonly RecordRule[] = [leading, inputs, imageTypes];
