// Every call is answered once, where the API looks for the answer, and nothing else is answered.
// `tool_use ids were found without tool_result blocks immediately after`: https://github.com/anthropics/claude-code/issues/8210,
// https://github.com/BerriAI/litellm/issues/16525; `An assistant message with 'tool_calls' must be followed by tool messages`:
// https://github.com/All-Hands-AI/OpenHands/issues/7512; Gemini counts: https://github.com/maximhq/bifrost/issues/1387.
import type { Message, Part, ToolResultPart } from '../../conversation/types.ts';
import { constraintsOf, demanding } from '../../dialects/table.ts';
import { quoted } from './build.ts';
import { hasResult, isResult, type Placed, resultsById, type Turn, turnsOf } from './calls.ts';
import type { Checked, Finding, Mended, Repaired, Rule } from './types.ts';

export const answered: Rule = {
  name: 'answered-calls',
  formats: demanding(({ results }) => results),
  check: (request) => find(match(request), request),
  repair,
};

/** For each turn the results that answer its calls, and what answers nothing. */
interface Matched {
  readonly turns: readonly {
    readonly turn: Turn;
    readonly answers: readonly (Placed | undefined)[];
  }[];
  readonly orphans: readonly Placed[];
}

function match({ format, messages }: Checked): Matched {
  const place = constraintsOf(format).results ?? 'messages';
  const turns = turnsOf(messages, place);
  const results = resultsById(messages);
  const used = new Set<ToolResultPart>();
  const next = new Map<string, number>();
  const answersOf = ({ calls, start }: Turn) =>
    calls.map(({ call }) => {
      const list = results.get(call.id) ?? [];
      let from = next.get(call.id) ?? 0;
      while (from < list.length && (list[from] as Placed).at < start) from += 1;
      next.set(call.id, from + 1);
      const found = list[from];
      if (found) used.add(found.part);
      return found;
    });
  const matched = turns.map((turn) => ({ turn, answers: answersOf(turn) }));
  const orphans = [...results.values()].flat().filter(({ part }) => !used.has(part));
  return { turns: matched, orphans };
}

function find(matched: Matched, request: Checked): Finding[] {
  const { head } = request;
  const elsewhere = head !== undefined && isContinued(head.ext);
  const open = openFrom(request, matched);
  const found = matched.turns.flatMap(({ turn, answers }) => {
    const seen = new Set<string>();
    return turn.calls.flatMap(({ at, call }, i): Finding[] => {
      const about = { rule: 'answered-calls', message: at };
      const answer = answers[i];
      const twice = seen.has(call.id);
      seen.add(call.id);
      if (twice)
        return [
          { ...about, what: `two calls have the id ${quoted(call.id)}`, mend: 'give each call an id of its own' },
        ];
      if (answer === undefined && turn.start >= open) return [];
      if (answer === undefined)
        return [
          {
            ...about,
            what: `the call ${quoted(call.id)} of ${quoted(call.name)} has no result`,
            mend: 'add one after it, or remove the call',
          },
        ];
      if (answer.at >= turn.end)
        return [
          {
            ...about,
            message: answer.at,
            what: `the result of ${quoted(call.id)} does not follow its call`,
            mend: 'put it directly after the call',
          },
        ];
      return [];
    });
  });
  const lonely = elsewhere ? [] : matched.orphans.map(({ at, part }) => lonelyResult(at, part));
  return [...found, ...lonely];
}

const lonelyResult = (at: number, part: ToolResultPart): Finding => ({
  rule: 'answered-calls',
  message: at,
  what: `the result for ${quoted(part.callId)} answers no call before it`,
  mend: 'remove it, or restore the call',
});

/** Where calls may wait for their results, in a conversation that ends with some. Where results are messages of their own, there may be some already. */
function openFrom({ open, format, messages }: Checked, { orphans }: Matched): number {
  if (!open) return Number.POSITIVE_INFINITY;
  if (constraintsOf(format).results === 'turn') return messages.length;
  const lonely = new Set<Part>(orphans.map(({ part }) => part));
  const answers = (part: Part): boolean => isResult(part) && !lonely.has(part);
  return messages.findLastIndex(({ parts }) => parts.length === 0 || !parts.every(answers)) + 1;
}

/** Calls may stand in what the server keeps: https://platform.openai.com/docs/guides/conversation-state */
function isContinued(ext: { readonly [format: string]: object } | undefined): boolean {
  const kept = ext?.['openai-responses'];
  return kept !== undefined && ('previous_response_id' in kept || 'conversation' in kept);
}

const MISSING = 'No result provided';

