// Stop and SubagentStop: the conversation in; if a hook wants the model to go on, its reason out.
import type { Context } from '../../lib/cli/filter.ts';
import type { Message } from '../../lib/conversation/types.ts';
import { type Conversation, conversations, messageOf } from '../../lib/conversion/gather.ts';
import { isAboutData } from '../../lib/dialects/read-record.ts';
import { EXIT } from '../../lib/failure/failure.ts';
import type { HookRunner } from '../../lib/hooks/runner.ts';
import type { Rec } from '../../lib/json/record.ts';
import { isObject, type JsonObject } from '../../lib/json/values.ts';
import type { Records } from '../../lib/jsonl/read.ts';
import { textOf } from './responses.ts';
import type { Session } from './session.ts';
import { tell } from './tell.ts';

/** So often in a row a hook may keep the model going. https://code.claude.com/docs/en/hooks */
const MOST_BLOCKS = 8;

export async function* stopped(
  event: 'Stop' | 'SubagentStop',
  records: Records,
  fields: JsonObject,
  runner: HookRunner,
  session: Session,
  context: Context,
): AsyncGenerator<Rec> {
  let last: Conversation | undefined;
  for (const conversation of conversations(records)) last = conversation;
  const { said, blocks } = await stateOf(last, event, context);
  const outcome = await runner.run(event, {
    stop_hook_active: blocks > 0,
    ...(said !== undefined && { last_assistant_message: said }),
    ...(event === 'SubagentStop' && { agent_id: '', agent_type: '', agent_transcript_path: session.file ?? '' }),
    ...fields,
  });
  tell(outcome, context);
  const format = last?.decided ? last.format : session.format;
  if (outcome.stop !== undefined) context.note(outcome.stop);
  else if (outcome.blocked !== undefined && blocks >= MOST_BLOCKS)
    context.note(
      `a hook asks the model to continue for the ${blocks + 1}th time in a row: ignored (${outcome.blocked})`,
    );
  else if (outcome.blocked !== undefined) {
    yield* session.note(`${event} hook feedback: ${outcome.blocked}`, event, format);
    context.exit(EXIT.blocked);
  }
  for (const text of outcome.context) yield* session.note(text, event, format);
}

/** What the model said last, and how often hooks have kept it going since a person spoke. */
async function stateOf(
  conversation: Conversation | undefined,
  event: string,
  context: Context,
): Promise<{ said?: string; blocks: number }> {
  let blocks = 0;
  let said: string | undefined;
  for (const item of (conversation?.items ?? []).toReversed()) {
    const message = readable(() => messageOf(item), context);
    if (message === undefined) continue;
    if (message.role === 'assistant') said ??= textOf(message.parts);
    else if (isFrom(message, event)) blocks += 1;
    else if (isPrompt(message)) break;
  }
  return { ...(said !== undefined && { said }), blocks };
}

function readable<T>(read: () => T, context: Context): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!isAboutData(error)) throw error;
    context.bad(error);
    return undefined;
  }
}

const sourceOf = ({ meta }: Message): unknown => (isObject(meta) ? meta.source : undefined);

/** A block's own message; additional context is none. */
const isFrom = (message: Message, event: string): boolean =>
  sourceOf(message) === `hook:${event}` && textOf(message.parts).startsWith(`${event} hook feedback: `);

/** Something that a person said: no result, and nothing of a hook's. */
function isPrompt(message: Message): boolean {
  const source = sourceOf(message);
  if (typeof source === 'string' && source.startsWith('hook:')) return false;
  return message.role === 'user' && message.parts.some(({ type }) => type !== 'tool_result');
}
