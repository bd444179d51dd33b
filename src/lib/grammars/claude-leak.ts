// Claude's own calls with their namespace lost: a stray word on the line before. https://github.com/anthropics/claude-code/issues/64106

import { INVOKES } from './invoke.ts';
import { markupBody } from './markup.ts';
import type { Grammar } from './types.ts';

const WORDS = /(?:^|\n)[ \t]*(?:court|count|call|courtesy|counts|function_calls)[ \t]*\n\s*$/;

export const claudeLeak: Grammar = {
  name: 'antml-leaked',
  summary: 'Claude 4, where its form leaks into the text',
  openers: ['<invoke'],
  delimited: true,
  read(source, { at, tag }) {
    if (tag === undefined || (tag.space !== '' && tag.space !== 'antml')) return undefined;
    const before = WORDS.exec(source.text.slice(Math.max(0, at - 60), at));
    const found = before ? markupBody(source, at, false) : undefined;
    return before && found ? { ...found, start: at - before[0].length } : undefined;
  },
};

/** Claude 2's form, where the name and each argument are elements. */
export const claude2: Grammar = {
  name: 'claude2-legacy',
  summary: 'Claude 2.1 prompting',
  openers: ['<function_calls>'],
  delimited: true,
  read: (source, opening) => {
    const inner = source.space(opening.end);
    if (!/^<invoke>\s*<tool_name>/.test(source.text.slice(inner, inner + 60))) return undefined;
    return INVOKES.find(({ name }) => name === 'function_calls-invoke')?.read(source, opening);
  },
};
