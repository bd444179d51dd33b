// The conversations that are to be answered.
import { type Conversation, Gatherer } from '../../lib/conversion/gather.ts';
import type { Rec } from '../../lib/json/record.ts';
import { Recognition } from '../../lib/transcripts/recognition.ts';

/** The conversations of some records. Throws a Failure (65) before one is handed out that is none. */
export async function* gathered(records: AsyncIterable<Rec>): AsyncGenerator<Conversation> {
  const gatherer = new Gatherer();
  const recognition = new Recognition({ program: 'ai-complete' });
  for await (const rec of records) {
    recognition.see(rec);
    yield* checked(gatherer.push(rec), recognition);
  }
  yield* checked(gatherer.end(), recognition);
}

function checked(conversations: readonly Conversation[], recognition: Recognition): readonly Conversation[] {
  if (conversations.length === 0) return conversations;
  const [failure] = recognition.failures();
  if (failure) throw failure;
  return conversations;
}

/** Whether there is something that a model can be asked: records of ours alone, or blank lines, are nothing. */
export const canBeAsked = ({ rolled, head, items }: Conversation): boolean =>
  rolled !== undefined || head !== undefined || items.some(({ identity }) => identity !== undefined);
