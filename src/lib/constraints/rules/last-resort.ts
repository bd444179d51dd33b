// What no other repair mends: what the API refuses goes, and is said; nothing is made up in its place.

import { isSystem } from '../../conversation/roles.ts';
import type { Head, Message, Part, Tool } from '../../conversation/types.ts';
import { asUser } from '../../dialects/codec/marked-system.ts';
import { constraintsOf, demanding } from '../../dialects/table.ts';
import { isObject, type JsonObject } from '../../json/values.ts';
import { claudeTraits } from '../families/claude.ts';
import { isCall } from './calls.ts';
import { isRefused } from './media.ts';
import type { Checked, Mended, Repaired, Rule } from './types.ts';

/** A rule that only mends: others find. */
const resort = (
  name: string,
  formats: readonly string[],
  repair: (request: Checked) => Repaired | undefined,
): Rule => ({ name, formats, check: () => [], repair });

const eachMessage = (
  name: string,
  formats: readonly string[],
  change: (message: Message, index: number, request: Checked) => Message,
  said: string,
): Rule =>
  resort(name, formats, (request) => {
    const did: Mended[] = [];
    const messages = request.messages.map((message, i) => {
      const now = change(message, i, request);
      if (now !== message) did.push({ rule: name, message: i, did: said });
      return now;
    });
    return did.length > 0 ? { request: { ...request, messages }, did } : undefined;
  });

const APIS = demanding(({ maxTokens }) => maxTokens);

/** Images, sounds and files that no message of this kind may hold. */
const mediaGone = eachMessage(
  'refused-media',
  APIS,
  (message, _, request) => {
    const kept = (parts: readonly Part[]): Part[] =>
      parts
        .filter((part) => part.type !== 'media' || !isRefused(part, message.role, request))
        .map((part) => (part.type === 'tool_result' ? inResult(part) : part));
    const inResult = (part: Part & { type: 'tool_result' }): Part => {
      const inner = kept(part.parts);
      return inner.length === part.parts.length ? part : { ...part, parts: inner };
    };
    const parts = kept(message.parts);
    return parts.length === message.parts.length && parts.every((part, i) => part === message.parts[i])
      ? message
      : { ...message, parts };
  },
  'removed media that the API does not support',
);

/** The oldest go: the last ones are what is spoken of. */
const fewerImages = resort(
  'images-left',
  demanding(({ images }) => images),
  (request) => {
    let { images: left = Number.POSITIVE_INFINITY } = constraintsOf(request.format);
    const isOver = (part: Part): boolean => part.type === 'media' && part.kind === 'image' && left-- <= 0;
    const messages = request.messages
      .toReversed()
      .map((message) => {
        const parts = message.parts.toReversed().filter((part) => !isOver(part));
        return parts.length === message.parts.length ? message : { ...message, parts: parts.toReversed() };
      })
      .toReversed();
    return messages.every((message, i) => message === request.messages[i])
      ? undefined
      : {
          request: { ...request, messages },
          did: [{ rule: 'images-left', did: 'kept the last images that are allowed' }],
        };
  },
);

/** A document alone gets the text beside it that the writer gives to those of other formats. */
const besideDocument = eachMessage(
  'document-alone',
  ['bedrock'],
  (message) => {
    const alone =
      message.parts.some((part) => part.type === 'media' && part.kind === 'document') &&
      message.form?.bedrock !== 'filled' &&
      !message.parts.some(({ type }) => type === 'text');
    return alone ? { ...message, form: undefined } : message;
  },
  'wrote "See the document." beside a document alone',
);

const calling = eachMessage(
  'calls-of-user',
  ['anthropic', 'bedrock', 'gemini'],
  (message) =>
    message.role === 'user' && message.parts.every(isCall) && message.parts.length > 0
      ? { ...message, role: 'assistant' }
      : message,
  'changed the role of a message with calls to assistant',
);

/** What a model takes nowhere but in the head stays in its place, as the user's. */
const systems = eachMessage(
  'system-as-user',
  ['anthropic'],
  (message, i, { head, inHead = 0 }) =>
    i >= inHead && isSystem(message) && claudeTraits(head?.model)?.midSystem === false ? asUser(message) : message,
  'changed a system message to a user message with <system> tags',
);

