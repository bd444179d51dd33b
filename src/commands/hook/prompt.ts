// UserPromptSubmit: a prompt in, the user's message out, unless a hook blocks it.
import type { Context } from '../../lib/cli/filter.ts';
import { identify } from '../../lib/dialects/detect.ts';
import { readMessageAt } from '../../lib/dialects/read-record.ts';
import { badInput, EXIT } from '../../lib/failure/failure.ts';
import type { HookRunner } from '../../lib/hooks/runner.ts';
import { type Rec, record } from '../../lib/json/record.ts';
import { isObject, type Json } from '../../lib/json/values.ts';
import type { Records } from '../../lib/jsonl/read.ts';
import { textOf } from './responses.ts';
import type { Session } from './session.ts';
import { stopRecord, tell } from './tell.ts';

interface Prompt {
  readonly text: string;
  readonly records: readonly Rec[];
}

/** The message, then what the hooks add. Nothing is written if they block. */
export async function* userPrompt(
  records: Records,
  runner: HookRunner,
  session: Session,
  context: Context,
): AsyncGenerator<Rec> {
  const prompt = await promptIn(records, session);
  if (prompt.text.trim() === '' && prompt.records.length === 0)
    throw badInput(undefined, 'cannot run the hooks: there is no prompt', 'write the prompt to standard input');
  const outcome = await runner.run('UserPromptSubmit', { prompt: prompt.text, source: 'user' });
  tell(outcome, context);
  const against = outcome.stop ?? outcome.blocked;
  if (against !== undefined) {
    context.note(`blocked: ${against}`);
    context.exit(EXIT.blocked);
    if (outcome.stop !== undefined) yield stopRecord('UserPromptSubmit', outcome.stop);
    return;
  }
  yield* prompt.records;
  for (const text of outcome.context) yield* session.note(text, 'UserPromptSubmit');
}

/** Lines that are all messages of the user are taken as they are; anything else is text. */
async function promptIn({ inputs }: Records, session: Session): Promise<Prompt> {
  const chunks: Uint8Array[] = [];
  // The next chunk overwrites this one.
  for (const { asyncChunks } of inputs) for await (const chunk of asyncChunks()) chunks.push(Buffer.from(chunk));
  const text = Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '');
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const messages = lines.map(userMessage);
  const whole = messages.filter((each) => each !== undefined);
  if (lines.length > 0 && whole.length === lines.length)
    return { text: whole.map(({ said }) => said).join('\n'), records: whole.map(({ rec }) => rec) };
  return { text, records: text.trim() === '' ? [] : session.message(text) };
}

/** A message of the user's, and no other: what somebody pastes into a prompt is never taken for an answer or a result. */
function userMessage(line: string): { rec: Rec; said: string } | undefined {
  let value: Json;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  const identity = identify(value);
  if (identity?.kind !== 'message' || !isObject(value) || value.role !== 'user') return undefined;
  const message = readMessageAt(record(value), identity);
  if (message.parts.some(({ type }) => type === 'tool_result')) return undefined;
  return { rec: { value, source: `${line}\n` }, said: textOf(message.parts) };
}
