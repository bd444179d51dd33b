// A call of one format in the wrapper of another: what a model writes under the wrong prompt.
import type { Body } from './body.ts';
import { fenceAt } from './body.ts';
import { gemmaBody } from './gemma.ts';
import { harmony } from './harmony.ts';
import { jsonBody } from './json-body.ts';
import { GLM_TAGS, pairBody } from './key-value.ts';
import { markupBody } from './markup.ts';
import { mistralArray, mistralV11 } from './mistral.ts';
import { pythonBody } from './python-body.ts';
import type { Source, Tag } from './source.ts';
import { skipStray } from './stray.ts';
import { tagAt } from './tag.ts';
import type { Grammar, Opening, Reading } from './types.ts';

const OPENERS = [
  '<tool_call>',
  '<tool_calls>',
  '<toolcall>',
  '<tool-call>',
  '<function_call>',
  '<function_calls>',
  '<functions>',
  '<tools>',
  '<tool>',
  '<json>',
  '<tool_use>',
  '<tool_code>',
  '<response>',
  '<user>',
  '<minimax:tool_call>',
  '<seed:tool_call>',
  '<dots_function_call>',
  '>dots_function_call>',
  '<|tool_call>',
  '<|tool_call|>',
  '<|tool_calls|>',
  '<|tool_call_start|>',
  '<|tool_call_begin|>',
  '<|tool_calls_begin|>',
  '<|tool_calls_section_begin|>',
  '<|python_tag|>',
  '<|python_start|>',
  '<|DSML|tool_calls>',
  '<|DSML|function_calls>',
  '[TOOL_CALLS]',
  '[TOOL_REQUEST]',
  '[TOOL_CALL]',
];

/** Wrappers that hold other things as well: a call in them must name a tool of the conversation. */
const LOOSE = new Set(['<response>', '<user>', '<json>', '<tools>', '<tool>', '<functions>', '<tool_code>']);

const DEEPEST = 3;

function read(source: Source, opening: Opening): Reading | undefined {
  const start = source.space(opening.end);
  if (!mayBegin(source, start, opening.tag)) return undefined;
  const body = bodyAt(source, start, closersOf(opening), 0);
  if (body === undefined) return undefined;
  const calls = body.calls.map((call) => ({ ...call, repairs: [...(call.repairs ?? []), 'foreign wrapper' as const] }));
  const end = body.cut === undefined ? skipStray(source, body.end) : body.end;
  const closer = closersOf(opening).find((mark) => source.has(mark, source.space(end)));
  const behind = closer === undefined ? end : skipStray(source, source.space(end) + closer.length);
  return { ...body, calls, end: behind, ...(LOOSE.has(opening.opener) && { advertised: true as const }) };
}

/** Whether a body can begin at a place; the same wrapper again is none. */
function mayBegin(source: Source, at: number, outer: Tag | undefined): boolean {
  const c = source.text[at];
  if (c !== '<') return c !== undefined;
  const tag = tagAt(source, at);
  return tag !== undefined && !tag.closes && tag.key !== outer?.key;
}

const CLOSERS = new Map<string, readonly string[]>();

/** What closes a wrapper, by its opener. */
function closersOf({ opener, tag }: Opening): readonly string[] {
  const known = CLOSERS.get(opener);
  if (known) return known;
  const token = opener.replace('_begin|>', '_end|>').replace('_start|>', '_end|>');
  const all = opener.startsWith('[')
    ? [opener.replace('[', '[/'), '[END_TOOL_REQUEST]']
    : [opener.replace('<', '</'), token];
  const found = tag || opener.startsWith('[') ? all.filter((closer) => closer !== opener) : [];
  CLOSERS.set(opener, found);
  return found;
}

function bodyAt(source: Source, at: number, closers: readonly string[], depth: number): Body | undefined {
  const start = source.space(fenceAt(source, at) ?? at);
  const fenced = start !== at;
  const found = oneBody(source, start, closers) ?? nested(source, start, depth);
  if (found === undefined || !fenced) return found;
  const close = source.space(found.end);
  return source.has('```', close) ? { ...found, end: close + 3 } : found;
}

function oneBody(source: Source, at: number, closers: readonly string[]): Body | undefined {
  const c = source.text[at];
  if (c === undefined) return undefined;
  if (source.has(MISTRAL, at)) return mistralAt(source, at);
  if (c === '{' || c === '[') return jsonBody(source, at, closers) ?? pythonBody(source, at);
  if (c === '<') return markupBody(source, at, true) ?? harmonyAt(source, at);
  return (
    (source.has('call:', at) ? gemmaBody(source, at, closers) : undefined) ??
    harmonyAt(source, at) ??
    pythonBody(source, at) ??
    pairBody(GLM_TAGS)(source, at, closers)
  );
}

const MISTRAL = '[TOOL_CALLS]';

function mistralAt(source: Source, at: number): Body | undefined {
  const opening = { opener: MISTRAL, at, end: at + MISTRAL.length };
  return mistralArray.read(source, opening) ?? mistralV11.read(source, opening);
}

function harmonyAt(source: Source, at: number): Body | undefined {
  if (!/^(?:<\|(?:start|channel)\||assistant|commentary|to=|functions\.)/.test(source.flat.slice(at, at + 20)))
    return undefined;
  return harmony.read(source, { opener: '', at, end: at });
}

/** A wrapper within a wrapper. */
function nested(source: Source, at: number, depth: number): Body | undefined {
  const tag = depth < DEEPEST && source.text[at] === '<' ? tagAt(source, at) : undefined;
  const known =
    tag &&
    !tag.closes &&
    OPENERS.some(
      (opener) => opener === `<${tag.space === '' ? '' : `${tag.space}:`}${tag.name}>` || opener === `<${tag.name}>`,
    );
  return known ? bodyAt(source, source.space(tag.end), [`</${tag.name}>`], depth + 1) : undefined;
}

export const foreign: Grammar = {
  name: 'foreign-in-wrapper',
  summary: 'any model under the wrong prompt',
  openers: OPENERS,
  delimited: true,
  read,
};
