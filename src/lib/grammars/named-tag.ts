// A tag that names the tool in an attribute: `<tool_call name="f">{…}</tool_call>`. The arguments are JSON, or elements.
import { asArguments, valueAt } from './json.ts';
import { isParameter, readParameters } from './parameter.ts';
import { Schema } from './schema.ts';
import type { Source, Tag } from './source.ts';
import { attributesOf, tagAt } from './tag.ts';
import type { Arguments, Grammar, Opening, Reading } from './types.ts';
import { childrenAt } from './xml.ts';

function read(source: Source, { tag }: Opening): Reading | undefined {
  if (tag === undefined || tag.closes) return undefined;
  const attributes = attributesOf(tag);
  const name = (attributes.get('name') ?? attributes.get('tool') ?? attributes.get('tool_name'))?.trim();
  if (name === undefined || name === '') return undefined;
  const closer = `</${tag.space === '' ? '' : `${tag.space}:`}${tag.name}>`;
  const found = tag.empty ? { given: NONE, end: tag.end } : body(source, tag, name, closer);
  if (found === undefined) return undefined;
  const close = tag.empty ? found.end : source.space(found.end);
  if (!tag.empty && !source.has(closer, close)) return undefined;
  return {
    calls: [{ name, arguments: found.given }],
    end: tag.empty ? found.end : close + closer.length,
    ...(tag.key === 'tool' && { advertised: true as const }),
  };
}

const NONE: Arguments = { type: 'json', value: {} };

function body(source: Source, tag: Tag, name: string, closer: string): { given: Arguments; end: number } | undefined {
  const start = source.breaks(tag.end);
  if (source.has(closer, start)) return { given: NONE, end: start };
  if (source.text[start] === '{') {
    const found = valueAt(source, start, [closer]);
    return 'type' in found ? undefined : { given: { type: 'json', value: asArguments(found.value) }, end: found.end };
  }
  const first = source.text[start] === '<' ? tagAt(source, start) : undefined;
  if (first === undefined) return undefined;
  const keys = new Set(new Schema(source.tools.schema(source.tools.resolve(name)?.name ?? name)).keys());
  const found = isParameter(first) ? readParameters(source, start, keys) : childrenAt(source, start, first);
  if (found === undefined || found.cut !== undefined) return undefined;
  return { given: { type: 'texts', entries: found.entries }, end: found.end };
}

export const namedTag: Grammar = {
  name: 'named-tag',
  summary: 'prompts that name the tool in an attribute',
  openers: ['<tool_call', '<function_call', '<tool_use', '<tool'],
  delimited: true,
  read,
};
