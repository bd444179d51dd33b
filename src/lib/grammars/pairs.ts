// GLM and the families that write a call as a name and pairs of tags.
import { type Body, type ReadBody, readWrapped, wrapped } from './body.ts';
import { jsonBody } from './json-body.ts';
import { GLM_TAGS, type PairTags, pairBody } from './key-value.ts';
import { nameStart } from './literal.ts';
import { Source } from './source.ts';
import { skipStray } from './stray.ts';
import type { Toolset } from './toolset.ts';
import type { Grammar, Written } from './types.ts';
import { asText, eachJson, isSame, safeJson } from './write.ts';

type Pairs = Pick<PairTags, 'key' | 'keyEnd' | 'value' | 'valueEnd'>;

/** A body of calls in a wrapper of their own each: `<tool_call>f…</tool_call>` repeated. */
function eachIn(open: string, close: string, body: ReadBody): ReadBody {
  return (source, at) => {
    const calls = [];
    let end = at;
    for (;;) {
      const start = source.space(end);
      if (!source.has(open, start)) break;
      const found = readWrapped(source, { opener: open, at: start, end: start + open.length }, [close], body);
      if (found === undefined) break;
      for (const call of found.calls) calls.push(call);
      ({ end } = found);
      if (found.cut !== undefined) return { calls, end: start, cut: found.cut };
    }
    return calls.length > 0 ? { calls, end } : undefined;
  };
}

/** Writes calls with these tags, and as JSON behind the name where a value holds one of them, or something else that ends a call (`ends`). */
function writer(
  open: string,
  close: string,
  tags: PairTags,
  layout: { named?: string; between?: string; typed?: boolean; ends?: readonly string[] } = {},
) {
  const { named = '\n', between = '\n', typed = false, ends = [close] } = layout;
  const body = pairBody(tags);
  const pair = ([key, value]: [string, unknown]): string => {
    const type =
      typed && tags.type ? `${tags.type}${typeof value === 'string' ? 'string' : 'json'}${tags.typeEnd}` : '';
    return `${tags.key}${key}${tags.keyEnd}${between}${type}${tags.value}${asText(value as never)}${tags.valueEnd}${between}`;
  };
  const one = (call: Written, tools: Toolset): string => {
    const text = `${call.name}${named}${Object.entries(call.input).map(pair).join('')}`;
    const [read] = body(new Source(`${text}${close}`, tools), 0, ends)?.calls ?? [];
    return isSame(read, call, tools)
      ? `${open}${text}${close}`
      : `${open}${call.name}\n${safeJson(call.input)}\n${close}`;
  };
  return (calls: readonly Written[], tools: Toolset): string => calls.map((call) => one(call, tools)).join('\n');
}

const tagsOf = ({ key, keyEnd, value, valueEnd }: Pairs, more: Partial<PairTags> = {}): PairTags => ({
  key,
  keyEnd,
  value,
  valueEnd,
  ...more,
});

const LONGCAT = tagsOf({
  key: '<longcat_arg_key>',
  keyEnd: '</longcat_arg_key>',
  value: '<longcat_arg_value>',
  valueEnd: '</longcat_arg_value>',
});

const K2_HORIZON = tagsOf(
  { key: '<ifm|arg_key>', keyEnd: '</ifm|arg_key>', value: '<ifm|arg_value>', valueEnd: '</ifm|arg_value>' },
  { type: '<ifm|arg_type>', typeEnd: '</ifm|arg_type>' },
);

const SOLAR = tagsOf({
  key: '<|tool_arg:start|>',
  keyEnd: '<|tool_arg:value|>',
  value: '',
  valueEnd: '<|tool_arg:end|>',
});

