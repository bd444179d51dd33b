// Meta's Muse: ` to=f<|message|>` and elements in the namespace `atem`. A message to the user may quote calls.
import { markupBody } from './markup.ts';
import type { Source } from './source.ts';
import { Source as Text } from './source.ts';
import type { Toolset } from './toolset.ts';
import type { Grammar, Opening, Reading, Spoken, Written } from './types.ts';
import { asText, isSame, safeJson } from './write.ts';

const HEADER = /to=([^\s<|]{1,200})<\|message\|>/y;
const WRAPPER = '<atem:function_calls>';
const CLOSER = '</atem:function_calls>';

function read(source: Source, { at, opener, end }: Opening): Reading | undefined {
  if (opener === WRAPPER) return block(source, end, undefined);
  HEADER.lastIndex = at;
  const recipient = HEADER.exec(source.flat)?.[1];
  if (recipient === undefined || /^functions[.:]/.test(recipient)) return undefined;
  const from = HEADER.lastIndex;
  const body = source.space(from);
  const stop = segmentEnd(source, from);
  const start = before(source, at);
  const text = { calls: [], end: stop, start };
  if (recipient === 'self' || !source.has(WRAPPER, body)) return text;
  const found = block(source, body + WRAPPER.length, recipient);
  if (found === undefined) return text;
  // A message to the user is a call only if it is nothing else.
  if (recipient === 'user' && source.space(found.end) < stop) return text;
  return { ...found, start, advertised: true, listed: true };
}

/** The calls of a block, by the name in the header; those that it does not name are none. */
function block(source: Source, at: number, recipient: string | undefined): Reading | undefined {
  const found = markupBody(source, at, true);
  if (found === undefined || found.space !== 'atem') return undefined;
  const calls =
    recipient === undefined || recipient === 'user' ? found.calls : addressed(source, found.calls, recipient);
  if (calls === undefined) return undefined;
  const close = source.space(found.end);
  return { ...found, calls, end: source.has(CLOSER, close) ? close + CLOSER.length : found.end };
}

/** The calls under the tool's name; undefined if one is of another tool. Names may be doubled, or hold a token. */
function addressed(source: Source, calls: readonly Spoken[], recipient: string): Spoken[] | undefined {
  const same = calls.every(({ name }) => bareName(name) === bareName(recipient));
  if (!same) return undefined;
  return calls.map((call) => {
    const name =
      [recipient, call.name, bareName(recipient)].find((candidate) => source.tools.has(candidate)) ?? call.name;
    return { ...call, name };
  });
}

const bareName = (name: string): string => name.replace(/<\|[^|]*\|>/g, '').replace(/^.*\./, '');

/** The role and channel that stand before the recipient. */
function before(source: Source, at: number): number {
  const found = /(?:<\|start\|>)?(?:assistant)?\s*$/.exec(source.flat.slice(Math.max(0, at - 40), at));
  return at - (found?.[0].length ?? 0);
}

function segmentEnd(source: Source, from: number): number {
  const ends = ['<|eot|>', '<|eom|>', '<|start|>'].map((token) => source.find(token, from)).filter((end) => end >= 0);
  return ends.length === 0 ? source.text.length : Math.min(...ends);
}

function write(calls: readonly Written[], tools: Toolset): string {
  return calls
    .map((call) => `to=${call.name}<|message|>${WRAPPER}\n${element(call, tools)}\n${CLOSER}<|eom|>`)
    .join('\n');
}

function element(call: Written, tools: Toolset): string {
  const parameters = Object.entries(call.input).map(
    ([key, value]) => `<atem:parameter name="${key}">${asText(value)}</atem:parameter>\n`,
  );
  const text = `<atem:invoke name="${call.name}">\n${parameters.join('')}</atem:invoke>`;
  const [spoken] = markupBody(new Text(text, tools), 0, true)?.calls ?? [];
  return isSame(spoken, call, tools)
    ? text
    : `<atem:invoke name="${call.name}">\n${safeJson(call.input)}\n</atem:invoke>`;
}

export const muse: Grammar = {
  name: 'muse-atem',
  summary: 'Muse, Glimmer',
  openers: ['to=', WRAPPER],
  delimited: true,
  read,
  write,
};
