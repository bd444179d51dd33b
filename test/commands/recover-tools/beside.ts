// A message as a whole and as a stream, made comparable: what is said, thought and called, in order.
import { DeltaStream } from '../../../src/commands/recover-tools/delta-stream.ts';
import { MessageRecovery } from '../../../src/commands/recover-tools/message.ts';
import type { Delta } from '../../../src/lib/conversation/delta.ts';
import type { Message } from '../../../src/lib/conversation/types.ts';
import type { Format } from '../../../src/lib/dialects/types.ts';
import { mayHoldCall } from '../../../src/lib/grammars/may-hold.ts';
import type { Toolset } from '../../../src/lib/grammars/toolset.ts';

/** A dialect that is the view itself. */
const VIEW = {
  name: 'view',
  readMessage: (native: unknown) => native as Message,
  writeMessages: (messages: readonly Message[]) => messages,
} as unknown as Format;

export type Told = readonly (readonly [type: string, said: unknown])[];

function rulesOf(tools: Toolset, more: object = {}) {
  return {
    tools,
    strict: false,
    trustQuotes: false,
    copied: () => false,
    inReasoning: false,
    salvage: false,
    ...more,
  };
}

/** Pieces of the same type as one. White space around what is said counts only where nothing was recovered. */
function joined(all: Told): Told {
  const out: [string, unknown][] = [];
  for (const [type, said] of all) {
    const last = out.at(-1);
    if (last && last[0] === type && type !== 'call') last[1] = `${last[1]}${said}`;
    else out.push([type, said]);
  }
  if (out.length === 1 && out[0]?.[0] === 'text') return out;
  return out
    .map(([type, said]): [string, unknown] => [type, type === 'call' ? said : String(said).trim()])
    .filter(([, said]) => said !== '');
}

export function ofWhole(text: string, tools: Toolset, more?: object): Told {
  if (!mayHoldCall(text)) return joined([['text', text]]);
  const message: Message = { role: 'assistant', parts: [{ type: 'text', text }] };
  const after = new MessageRecovery(VIEW, rulesOf(tools, more), () => 'id').run(message as never, 'message').native;
  const { parts } = (after ?? message) as unknown as Message;
  return joined(
    parts.map((part): [string, unknown] => {
      if (part.type === 'tool_call') return ['call', [part.name, part.input]];
      return [part.type, part.type === 'text' || part.type === 'reasoning' ? part.text : part];
    }),
  );
}

export function ofStream(pieces: readonly string[], tools: Toolset, more?: object): Told {
  const stream = new DeltaStream(rulesOf(tools, more), () => 'id');
  const deltas: Delta[] = pieces.flatMap((text) => stream.take({ type: 'delta', index: 0, text }));
  deltas.push(...stream.end());
  return joined(
    deltas.map(({ text, reasoning, name, arguments: given }): [string, unknown] => {
      if (name !== undefined) return ['call', [name, JSON.parse(given ?? '')]];
      return reasoning === undefined ? ['text', text] : ['reasoning', reasoning];
    }),
  );
}

/** Pieces as models send them: a few letters, a word or a mark each. */
export function tokens(text: string): string[] {
  return text.match(/\s?\w{1,6}|[^\w\s]{1,3}|\s+/gu) ?? [];
}

/** Every way to cut a text once. */
export function* cuts(text: string): Generator<string[]> {
  for (let at = 1; at < text.length; at += 1) yield [text.slice(0, at), text.slice(at)];
}
