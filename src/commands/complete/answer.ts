// One conversation answered: by a provider, from a cassette, or by something built in.

import type { Message } from '../../lib/conversation/types.ts';
import { type Conversation, messageOf } from '../../lib/conversion/gather.ts';
import type { Format } from '../../lib/dialects/types.ts';
import type { Ask } from './ask.ts';
import { chained } from './chain.ts';
import { deltasOf } from './deltas.ts';
import { refuseUnanswerable } from './open-calls.ts';
import type { Session } from './session.ts';

export interface Reply {
  readonly message: Message;
  /** The dialect of the provider: an undecided stream takes it. */
  readonly format: Format;
}

type Built = (conversation: Conversation, rest: string, session: Session, onDelta: Ask['onDelta']) => Promise<Reply>;

/** What -m says that is no model of a provider: a name, or what begins with one that ends in a colon. */
const BUILT_IN: { readonly [name: string]: Built } = {
  echo: async (conversation, _, _session, onDelta) => told(echo(conversation), conversation, onDelta),
  extract: async (conversation, _, _session, onDelta) => {
    const { extract } = await import('./extract/extract.ts');
    return told(extract(conversation), conversation, onDelta);
  },
  'gguf:': async (conversation, file, session, onDelta) => {
    const { generate } = await import('./gguf.ts');
    return { message: await generate(file, conversation, session, onDelta), format: conversation.format };
  },
  'replay:': async (conversation, path, session, onDelta) => {
    const { replay } = await import('./replay.ts');
    return replay(conversation, path, session, onDelta);
  },
};

const builtIn = (model: string | undefined) =>
  Object.entries(BUILT_IN).find(([name]) => (name.endsWith(':') ? model?.startsWith(name) : model === name));

/** Throws a Failure, or AttemptFailed where a provider is the reason. */
export async function answer(conversation: Conversation, session: Session, onDelta: Ask['onDelta']): Promise<Reply> {
  refuseUnanswerable(conversation);
  const { model } = session.options;
  const [name, make] = builtIn(model) ?? [];
  if (make === undefined) return chained(conversation, session, onDelta);
  return make(conversation, model?.slice(name?.length) ?? '', session, onDelta);
}

function told(message: Message, { format }: Conversation, onDelta: Ask['onDelta']): Reply {
  if (onDelta) for (const delta of deltasOf(message)) onDelta(delta);
  return { message, format };
}

function echo(conversation: Conversation): Message {
  const last = conversation.items.map(messageOf).findLast((message) => message?.role === 'user');
  const text = (last?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('');
  const by = { provider: 'echo', model: 'echo' };
  return { role: 'assistant', parts: [{ type: 'text', text }], by, stop: { reason: 'stop' } };
}