const usersOwn = eachMessage(
  'system-as-user',
  ['openai'],
  (message, _, { head }) =>
    isSystem(message) && /^o1-(mini|preview)/.test(head?.model ?? '') ? { ...message, role: 'user' } : message,
  'changed a system message to a user message',
);

/** The API's own mark for words that the model is to continue. */
const prefix = resort('prefix', ['mistral'], (request) => {
  const last = request.messages.at(-1);
  const isOpen = last?.role === 'assistant' && !last.parts.some(isCall) && !last.stop && !last.by;
  if (!isOpen || request.head === undefined || last.ext?.mistral?.prefix === true) return undefined;
  const now = { ...last, ext: { ...last.ext, mistral: { ...last.ext?.mistral, prefix: true } } };
  const did = [
    { rule: 'prefix', message: request.messages.length - 1, did: 'marked the final assistant text as a prefix' },
  ];
  return { request: { ...request, messages: request.messages.with(-1, now) }, did };
});

/** What is changed in a head, each with what is said of it. */
const HEADS: readonly (readonly [said: string, change: (head: Head, request: Checked) => Head])[] = [
  ['removed an invalid limit', limited],
  [
    'took n away',
    (head) =>
      typeof head.candidates === 'number' && !isCount(head.candidates) ? { ...head, candidates: undefined } : head,
  ],
  ['kept only allowed tools, and one of each name', tooled],
  ['removed names from tool_choice that are not tools', chosen],
  ['brought the thinking budget within its limits, or switched thinking off', thinking],
  ['made parameters fit', ofOpenAI],
  ['gave the response format a name', named],
  ['made the root of a schema an object, or removed a response format', rooted],
];

const heads = resort('refused-parameters', APIS, (request) => {
  const did: Mended[] = [];
  let head = request.head;
  for (const [said, change] of HEADS) {
    const now = head && change(head, request);
    if (now !== head) did.push({ rule: 'refused-parameters', did: said });
    head = now;
  }
  return did.length > 0 ? { request: { ...request, head }, did } : undefined;
});

const isCount = (value: number): boolean => Number.isInteger(value) && value >= 1;

function limited(head: Head, { format }: Checked): Head {
  const { maxTokens } = head;
  const least = constraintsOf(format).maxTokens;
  if (typeof maxTokens !== 'number' || !least || (Number.isInteger(maxTokens) && maxTokens >= least.least)) return head;
  const raised = maxTokens > 0 ? Math.max(Math.ceil(maxTokens), least.least) : least.required ? 4096 : undefined;
  return { ...head, maxTokens: raised };
}

function tooled(head: Head, { format, messages }: Checked): Head {
  const { tools } = head;
  const { tools: most = Number.POSITIVE_INFINITY, uniqueNames } = constraintsOf(format);
  if (tools === undefined) return head;
  const seen = new Set<string>();
  const single = uniqueNames ? tools.filter(({ name }) => !seen.has(name) && seen.add(name)) : tools;
  const called = new Set(messages.flatMap(({ parts }) => parts.filter(isCall).map(({ name }) => name)));
  const isCalled = ({ name }: Tool): boolean => called.has(name);
  const kept =
    single.length <= most
      ? single
      : [...single.filter(isCalled), ...single.filter((tool) => !isCalled(tool))].slice(0, most);
  return kept.length === tools.length ? head : { ...head, tools: kept };
}

function chosen(head: Head): Head {
  const { toolChoice, tools = [] } = head;
  const names = toolChoice?.names?.filter((name) => tools.some((tool) => tool.name === name));
  if (toolChoice?.names === undefined || names?.length === toolChoice.names.length || tools.length === 0) return head;
  return { ...head, toolChoice: names && names.length > 0 ? { ...toolChoice, names } : undefined };
}