/** JSON if it looks so, else pairs. */
const either = (tags: PairTags): ReadBody => {
  const pairs = pairBody(tags);
  return (source, at, closers): Body | undefined =>
    /[[{]/.test(source.text[at] ?? '') ? jsonBody(source, at, closers) : pairs(source, at, closers);
};

/** The next call ends one that was not ended. */
const GLM_ENDS = ['</tool_call>', '<tool_call>'];

export const glm: Grammar = wrapped({
  name: 'glm-kv',
  summary: 'GLM 4.5 to 5, Laguna, Ling 3, HyperCLOVA X Think',
  openers: ['<tool_call>'],
  closers: ['</tool_call>'],
  body: (source, at) => pairBody(GLM_TAGS)(source, at, GLM_ENDS),
  write: writer('<tool_call>', '</tool_call>', GLM_TAGS, { ends: GLM_ENDS }),
});

/** The same without its opening tag, which a server has taken out: only for tools that the conversation has. */
export const glmBare: Grammar = {
  name: 'glm-kv',
  summary: '',
  openers: ['<arg_key>'],
  delimited: true,
  read(source, { at }) {
    let end = at;
    while (end > 0 && at - end < 8 && /\s/.test(source.text[end - 1] ?? '')) end -= 1;
    const start = nameStart(source.text, end);
    if (source.tools.resolve(source.text.slice(start, end))?.tool === undefined) return undefined;
    const found = pairBody(GLM_TAGS)(source, start, GLM_ENDS);
    if (found === undefined || found.cut !== undefined) return undefined;
    const calls = found.calls.map((call) => ({
      ...call,
      repairs: [...(call.repairs ?? []), 'opening tag missing' as const],
    }));
    return { calls, end: skipStray(source, found.end), start, advertised: true };
  },
};

export const hunyuan: Grammar = wrapped({
  name: 'hunyuan-v3',
  summary: 'Hunyuan Hy3 and Hy4',
  openers: ['<tool_calls>'],
  closers: ['</tool_calls>'],
  body: eachIn('<tool_call>', '</tool_call>', pairBody(GLM_TAGS)),
  write: (calls, tools) =>
    `<tool_calls>${writer('<tool_call>', '</tool_call>', GLM_TAGS, { named: '<tool_sep>', between: '' })(calls, tools)}</tool_calls>`,
});

export const longcat: Grammar = wrapped({
  name: 'longcat',
  summary: 'LongCat-Flash',
  openers: ['<longcat_tool_call>'],
  closers: ['</longcat_tool_call>'],
  body: either(LONGCAT),
  write: eachJson('<longcat_tool_call>\n', '\n</longcat_tool_call>'),
});

export const iquest: Grammar = wrapped({
  name: 'iquest-kv',
  summary: 'IQuest-Coder v2',
  openers: ['<iquestcoder_tool_call>'],
  closers: ['</iquestcoder_tool_call>'],
  body: either(GLM_TAGS),
  write: writer('<iquestcoder_tool_call>', '</iquestcoder_tool_call>', GLM_TAGS),
});

export const k2Horizon: Grammar = wrapped({
  name: 'k2-horizon',
  summary: 'K2 Horizon',
  openers: ['<ifm|tool_calls>', '<ifm|tool_call>'],
  closers: ['</ifm|tool_calls>', '</ifm|tool_call>'],
  body(source, at, closers) {
    const each = eachIn('<ifm|tool_call>', '</ifm|tool_call>', either(K2_HORIZON))(source, at, closers);
    return each ?? either(K2_HORIZON)(source, at, closers);
  },
  write: (calls, tools) =>
    `<ifm|tool_calls>\n${writer('<ifm|tool_call>', '</ifm|tool_call>', K2_HORIZON, { between: '', typed: true })(calls, tools)}\n</ifm|tool_calls>`,
});

export const solar: Grammar = wrapped({
  name: 'solar-open2',
  summary: 'Solar Open 2',
  openers: ['<|tool_call:start|>'],
  closers: ['<|tool_call:end|>'],
  body: pairBody(SOLAR),
  write: writer('<|tool_call:start|>', '<|tool_call:end|>', SOLAR, { between: '' }),
});
