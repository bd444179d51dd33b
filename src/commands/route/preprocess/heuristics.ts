// Without a model: whether a request is one plain call, or has nothing to do with the tools.
import type { Tool } from '../../../lib/ir/types.ts';
import { inputFrom } from './arguments.ts';
import type { Judged, Verdict } from './types.ts';
import { wordsOf } from './words.ts';

/** A word of a tool's name weighs as much as three of its description. */
const NAME = 3;

/** A text must share this much with a tool for the tool to be meant, and this much more than with any other. */
const MEANT = 3;
const AHEAD = 1.5;

/** Longer requests are never one plain call. */
const PLAIN = 300;

/** A text says more than one thing to do. */
const SEVERAL = /\b(then|and|after|before|also|first|next|finally)\b/i;

export function judge(tools: readonly Tool[], text: string): Judged {
  return { verdict: verdictOf(tools, text), tokensIn: 0, tokensOut: 0 };
}

function verdictOf(tools: readonly Tool[], text: string): Verdict {
  const [first, second] = rank(tools, text);
  const literal = tools.filter(({ name }) => name.length > 2 && mentions(text, name));
  if (first === undefined || (first.score < MEANT && literal.length === 0))
    return { type: 'answer', why: 'the request has little in common with any tool' };
  const meant =
    literal.length === 1 ? literal[0] : first.score - (second?.score ?? 0) >= AHEAD ? first.tool : undefined;
  if (meant === undefined) return { type: 'keep', why: 'several tools may be meant' };
  if (text.length > PLAIN || SEVERAL.test(text) || meant.type !== 'function')
    return { type: 'keep', why: `${meant.name} may be meant, in a request of several steps` };
  const input = inputFrom(meant.schema, text);
  if (input === undefined)
    return { type: 'keep', why: `${meant.name} may be meant, with arguments that are not plain` };
  return { type: 'call', name: meant.name, input, why: `the request names ${meant.name} and its arguments` };
}

const mentions = (text: string, name: string): boolean =>
  (text.match(/\w(?:[\w.-]*\w)?/g) ?? []).some((word) => word === name);

interface Ranked {
  readonly tool: Tool;
  readonly score: number;
}

/** What the text shares with each tool; words that many tools have count less. */
function rank(tools: readonly Tool[], text: string): Ranked[] {
  const asked = new Set(wordsOf(text));
  const all = tools.map((tool) => ({
    tool,
    name: new Set(wordsOf(tool.name)),
    about: new Set(wordsOf(tool.description ?? '')),
  }));
  const spread = new Map<string, number>();
  for (const { name, about } of all)
    for (const word of new Set([...name, ...about])) spread.set(word, (spread.get(word) ?? 0) + 1);
  return all
    .map(({ tool, name, about }) => {
      let score = 0;
      for (const word of asked) {
        const rare = 1 / (spread.get(word) ?? 1);
        if (name.has(word)) score += NAME * rare;
        else if (about.has(word)) score += rare;
      }
      return { tool, score };
    })
    .sort((a, b) => b.score - a.score);
}
