// One conversation answered: by a provider, from a cassette, or by an echo.
import type { Context } from '../../lib/cli/filter.ts';
import { type Conversation, messageOf } from '../../lib/formats/conversation.ts';
import { describe, Losses } from '../../lib/formats/losses.ts';
import { buildRequest } from '../../lib/formats/request.ts';
import { formatNamed } from '../../lib/formats/table.ts';
import type { Format } from '../../lib/formats/types.ts';
import type { Delta } from '../../lib/ir/delta.ts';
import { EXIT, Failure, placeOf } from '../../lib/ir/failure.ts';
import type { JsonObject } from '../../lib/ir/json.ts';
import type { Message } from '../../lib/ir/types.ts';
import { exchange, ReplyReader, readWhole } from '../../lib/providers/exchange.ts';
import { deadline } from '../../lib/providers/http.ts';
import { retrying } from '../../lib/providers/retry.ts';
import { APIS } from '../../lib/providers/table.ts';
import { SseParser } from '../../lib/sse/parser.ts';
import { match, readCassette, record, type TapedExchange } from './cassette.ts';
import { findTarget, type Target } from './target.ts';

export interface AnswerOptions {
  readonly model?: string;
  readonly baseUrl?: string;
  readonly retries: number;
  readonly timeout: number;
  readonly record?: string;
  readonly onDelta?: (delta: Delta) => void;
}

export interface Reply {
  readonly message: Message;
  /** The dialect of the provider: an undecided stream takes it. */
  readonly format: Format;
}

const REPLAY = 'replay:';

export async function answer(conversation: Conversation, options: AnswerOptions, context: Context): Promise<Reply> {
  refuseOpenCalls(conversation);
  const { model } = options;
  if (model === 'echo') return echo(conversation, options);
  if (model?.startsWith(REPLAY)) return replay(conversation, model.slice(REPLAY.length), options);
  return ask(conversation, options, context);
}

/** Every API refuses a conversation whose calls have no results. */
function refuseOpenCalls(conversation: Conversation): void {
  const open = new Map<string, string>();
  for (const item of conversation.items)
    for (const part of messageOf(item)?.parts ?? []) {
      if (part.type === 'tool_call' && part.by !== 'provider') open.set(part.id, part.name);
      if (part.type === 'tool_result') open.delete(part.callId);
    }
  const [first] = open;
  if (first === undefined) return;
  const place = placeOf(conversation.rolled ?? conversation.items.at(-1)?.rec);
  throw new Failure(EXIT.badInput, `cannot complete: the call ${first[0]} of ${first[1]} has no result`, { place });
}

function echo(conversation: Conversation, { onDelta }: AnswerOptions): Reply {
  const last = conversation.items.map(messageOf).findLast((message) => message?.role === 'user');
  const text = (last?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('');
  onDelta?.({ type: 'delta', index: 0, text });
  const by = { provider: 'echo', model: 'echo' };
  return {
    message: { role: 'assistant', parts: [{ type: 'text', text }], by, stop: { reason: 'stop' } },
    format: conversation.format,
  };
}

async function ask(conversation: Conversation, options: AnswerOptions, context: Context): Promise<Reply> {
  const target = findTarget(conversation, options.model, options.baseUrl, context);
  const { provider, format, url, headers } = target;
  const losses = new Losses();
  const request = body(conversation, target, options.onDelta !== undefined, losses);
  for (const loss of losses.all) context.note(describe(loss));
  const attempt = async () => {
    const { signal, clear } = deadline(options.timeout, context.signal);
    try {
      return await exchange({
        provider,
        format,
        call: { url, headers, body: JSON.stringify(request), signal },
        onDelta: options.onDelta,
      });
    } finally {
      clear();
    }
  };
  const onWait = (failed: Error, seconds: number) =>
    context.note(`${failed.message}; trying again in ${seconds.toFixed(1)} s`);
  const { reply, recorded } = await retrying(attempt, {
    retries: options.retries,
    random: context.random,
    signal: context.signal,
    onWait,
  });
  if (options.record !== undefined)
    record(options.record, { type: 'exchange', provider, api: format.name, request, response: recorded });
  return { message: made(reply, provider, format), format };
}

function body(
  conversation: Conversation,
  target: Pick<Target, 'format' | 'model' | 'api'>,
  stream: boolean,
  losses: Losses,
): JsonObject {
  const { messages, ...head } = withDefaults(buildRequest(conversation, target.format, losses), target.format);
  return { ...head, model: target.model, ...(stream ? (target.api.streaming as JsonObject) : {}), messages };
}

/** A conversation without a head gets what the API requires. */
function withDefaults(request: JsonObject, format: Format): JsonObject {
  return { ...format.writeHead({}, [], () => {}).native, ...request };
}

const made = (reply: Message, provider: string, format: Format): Message => ({
  ...reply,
  by: { ...reply.by, provider, api: format.name },
});

function replay(conversation: Conversation, path: string, { onDelta }: AnswerOptions): Reply {
  const build = ({ api, request }: TapedExchange) => {
    const format = formatNamed(api);
    const wire = APIS[api];
    if (format === undefined || wire === undefined)
      throw new Failure(EXIT.badInput, `unknown API "${api}"`, { place: path });
    const target = { format, model: String(request.model), api: wire };
    return body(conversation, target, request.stream === true, new Losses());
  };
  const { api, provider, response } = match(path, readCassette(path), build);
  const format = formatNamed(api) as Format;
  return { message: made(readRecorded(response, provider, format, onDelta), provider, format), format };
}

function readRecorded(
  response: TapedExchange['response'],
  provider: string,
  format: Format,
  onDelta: AnswerOptions['onDelta'],
): Message {
  if (!response.streamed) return readWhole(response.body, provider, format);
  const reader = new ReplyReader(provider, format, onDelta);
  try {
    for (const event of new SseParser().push(response.body)) reader.push(event.data);
    return reader.end();
  } catch (error) {
    throw reader.failed(error);
  }
}
