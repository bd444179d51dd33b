// The marks around reasoning, and around results that a model made up.
import type { Source, Tag } from './source.ts';

/** Opening tags and tokens by name, with the texts that close them; names that only close have none. */
const REASONING: ReadonlyMap<string, readonly string[]> = new Map([
  ['think', ['</think>', '</mm:think>', '</seed:think>', '</think:opensource>']],
  ['thinking', ['</thinking>', '</thinking>']],
  ['reasoning', ['</reasoning>']],
  ['thought', ['</thought>']],
  ['thoughts', ['</thoughts>']],
  ['scratchpad', ['</scratchpad>']],
  ['reflection', ['</reflection>']],
  ['longcat_think', ['</longcat_think>']],
  ['ifm|think', ['</ifm|think>']],
  ['ifm|think_fast', ['</ifm|think_fast>']],
  ['ifm|think_faster', ['</ifm|think_faster>']],
  ['|start_thinking|', ['<|END_THINKING|>']],
  ['|thought_start|', ['<|thought_end|>']],
  ['|inner_prefix|', ['<|inner_suffix|>']],
  ['|think_start|', ['<|think_end|>']],
  ['|channel', ['<channel|>']],
]);

/** Names of tokens that close reasoning; their opener may have stood in the prompt. */
const ENDS: ReadonlySet<string> = new Set([
  '|end_thinking|',
  '|thought_end|',
  'channel|',
  '|inner_suffix|',
  '|think_end|',
]);

/** Marks that are no tags. */
const LITERALS: readonly (readonly [open: string, close: string])[] = [
  ['[THINK]', '[/THINK]'],
  ['◁think▷', '◁/think▷'],
];

/** Where reasoning begins or ends. */
export type Mark =
  | { readonly type: 'opens'; readonly start?: number; readonly from: number; readonly closers: readonly string[] }
  | { readonly type: 'closes'; readonly end: number };

/** The mark of reasoning at `at`; undefined if there is none. */
export function reasoningAt(source: Source, at: number, tag: Tag | undefined): Mark | undefined {
  if (tag) return tagMark(source, at, tag);
  for (const [open, close] of LITERALS) {
    if (source.has(open, at)) return { type: 'opens', from: at + open.length, closers: [close] };
    if (source.has(close, at)) return { type: 'closes', end: at + close.length };
  }
  return wordMark(source, at);
}

/** Reasoning of Muse, which the model addresses to itself, and of Granite, which says so in words. Both are found by a later character. */
function wordMark(source: Source, at: number): Mark | undefined {
  for (const { open, anchor, closers } of WORDS) {
    const start = at - anchor;
    if (start >= 0 && source.text[at] === open[anchor] && source.has(open, start) && source.startsLine(start))
      return { type: 'opens', start, from: start + open.length, closers };
  }
  return undefined;
}

const WORDS = [
  { open: 'to=self<|message|>', closers: ['<|eom|>', '<|eot|>'] },
  { open: 'Here is my thought process:', closers: ['Here is my response:'] },
  { open: "Here's my thought process:", closers: ["Here's my response:", 'Here is my response:'] },
].map((word) => ({ ...word, anchor: word.open.search(/[=:]/) }));

/** What opens reasoning in words. */
export const SPOKEN: readonly string[] = WORDS.map(({ open }) => open);

function tagMark(source: Source, at: number, tag: Tag): Mark | undefined {
  const name = tag.key;
  if (ENDS.has(name)) return { type: 'closes', end: tag.end };
  if (name === '|channel|' && source.has(ANALYSIS, at))
    return { type: 'opens', from: at + ANALYSIS.length, closers: ['<|end|>', '<|return|>'] };
  const closers = REASONING.get(name);
  if (closers === undefined) return undefined;
  if (tag.closes) return { type: 'closes', end: tag.end };
  const from = name === '|channel' && source.has('thought', tag.end) ? tag.end + 'thought'.length : tag.end;
  return { type: 'opens', from, closers };
}

/** The Harmony channel of gpt-oss that holds reasoning. */
const ANALYSIS = '<|channel|>analysis<|message|>';

/** Results of calls, by the tag that opens them. Whatever they hold, no call in it is the model's. */
export const RESULTS: ReadonlyMap<string, string> = new Map([
  ['tool_response', '</tool_response>'],
  ['tool_result', '</tool_result>'],
  ['tool_results', '</tool_results>'],
  ['function_results', '</function_results>'],
  ['function_result', '</function_result>'],
  ['tool_outputs', '</tool_outputs>'],
  ['|tool_outputs_begin|', '<|tool_outputs_end|>'],
  ['|tool_output_begin|', '<|tool_output_end|>'],
]);
