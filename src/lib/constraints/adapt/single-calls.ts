// One call at a time, for models whose template has room for no more.

import type { Lose, Message, Part, ToolCallPart, ToolResultPart } from '../../conversation/types.ts';
import type { Adaptation, Read } from '../../conversion/adaptation.ts';

/** A turn with several calls becomes several turns, each with its result behind it. Calls without a result yet stay where they are. */
export class OneCallAtATime implements Adaptation {
  #turn: Read | undefined;
  #results: { readonly part: ToolResultPart; readonly read: Read }[] = [];
  #rest: Read[] = [];

  head<T>(head: T): T {
    return head;
  }

  read(read: Read, lose: Lose): Read | readonly Read[] {
    const { parts } = read.message;
    if (this.#turn && parts.some(isResult)) {
      for (const part of parts.filter(isResult)) this.#results.push({ part, read });
      const rest = parts.filter((part) => !isResult(part));
      if (rest.length > 0) this.#rest.push({ ...read, message: { ...read.message, role: 'user', parts: rest } });
      return this.#results.length < callsIn(this.#turn.message).length ? [] : this.end(lose);
    }
    const out = this.end(lose);
    if (callsIn(read.message).length < 2) return [...out, read];
    this.#turn = read;
    return out;
  }

  end(lose: Lose): readonly Read[] {
    const turn = this.#turn;
    if (turn === undefined) return [];
    const [results, rest] = [this.#results, this.#rest];
    this.#turn = undefined;
    this.#results = [];
    this.#rest = [];
    const calls = callsIn(turn.message);
    const answers = calls.map((call) => results.find(({ part }) => part.callId === call.id));
    if (answers.some((answer) => answer === undefined))
      return [turn, ...results.map(({ part, read }) => alone(part, read)), ...rest];
    lose('parallel tool calls', 'the model makes one call at a time: each call gets its own turn', 'changed');
    const said = turn.message.parts.filter((part) => !isCall(part));
    const turns = calls.flatMap((call, i) => [
      { ...turn, message: { ...turn.message, parts: i === 0 ? [...said, call] : [call] } },
      ...answers.slice(i, i + 1).flatMap((answer) => (answer ? [alone(answer.part, answer.read)] : [])),
    ]);
    return [...turns, ...rest];
  }
}

const isCall = (part: Part): part is ToolCallPart => part.type === 'tool_call' && part.by !== 'provider';
const isResult = (part: Part): part is ToolResultPart => part.type === 'tool_result' && part.by !== 'provider';

const callsIn = ({ role, parts }: Message): ToolCallPart[] => (role === 'assistant' ? parts.filter(isCall) : []);

const alone = (part: ToolResultPart, read: Read): Read => ({
  ...read,
  message: { ...read.message, role: 'tool', parts: [part] },
});
