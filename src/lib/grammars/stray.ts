// What models leave around calls and at the end of a turn: closing tags without an opener, and tokens of their templates.
import { type Source, skipSpace } from './source.ts';

/** Tags that close a call or what calls stand in. */
const TAGS = [
  'tool_calls?|tool-calls?|toolcalls?|function_calls?|function|functions|tools?|tool_use|tool_code|tool_request|invoke|json',
  'arg_value|parameter|parameters|user|response|longcat_tool_call|dots_function_call|iquestcoder_tool_call|ifm\\|tool_calls?',
].join('|');

/** Tokens between `<|` and `|>` that end something. */
const TOKENS = [
  'tool_calls?_end|tool_calls?_section_end|python_end|action_end|END_ACTION|tools_suffix|eot_id|eom_id|eom|eot|im_end|end',
  'call|return|end_of_text|endoftext|end_of_turn|end_message|content_model_end_sampling|tool_call:end|bot_end|end_of_sentence',
].join('|');

const OTHERS = [
  '<\\|tool_response>|<tool_call\\|>|<end_function_call>|<end_of_turn>|<bot_end>|<eos>|</s>',
  '\\[/TOOL_CALLS?\\]|\\[END_TOOL_REQUEST\\]|\\[TOOL_REQUEST_END\\]|\\[unused12\\]',
  '</\\s*\\|+\\s*(?:DSML|GCML)\\s*\\|+\\s*\\w+\\s*>',
  '\\]<\\]minimax\\[>\\[</(?:tool_call|invoke)>',
].join('|');

const PATTERN = `</(?:[\\w-]+:)?(?:${TAGS})>|<\\|/?(?:${TOKENS})\\|>|${OTHERS}`;

const STRAY = new RegExp(`(?:\\s|\\\\[nrt])*(?:${PATTERN})`, 'iy');

/** Behind the closing tags and end tokens that follow `at`. */
export function skipStray(source: Source, at: number): number {
  let end = at;
  for (;;) {
    STRAY.lastIndex = end;
    if (!STRAY.test(source.flat)) return end;
    end = STRAY.lastIndex;
  }
}

const ANYWHERE =
  /<extra_id_\d>(?:Assistant|User|System)?|<\|plamo:[\w:]{1,60}\|>|<\|(?:start|channel)\|>(?:assistant|commentary|analysis|final)?(?:<\|message\|>)?|<\|(?:message|im_start|im_end|eot_id|eom_id|eot|eom|end|call|return|endoftext|end_of_text|START_RESPONSE|END_RESPONSE|START_TEXT|END_TEXT|tool_calls?_end|tool_calls?_section_end|tool_calls?_section_begin|tool_call_start|python_start|python_end|python_tag|message_sep|role_sep|content_text|message_model|end_message|content_model_end_sampling|tool_call:end)\|>(?:assistant\b)?|<\/s>|<｜(?:end▁of▁sentence|tool▁calls▁end|tool▁call▁end)｜>/g;

/** Tags around what is said, or around calls that are gone. */
const EDGE = /<\/?(?:answer|response|tool_calls?|function_calls?|minimax:tool_call|toolcalls?|tools?)>|<tool_call\|>/y;

/** A text that stood beside calls, without tokens of templates, and without tags at its ends that lost their calls. */
export function cleaned(text: string): string {
  const said = text.replace(/^>>>all\n/gm, '');
  return said.includes('<') ? withoutEdges(said.replace(ANYWHERE, '')) : said;
}

/** Whether something stands at `at` that is taken out of a text beside calls. */
export function isLeftover({ text, flat }: Source, at: number): boolean {
  const c = text[at];
  if (c === '>') return text.startsWith('>>>all', at) && (at === 0 || text[at - 1] === '\n');
  if (c !== '<') return false;
  LEFTOVER.lastIndex = at;
  return LEFTOVER.test(text) || matches(text, at) || DEBRIS.test(flat.slice(at, at + 40));
}

const LEFTOVER = new RegExp(ANYWHERE.source, 'y');
const DEBRIS = /^<\s*\|+\s*(?:DSML|GCML)\b/;

function withoutEdges(text: string): string {
  let start = 0;
  for (let at = skipSpace(text, 0); matches(text, at); at = skipSpace(text, start)) start = EDGE.lastIndex;
  let end = text.length;
  for (;;) {
    const kept = text.slice(start, end).trimEnd();
    const open = kept.endsWith('>') ? start + kept.lastIndexOf('<') : -1;
    if (open < start || !matches(text, open) || EDGE.lastIndex !== start + kept.length) return text.slice(start, end);
    end = open;
  }
}

function matches(text: string, at: number): boolean {
  EDGE.lastIndex = at;
  return EDGE.test(text);
}

/** Where what is left of damaged openers begins, on the lines before `at`; `at` if nothing is. */
export function debrisBefore(source: Source, at: number): number {
  let start = at;
  for (let i = at; i > 0; ) {
    const from = Math.max(0, at - 600);
    const line = from + source.flat.slice(from, i).lastIndexOf('\n') + 1;
    if (line === from && from > 0) return start;
    const text = source.flat.slice(line, i);
    if (/^\s*<\s*\|+\s*(?:DSML|GCML)\b/.test(text)) start = line;
    else if (text.trim() !== '') return start;
    i = line === 0 ? 0 : line - 1;
  }
  return start;
}
