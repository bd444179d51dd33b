// Bedrock refuses calls and results without the tools that were called: `The toolConfig field must be defined when using toolUse and toolResult`.
// https://github.com/vxcontrol/pentagi/pull/196

import type { FormatName, Lose, Message, Tool } from '../../conversation/types.ts';
import type { Adaptation } from '../../conversion/adaptation.ts';
import { constraintsOf } from '../../dialects/table.ts';

/** Where a whole request has calls and no tools, tools of their names. Their input is not known, and so it is any object. */
export function calledTools(to: FormatName): Adaptation {
  return {
    head(head, lose, _from, ahead) {
      const listed = !constraintsOf(to).calledToolsListed || head.tools?.some(({ type }) => type !== 'provider');
      if (listed || ahead === undefined) return head;
      const names = namesIn(ahead());
      return names.length === 0
        ? head
        : { ...head, tools: [...(head.tools ?? []), ...names.map((n) => stub(n, lose))] };
    },
  };
}

function namesIn(messages: readonly Message[]): string[] {
  const calls = messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool_call'));
  return [...new Set(calls.filter(({ by }) => by !== 'provider').map(({ name }) => name))];
}

function stub(name: string, lose: Lose): Tool {
  lose(`tools: ${name}`, 'the API requires the tools of the calls: one for any object', 'added');
  return { type: 'function', name, schema: { type: 'object' } };
}
