// The request for a target: the conversation in the API's dialect, its URL, its headers.
import { adaptTo } from '../../../lib/constraints/adapt/adapt.ts';
import type { Adaptation } from '../../../lib/conversion/adaptation.ts';
import type { Conversation } from '../../../lib/conversion/gather.ts';
import type { Losses } from '../../../lib/conversion/losses.ts';
import { type BuiltRequest, buildRequest } from '../../../lib/conversion/request.ts';
import { isParameter } from '../../../lib/dialects/codec/parameters.ts';
import type { Format } from '../../../lib/dialects/types.ts';
import { record } from '../../../lib/json/record.ts';
import type { JsonObject } from '../../../lib/json/values.ts';
import type { Provider, Quirks } from '../../../lib/models/types.ts';
import { withQuirks } from '../../../lib/providers/quirks.ts';
import type { CompleteOptions } from '../options.ts';
import type { ConversationFlags } from '../prepare/flags.ts';
import type { Target } from '../select/target.ts';
import { markCacheBreakpoints } from './prompt-cache.ts';

export interface ApiRequest {
  readonly url: string;
  readonly body: JsonObject;
  /** Gives the reply the tool names and ids of the conversation, where the API needed others. */
  readonly restoreNames: BuiltRequest['homeward'];
  /** Without the credential. */
  readonly headers: Readonly<Record<string, string>>;
}

interface RequestSettings {
  readonly options: Pick<CompleteOptions, 'cache-prompt'>;
  readonly flags: ConversationFlags | undefined;
}

/** What the target's API cannot express is added to `losses`. */
export function buildApiRequest(
  conversation: Conversation,
  target: Target,
  { options, flags }: RequestSettings,
  streamed: boolean,
  losses: Losses,
): ApiRequest {
  const { format, endpoint, model, base, provider } = target;
  const quirks = quirksOf(target);
  const built = buildRequest(
    addHead(conversation, model),
    format,
    losses,
    adaptTo({ model, first: [() => setHead(flags?.head)] }),
  );
  const shaped = withQuirks(
    addDefaults(dropOwnFields(built.body, conversation, provider), format),
    quirks,
    losses.between(conversation.format.name, format.name),
  );
  const marked = options['cache-prompt'] ? markCacheBreakpoints(shaped, format.name, quirks) : shaped;
  const wanted = { model, streamed, ...(quirks.usage_in_streaming === false && { usageInStreaming: false }) };
  return {
    url: `${base}${endpoint.path(wanted)}`,
    body: endpoint.body(marked, wanted),
    restoreNames: built.homeward,
    headers: { ...provider.headers, ...endpoint.headers?.(marked, wanted) },
  };
}

const setHead = (flags: ConversationFlags['head'] | undefined): Adaptation => ({
  head: (head) => ({ ...head, ...flags }),
});

/** Adds a head where the conversation has none, for the adaptations that change heads. */
function addHead(conversation: Conversation, model: string): Conversation {
  if (conversation.head !== undefined) return conversation;
  const { format } = conversation;
  const { native } = format.writeHead({ model }, [], () => {});
  return { ...conversation, head: { rec: record(native), identity: { format, kind: 'head', sure: true } } };
}

/** Names of a dataset's line, which are never parameters. */
const LINE_IDS = new Set(['id', 'custom_id']);

/**
 * Fields of a dataset's line that are not parameters (its id, a label) are not sent: vendors refuse unknown fields. Local servers have parameters
 * of their own, so for them only the ids are dropped.
 */
function dropOwnFields(body: JsonObject, { rolled, head }: Conversation, { kind }: Provider): JsonObject {
  const written = Object.keys(head?.rec.value ?? {});
  const strict = rolled !== undefined && kind !== 'local';
  const own = new Set(written.filter((name) => LINE_IDS.has(name) || (strict && !isParameter(name))));
  if (own.size === 0) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !own.has(name)));
}

/** A model's quirks override its provider's. `max_completion_tokens` is for reasoning models: older models and their servers know only `max_tokens`. */
function quirksOf({ provider, facts }: Target): Quirks {
  const { max_tokens_field: limit, ...quirks } = { ...provider.quirks, ...facts?.quirks };
  const fits = limit !== 'max_completion_tokens' || facts?.reasoning === true;
  return { ...quirks, ...(limit !== undefined && fits && { max_tokens_field: limit }) };
}

/** Adds the fields that the API requires. */
function addDefaults(request: JsonObject, format: Format): JsonObject {
  return { ...format.writeHead({}, [], () => {}).native, ...request };
}
