// In the turn that answers calls, results come first: https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls
import type { Message } from '../../conversation/types.ts';
import { hasCall, hasResult, isResult } from './calls.ts';
import type { Checked, Rule } from './types.ts';

export const resultsFirst: Rule = {
  name: 'results-first',
  formats: ['anthropic'],
  check: (request) =>
    turnsWithLateResults(request).map(({ start }) => ({
      rule: 'results-first',
      message: start,
      what: 'a result follows other content in the turn that answers the calls',
      mend: 'put the results first',
    })),
  repair(request) {
    const late = turnsWithLateResults(request);
    if (late.length === 0) return undefined;
    let done = 0;
    const messages = late.flatMap(({ start, end }) => {
      const before = request.messages.slice(done, start);
      done = end;
      return [...before, ...inOrder(request.messages.slice(start, end))];
    });
    const did = late.map(({ start }) => ({
      rule: 'results-first',
      message: start,
      did: 'put the results before the rest of the turn',
    }));
    return { request: { ...request, messages: [...messages, ...request.messages.slice(done)] }, did };
  },
};

/** The turns behind calls in which a result stands behind something else. */
function turnsWithLateResults({ messages }: Checked): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  for (let i = 0; i < messages.length; i += 1) {
    if (!hasCall(messages[i] as Message)) continue;
    const start = i + 1;
    let end = start;
    while (messages[end]?.role === 'user' || messages[end]?.role === 'tool') end += 1;
    const parts = messages.slice(start, end).flatMap((message) => message.parts);
    const last = parts.findLastIndex(isResult);
    if (last > 0 && !parts.slice(0, last).every(isResult)) found.push({ start, end });
  }
  return found;
}

function inOrder(turn: readonly Message[]): Message[] {
  const results = turn.flatMap((message) => message.parts.filter(isResult));
  const first = turn.find(hasResult) as Message;
  const [only] = turn;
  if (turn.length === 1 && only)
    return [{ ...only, parts: [...results, ...only.parts.filter((part) => !isResult(part))] }];
  const rest = turn.flatMap((message): Message[] => {
    if (!hasResult(message)) return [message];
    const parts = message.parts.filter((part) => !isResult(part));
    return parts.length > 0 ? [{ ...message, parts, ...(message === first && { meta: undefined }) }] : [];
  });
  return [{ ...first, parts: results }, ...rest];
}
