// Models that are built in: echo, extract, gguf:FILE and replay:FILE.

import type { Message } from '../../../lib/conversation/types.ts';
import { type Conversation, messageOf } from '../../../lib/conversion/gather.ts';
import { emitDeltas, type OnDelta, type Reply } from '../receive/reply.ts';
import type { Run } from '../run.ts';

type BuiltInModel = (conversation: Conversation, run: Run, onDelta: OnDelta | undefined) => Promise<Reply>;

/** By name; where the name ends in a colon, a file follows it. */
const MODELS: { readonly [name: string]: (file: string) => BuiltInModel } = {
  echo: () => async (conversation, _, onDelta) => wholeReply(echo(conversation), conversation, onDelta),
  extract: () => async (conversation, _, onDelta) => {
    const { extract } = await import('./extract.ts');
    return wholeReply(extract(conversation), conversation, onDelta);
  },
  'gguf:': (file) => async (conversation, run, onDelta) => {
    const { generate } = await import('./gguf.ts');
    return { message: await generate(file, conversation, run, onDelta), format: conversation.format };
  },
  'replay:': (file) => async (conversation, run, onDelta) => {
    const { replay } = await import('./replay.ts');
    return replay(conversation, file, run, onDelta);
  },
};

/** The built-in model of this name; undefined for a provider's model. */
export function builtInModel(model: string | undefined): BuiltInModel | undefined {
  const matches = (name: string) => (name.endsWith(':') ? model?.startsWith(name) : model === name);
  const [name, create] = Object.entries(MODELS).find(([one]) => matches(one)) ?? [];
  return create?.(model?.slice(name?.length) ?? '');
}

function wholeReply(message: Message, { format }: Conversation, onDelta: OnDelta | undefined): Reply {
  emitDeltas(message, onDelta);
  return { message, format };
}

/** The last text of the user. */
function echo(conversation: Conversation): Message {
  const last = conversation.items.map(messageOf).findLast((message) => message?.role === 'user');
  const text = (last?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('');
  const by = { provider: 'echo', model: 'echo' };
  return { role: 'assistant', parts: [{ type: 'text', text }], by, stop: { reason: 'stop' } };
}
