// --schema: checks that an answer is JSON that fits the schema, and asks once more where it does not.
import type { Validator } from '../../../lib/config/json-schema.ts';
import type { Message } from '../../../lib/conversation/types.ts';
import type { Conversation } from '../../../lib/conversion/gather.ts';
import { EXIT, Failure } from '../../../lib/failure/failure.ts';
import { isObject, type Json, type JsonObject } from '../../../lib/json/values.ts';
import { appendMessages, textMessage } from '../prepare/flags.ts';
import type { Run } from '../run.ts';
import { emitDeltas, type OnDelta, type Reply } from './reply.ts';

type Ask = (conversation: Conversation) => Promise<Reply>;

/**
 * The first answer of `ask` that fits the schema, of two at most. Throws a Failure (69) where neither fits. An answer with tool calls is not
 * checked: it is not the last one.
 */
export async function replyWithSchema(
  conversation: Conversation,
  run: Run,
  { schema, validate }: NonNullable<Run['answerSchema']>,
  ask: Ask,
  onDelta: OnDelta | undefined,
): Promise<Reply> {
  const first = await ask(conversation);
  const checked = checkAnswer(first.message, schema, validate);
  let reply = { ...first, message: checked.message };
  if (checked.wrong !== undefined) {
    run.note(`the answer does not match the schema (${checked.wrong}); asking the model to repair it`);
    const second = await ask(appendMessages(conversation, complaint(first.message, checked.wrong, schema)));
    const again = checkAnswer(second.message, schema, validate);
    if (again.wrong !== undefined)
      throw new Failure(EXIT.unavailable, `the answer does not match the schema: ${again.wrong}`, {
        hint: 'the retry did not match either; try a larger model',
      });
    reply = { ...second, message: addCosts(first.message, again.message) };
  }
  emitDeltas(reply.message, onDelta);
  return reply;
}

/** The first answer without its reasoning, and what is wrong with it. */
const complaint = ({ parts }: Message, wrong: string, schema: JsonObject): readonly Message[] => [
  { role: 'assistant', parts: parts.filter(({ type }) => type !== 'reasoning') },
  textMessage(
    'user',
    `Your answer does not match the JSON Schema: ${wrong}. Answer again with nothing but JSON that matches it:\n${JSON.stringify(schema)}`,
  ),
];

function checkAnswer(message: Message, schema: JsonObject, validate: Validator): { wrong?: string; message: Message } {
  const at = message.parts.findLastIndex(({ type }) => type === 'text');
  const part = message.parts[at];
  if (message.parts.some(({ type }) => type === 'tool_call')) return { message };
  if (part?.type !== 'text') return { message, wrong: 'it has no text' };
  const found = parseAnswer(part.text);
  if (found === undefined) return { message, wrong: 'it is not JSON' };
  const wrong = validate(schema, found.value);
  if (wrong !== undefined) return { message, wrong };
  if (found.text === part.text) return { message };
  return { message: { ...message, parts: message.parts.with(at, { ...part, text: found.text }) } };
}

/** The JSON of an answer; of one in a fence, what is in it. */
function parseAnswer(text: string): { readonly value: Json; readonly text: string } | undefined {
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

/** The second answer, with the cost of both. */
function addCosts(first: Message, second: Message): Message {
  const [one, two] = [first, second].map(({ meta }) => (isObject(meta?.cost) ? meta.cost.usd : undefined));
  const usd = typeof one === 'number' && typeof two === 'number' ? one + two : null;
  const cost = second.meta?.cost === undefined ? {} : { cost: usd === null ? second.meta.cost : { usd } };
  return { ...second, meta: { ...second.meta, ...cost, repaired: true } };
}
