// Calls that share an id within a turn, or have none: each gets one of its own, and its result the same.
import type { Message, Part } from '../../conversation/types.ts';
import { demanding } from '../../dialects/table.ts';
import { isCall, isResult } from './calls.ts';
import type { Checked, Mended, Repaired, Rule } from './types.ts';

/** The rule `answered-calls` finds them; ids that the API does not take are spelled otherwise later. */
export const sameIds: Rule = {
  name: 'call-id-twice',
  formats: demanding(({ callsById }) => callsById),
  check: () => [],
  repair(request: Checked): Repaired | undefined {
    const taken = new Set(request.messages.flatMap(({ parts }) => parts.filter(isCall).map(({ id }) => id)));
    const did: Mended[] = [];
    /** The ids that the calls of this turn got, in order, by the id that they had. */
    let turn = new Map<string, string[]>();
    let spoken = false;
    const messages = request.messages.map((message, i): Message => {
      if (message.role === 'assistant' && !spoken) turn = new Map();
      spoken = message.role === 'assistant';
      let changed = false;
      const parts = message.parts.map((part): Part => {
        const now = isCall(part) ? given(part, turn, taken) : isResult(part) ? answered(part, turn) : part;
        changed ||= now !== part;
        return now;
      });
      if (!changed) return message;
      did.push({ rule: 'call-id-twice', message: i, did: 'gave each call an id of its own' });
      return { ...message, parts };
    });
    return did.length > 0 ? { request: { ...request, messages }, did } : undefined;
  },
};

function given<P extends Part & { type: 'tool_call' }>(part: P, turn: Map<string, string[]>, taken: Set<string>): P {
  const before = turn.get(part.id) ?? [];
  const id = before.length === 0 && part.id !== '' ? part.id : unique(part.id || 'call', taken);
  turn.set(part.id, [...before, id]);
  return id === part.id ? part : { ...part, id };
}

function unique(id: string, taken: Set<string>): string {
  let number = 2;
  while (taken.has(`${id}_${number}`)) number += 1;
  taken.add(`${id}_${number}`);
  return `${id}_${number}`;
}

/** The first result is the first call's. */
function answered<P extends Part & { type: 'tool_result' }>(part: P, turn: Map<string, string[]>): P {
  const waiting = turn.get(part.callId);
  if (waiting === undefined || (waiting.length === 1 && waiting[0] === part.callId)) return part;
  const [id, ...rest] = waiting;
  if (id === undefined) return part;
  turn.set(part.callId, rest);
  return id === part.callId ? part : { ...part, callId: id };
}