/** Calls of one turn that share an id get ids of their own, and so do the results that answer them in their order. */
function toldApart(request: Checked): Repaired {
  const renamed = new Map<Part, Part>();
  const did: Mended[] = [];
  const used = idsIn(request);
  let count = 1;
  // As long as the old one, and of the same letters: some APIs are strict about both.
  const fresh = (id: string): string => {
    for (;;) {
      count += 1;
      const other = `${id.slice(0, Math.max(0, id.length - String(count).length))}${count}`;
      if (!used.has(other)) {
        used.add(other);
        return other;
      }
    }
  };
  for (const { turn, answers } of match(request).turns) {
    const seen = new Set<string>();
    for (const [i, { at, call }] of turn.calls.entries()) {
      if (!seen.has(call.id)) {
        seen.add(call.id);
        continue;
      }
      const id = fresh(call.id);
      renamed.set(call, { ...call, id });
      const answer = answers[i];
      if (answer) renamed.set(answer.part, { ...answer.part, callId: id });
      did.push({ rule: 'answered-calls', message: at, did: `renamed the second ${quoted(call.id)} to ${quoted(id)}` });
    }
  }
  if (did.length === 0) return { request, did };
  const messages = request.messages.map((message) =>
    message.parts.some((part) => renamed.has(part))
      ? { ...message, parts: message.parts.map((part) => renamed.get(part) ?? part) }
      : message,
  );
  return { request: { ...request, messages }, did };
}

const idsIn = ({ messages }: Checked): Set<string> =>
  new Set(messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool_call' ? [part.id] : []))));

/** Results go behind their calls, missing ones are said to be missing, and what answers nothing becomes plain text of the user. */
function repair(given: Checked): Repaired | undefined {
  if (find(match(given), given).length === 0) return undefined;
  const { request, did: renamed } = toldApart(given);
  const matched = match(request);
  const { messages } = request;
  const open = openFrom(request, matched);
  const did: Mended[] = [...renamed];
  const moved = new Map<number, Message[]>();
  const gone = new Set<ToolResultPart>();
  for (const { turn, answers } of matched.turns) {
    const added = turn.calls.flatMap(({ at, call }, i): Message[] => {
      const answer = answers[i];
      if (answer && answer.at < turn.end) return [];
      if (answer) {
        gone.add(answer.part);
        did.push({
          rule: 'answered-calls',
          message: answer.at,
          did: `moved the result of ${quoted(call.id)} to its call`,
        });
        return [alone(messages[answer.at] as Message, answer.part)];
      }
      if (turn.start >= open) return [];
      did.push({ rule: 'answered-calls', message: at, did: `added a result for ${quoted(call.id)}: "${MISSING}"` });
      const parts = [{ type: 'text', text: MISSING } as const];
      return [{ role: 'tool', parts: [{ type: 'tool_result', callId: call.id, name: call.name, error: true, parts }] }];
    });
    if (added.length > 0) moved.set(turn.start, added);
  }
  const orphans = new Set(matched.orphans.map(({ part }) => part));
  for (const { at, part } of matched.orphans)
    did.push({
      rule: 'answered-calls',
      message: at,
      did: `changed the result for ${quoted(part.callId)} to text: its call is missing`,
    });
  return did.length > 0
    ? { request: { ...request, messages: rebuilt(request, moved, gone, orphans) }, did }
    : undefined;
}

/** A result as a message of its own: the message that it stands in, if it stands there alone. */
const alone = (message: Message, part: ToolResultPart): Message =>
  message.parts.length === 1 ? message : { role: 'tool', parts: [part] };

function rebuilt(
  { format, messages }: Checked,
  moved: ReadonlyMap<number, readonly Message[]>,
  gone: ReadonlySet<ToolResultPart>,
  orphans: ReadonlySet<ToolResultPart>,
): Message[] {
  const results = (at: number): readonly Message[] => {
    const found = moved.get(at) ?? [];
    if (constraintsOf(format).results !== 'turn' || found.length < 2) return found;
    return [{ role: 'tool', parts: found.flatMap((message) => message.parts) }];
  };
  const out: Message[] = [];
  const late: Message[] = [];
  messages.forEach((message, i) => {
    // What became plain text waits until the results of the turn are complete.
    if (!hasResult(message)) for (const one of late.splice(0)) out.push(one);
    for (const one of results(i)) out.push(one);
    const parts = message.parts.filter((part) => !isResult(part) || (!gone.has(part) && !orphans.has(part)));
    const text = message.parts.flatMap((part) => (isResult(part) && orphans.has(part) ? part.parts : []));
    if (parts.length === message.parts.length) out.push(message);
    else if (parts.length > 0) out.push({ ...message, parts });
    if (text.length > 0) late.push({ role: 'user', parts: text });
  });
  return [...out, ...late, ...results(messages.length)];
}
