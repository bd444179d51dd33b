// One request: the conversation in the target's dialect, its address, its headers.
import { adaptTo } from '../../lib/constraints/adapt/adapt.ts';
import type { Head } from '../../lib/conversation/types.ts';
import type { Adaptation } from '../../lib/conversion/adaptation.ts';
import type { Conversation } from '../../lib/conversion/gather.ts';
import type { Losses } from '../../lib/conversion/losses.ts';
import { type BuiltRequest, buildRequest } from '../../lib/conversion/request.ts';
import { isParameter } from '../../lib/dialects/codec/parameters.ts';
import type { Format } from '../../lib/dialects/types.ts';
import { record } from '../../lib/json/record.ts';
import type { JsonObject } from '../../lib/json/values.ts';
import type { Provider, Quirks } from '../../lib/models/types.ts';
import { regionIn, signed } from '../../lib/providers/aws-signature.ts';
import { withQuirks } from '../../lib/providers/quirks.ts';
import { cacheMarked } from './cache-prompt.ts';
import type { Session } from './session.ts';
import type { Target } from './target.ts';

export interface Request {
  readonly url: string;
  readonly body: JsonObject;
  /** The reply in the names that the conversation has. */
  readonly homeward: BuiltRequest['homeward'];
  /** Without the credential. */
  readonly headers: Readonly<Record<string, string>>;
}

interface RequestOptions {
  readonly streamed: boolean;
  readonly cachePrompt: boolean;
  readonly flags: Head;
}

export function requestFor(
  conversation: Conversation,
  target: Target,
  { streamed, cachePrompt, flags }: RequestOptions,
  losses: Losses,
): Request {
  const { format, api, model, base, provider } = target;
  const quirks = quirksOf(target);
  const built = buildRequest(
    withHead(conversation, model),
    format,
    losses,
    adaptTo({ model, first: [() => saying(flags)] }),
  );
  const shaped = withQuirks(
    withDefaults(withoutOwn(built.body, conversation, provider), format),
    quirks,
    losses.between(conversation.format.name, format.name),
  );
  const marked = cachePrompt ? cacheMarked(shaped, format.name, quirks) : shaped;
  const wanted = { model, streamed, ...(quirks.usage_in_streaming === false && { usageInStreaming: false }) };
  return {
    url: `${base}${api.path(wanted)}`,
    body: api.body(marked, wanted),
    homeward: built.homeward,
    headers: { ...provider.headers, ...api.headers?.(marked, wanted) },
  };
}

const saying = (flags: Head): Adaptation => ({ head: (head) => ({ ...head, ...flags }) });

/** Every request has a head, and what the model wants of one is done to it. */
function withHead(conversation: Conversation, model: string): Conversation {
  if (conversation.head !== undefined) return conversation;
  const { format } = conversation;
  const { native } = format.writeHead({ model }, [], () => {});
  return { ...conversation, head: { rec: record(native), identity: { format, kind: 'head', sure: true } } };
}

/** What a dataset's line is called is nobody's parameter. */
const NAMES = new Set(['id', 'custom_id']);

/**
 * The fields of a line that are no parameters (its id, its label) stay here: vendors refuse a request for one. Servers of this machine have
 * parameters that nobody else knows, and so has a head that somebody wrote for one model.
 */
function withoutOwn(body: JsonObject, { rolled, head }: Conversation, { kind }: Provider): JsonObject {
  const written = Object.keys(head?.rec.value ?? {});
  const strict = rolled !== undefined && kind !== 'local';
  const own = new Set(written.filter((name) => NAMES.has(name) || (strict && !isParameter(name))));
  if (own.size === 0) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !own.has(name)));
}

/** The model's go before the provider's. The newer name of the limit is for models that reason: older ones and their servers know the older. */
function quirksOf({ provider, facts }: Target): Quirks {
  const { max_tokens_field: limit, ...quirks } = { ...provider.quirks, ...facts?.quirks };
  const fits = limit !== 'max_completion_tokens' || facts?.reasoning === true;
  return { ...quirks, ...(limit !== undefined && fits && { max_tokens_field: limit }) };
}

/** A conversation without a head gets what the API requires. */
function withDefaults(request: JsonObject, format: Format): JsonObject {
  return { ...format.writeHead({}, [], () => {}).native, ...request };
}

/** The headers with the credential, which may be a signature of the whole, or a token that is asked for first. Secret. */
export async function authorised(
  request: Omit<Request, 'homeward'>,
  text: string,
  target: Target,
  { now, post }: Pick<Session, 'now' | 'post'>,
): Promise<Record<string, string>> {
  const credential = target.credential();
  const headers = { ...request.headers, ...credential?.headers, ...(await credential?.obtain?.(post, now)) };
  if (credential?.aws === undefined) return headers;
  const region = regionIn(request.url);
  const whole = {
    method: 'POST',
    url: request.url,
    headers: { 'content-type': 'application/json', ...headers },
    body: text,
  };
  return signed(whole, credential.aws, { service: 'bedrock', region, now: now() });
}
