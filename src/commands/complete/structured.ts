// --schema: an answer that is JSON as the schema says. One that is not gets one chance to be mended.
import type { Validator } from '../../lib/config/json-schema.ts';
import type { Message } from '../../lib/conversation/types.ts';
import type { Conversation } from '../../lib/conversion/gather.ts';
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import { isObject, type Json, type JsonObject } from '../../lib/json/values.ts';
import { answer, type Reply } from './answer.ts';
import type { Ask } from './ask.ts';
import { deltasOf } from './deltas.ts';
import { continued, textMessage } from './prepare.ts';
import type { Session } from './session.ts';

export interface Checker {
  readonly schema: JsonObject;
  readonly validate: Validator;
}

/** Throws a Failure (69) if the mended answer is no better. An answer that calls tools is none yet, and passes. */
export async function structured(
  conversation: Conversation,
  session: Session,
  { schema, validate }: Checker,
  onDelta: Ask['onDelta'],
): Promise<Reply> {
  const first = await answer(conversation, session, undefined);
  const checked = judge(first.message, schema, validate);
  if (checked.wrong === undefined) return told({ ...first, message: checked.message }, onDelta);
  session.note(`the answer does not match the schema (${checked.wrong}); asking the model to repair it`);
  const complaint = textMessage(
    'user',
    `Your answer does not match the JSON Schema: ${checked.wrong}. Answer again with nothing but JSON that matches it:\n${JSON.stringify(schema)}`,
  );
  const said = { role: 'assistant', parts: first.message.parts.filter(({ type }) => type !== 'reasoning') } as const;
  const second = await answer(continued(conversation, [said, complaint]), session, undefined);
  const again = judge(second.message, schema, validate);
  if (again.wrong !== undefined)
    throw new Failure(EXIT.unavailable, `the answer does not match the schema: ${again.wrong}`, {
      hint: 'the retry did not match either; try a larger model',
    });
  return told({ ...second, message: together(first.message, again.message) }, onDelta);
}

function told(reply: Reply, onDelta: Ask['onDelta']): Reply {
  if (onDelta) for (const delta of deltasOf(reply.message)) onDelta(delta);
  return reply;
}

function judge(message: Message, schema: JsonObject, validate: Validator): { wrong?: string; message: Message } {
  const at = message.parts.findLastIndex(({ type }) => type === 'text');
  const part = message.parts[at];
  if (message.parts.some(({ type }) => type === 'tool_call')) return { message };
  if (part?.type !== 'text') return { message, wrong: 'it has no text' };
  const found = jsonIn(part.text);
  if (found === undefined) return { message, wrong: 'it is not JSON' };
  const wrong = validate(schema, found.value);
  if (wrong !== undefined) return { message, wrong };
  if (found.text === part.text) return { message };
  return { message: { ...message, parts: message.parts.with(at, { ...part, text: found.text }) } };
}

/** The JSON of an answer; of one in a fence, what is in it. */
function jsonIn(text: string): { readonly value: Json; readonly text: string } | undefined {
  const open = text.indexOf('```');
  const inner = open < 0 ? text : text.slice(text.indexOf('\n', open) + 1, text.lastIndexOf('```'));
  for (const candidate of [text, inner.trim()])
    try {
      return { value: JSON.parse(candidate) as Json, text: candidate };
    } catch {
      // The next one may be.
    }
  return undefined;
}

/** The second answer, with what both took. */
function together(first: Message, second: Message): Message {
  const [one, two] = [first, second].map(({ meta }) => (isObject(meta?.cost) ? meta.cost.usd : undefined));
  const usd = typeof one === 'number' && typeof two === 'number' ? one + two : null;
  const cost = second.meta?.cost === undefined ? {} : { cost: usd === null ? second.meta.cost : { usd } };
  return { ...second, meta: { ...second.meta, ...cost, repaired: true } };
}
