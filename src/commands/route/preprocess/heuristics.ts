// Without a model: whether a request is one plain call, or has nothing to do with the tools. Where it may be either, it stays as it is.
import type { Tool } from '../../../lib/conversation/types.ts';
import { wordsOf } from '../words.ts';
import { inputFrom, namesThings } from './arguments.ts';
import type { Judged, Verdict } from './types.ts';

/** A word of a tool's name weighs as much as three of its description. */
const NAME = 3;

/** A text must share this much with a tool for the tool to be meant, and this much more than with any other. */
const MEANT = 3;
const AHEAD = 1.5;

/** A text that shares this much with a tool may be about it. */
const ABOUT = 1;

/** Longer requests are never one plain call, nor a plain question. */
const PLAIN = 300;

/** A text says more than one thing to do. */
const SEVERAL = /\b(then|and|after|before|also|first|next|finally|each|every|both|if|unless|while)\b|;/i;

/** A text that asks about a thing, or forbids it, does not ask to have it done. */
const NO_ORDER =
  /\b(don['’]?t|do not|never|not|without|instead|avoid|should|would|how|why|explain|difference|mean|means|what does|did you|have you|was|were)\b/i;

/** What is asked for knowledge, and what is only said. */
const QUESTION =
  /^(please )?(who|what|what['’]s|when|where|which|why|how|is|are|was|were|do|does|did|can|could|explain|define|describe|tell me|translate|hi|hello|hey|thanks|thank you|good (morning|evening|night))\b/i;

/** What only somebody with tools can see, or what changes by the day. */
const WORLD =
  /\b(this|these|that|those|my|our|your|you|here|there|it|they|them|him|her|above|below|file|files|folder|directory|code|codebase|repo|repository|project|branch|commit|tests?|build|bug|error|server|database|today|tonight|tomorrow|yesterday|now|currently?|latest|recent|news|price|weather|stock|schedule|available|open)\b/i;

export function judge(tools: readonly Tool[], text: string): Judged {
  return { verdict: verdictOf(tools, text), tokensIn: 0, tokensOut: 0 };
}

function verdictOf(tools: readonly Tool[], text: string): Verdict {
  if (text === '' || text.length > PLAIN) return { type: 'keep', why: 'the request is too long' };
  const [first, second] = rank(tools, text);
  const literal = tools.filter(({ name }) => name.length > 2 && mentions(text, name));
  if (first === undefined || (first.score < MEANT && literal.length === 0)) return unmeant(first?.score ?? 0, text);
  const meant =
    literal.length === 1 ? literal[0] : first.score - (second?.score ?? 0) >= AHEAD ? first.tool : undefined;
  if (meant === undefined) return { type: 'keep', why: 'several tools may be meant' };
  if (NO_ORDER.test(text))
    return { type: 'keep', why: `${meant.name} may be meant, but the request is not a simple instruction` };
  if (SEVERAL.test(text) || meant.type !== 'function')
    return { type: 'keep', why: `${meant.name} may be meant, in a request of several steps` };
  const input = inputFrom(meant.schema, text);
  if (input === undefined) return { type: 'keep', why: `${meant.name} may be meant, but its arguments are not clear` };
  return { type: 'call', name: meant.name, input, why: `the request names ${meant.name} and its arguments` };
}

/** No tool is meant; whether none can be needed. */
function unmeant(score: number, text: string): Verdict {
  if (score >= ABOUT) return { type: 'keep', why: 'the request shares words with a tool' };
  if (!QUESTION.test(text)) return { type: 'keep', why: 'the request is not a question' };
  if (WORLD.test(text) || namesThings(text)) return { type: 'keep', why: 'the request is about local things' };
  return { type: 'answer', why: 'the request is a question that shares no words with any tool' };
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