function thinking(head: Head, { format, messages }: Checked): Head {
  const { reasoning, maxTokens, model } = head;
  if (format !== 'anthropic' || reasoning === undefined) return head;
  const off = { ...head, reasoning: reasoning.effort === undefined ? undefined : { effort: reasoning.effort } };
  if (reasoning.mode === 'adaptive') return claudeTraits(model)?.adaptive === false ? off : head;
  if (reasoning.mode !== 'on') return head;
  if (isUnthought(messages)) return off;
  if (typeof reasoning.budget === 'number' && reasoning.budget >= 1024) return head;
  return typeof maxTokens === 'number' && maxTokens <= 1024
    ? off
    : { ...head, reasoning: { ...reasoning, budget: 1024 } };
}

/** A turn whose calls are answered, and that does not begin with a thought: rule `thinking-first`. */
function isUnthought(messages: readonly Message[]): boolean {
  const turn = messages.findLastIndex(({ role }) => role === 'assistant');
  const answered = messages.slice(turn + 1).some(({ parts }) => parts.some(({ type }) => type === 'tool_result'));
  if (turn < 0 || !answered) return false;
  let first = turn;
  while (messages[first - 1]?.role === 'assistant') first -= 1;
  const parts = messages.slice(first, turn + 1).flatMap((message) => message.parts);
  return parts.some(isCall) && parts[0]?.type !== 'reasoning' && parts[0]?.type !== 'native';
}

const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));

function ofOpenAI(head: Head, { format }: Checked): Head {
  if (format !== 'openai') return head;
  const { top_logprobs, logit_bias, ...rest } = head.ext?.openai ?? {};
  const top =
    typeof top_logprobs === 'number' ? { logprobs: true, top_logprobs: clamp(top_logprobs, 0, 20) } : undefined;
  const bias = isObject(logit_bias)
    ? {
        logit_bias: Object.fromEntries(
          Object.entries(logit_bias).map(([token, by]) => [token, clamp(Number(by) || 0, -100, 100)]),
        ),
      }
    : undefined;
  const ext: JsonObject = { ...rest, ...top, ...bias };
  const pairs = Object.entries(head.metadata ?? {});
  const fitting = pairs
    .filter(([key, value]) => key.length <= 64 && typeof value === 'string' && value.length <= 512)
    .slice(0, 16);
  const metadata = fitting.length === pairs.length ? head.metadata : Object.fromEntries(fitting);
  const user = typeof head.user === 'string' && head.user.length > 128 ? undefined : head.user;
  const same =
    JSON.stringify(ext) === JSON.stringify(head.ext?.openai ?? {}) && metadata === head.metadata && user === head.user;
  return same ? head : { ...head, user, metadata, ext: { ...head.ext, openai: ext } };
}

function named(head: Head, { format }: Checked): Head {
  const { responseFormat } = head;
  const good = typeof responseFormat?.name === 'string' && /^[a-zA-Z0-9_-]{1,64}$/.test(responseFormat.name);
  if (responseFormat?.type !== 'schema' || good || !constraintsOf(format).namedSchemas) return head;
  const name = (responseFormat.name ?? '').replace(/[^a-zA-Z0-9_-]+/g, '_').slice(0, 64) || 'response';
  return { ...head, responseFormat: { ...responseFormat, name } };
}

const isRooted = (schema: unknown): boolean =>
  !isObject(schema) || schema.type === undefined || schema.type === 'object';

function rooted(head: Head, { format }: Checked): Head {
  if (!constraintsOf(format).schemas?.objectRoot) return head;
  const { tools, responseFormat } = head;
  const bad = tools?.some(({ schema }) => !isRooted(schema));
  const answer = responseFormat?.type === 'schema' && !isRooted(responseFormat.schema);
  if (!bad && !answer) return head;
  const mended = tools?.map((tool) =>
    isRooted(tool.schema) ? tool : { ...tool, schema: { type: 'object', properties: {} } },
  );
  return { ...head, ...(bad && { tools: mended }), ...(answer && { responseFormat: undefined }) };
}

/** Before messages are looked at for what is empty. */
export const ofMedia: readonly Rule[] = [mediaGone, fewerImages];
/** Before calls are looked at for their results. */
export const ofRoles: readonly Rule[] = [calling];
export const lastResorts: readonly Rule[] = [besideDocument, systems, usersOwn, prefix, heads];
