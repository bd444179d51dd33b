// Where breakpoints of the prompt cache may stand, and how many.
// https://platform.claude.com/docs/en/build-with-claude/prompt-caching, https://github.com/BerriAI/litellm/issues/16062

import type { Cache, Head, Message, Part } from '../../conversation/types.ts';
import { isObject } from '../../json/values.ts';
import type { Checked, Finding, Rule } from './types.ts';

const MOST = 4;

type Marked = {
  readonly cache?: Cache;
  readonly ext?: { readonly [format: string]: { readonly [field: string]: unknown } };
};

/** A breakpoint that the view knows, or one with more to say. */
const isMarked = (value: Marked): boolean => value.cache !== undefined || isObject(value.ext?.anthropic?.cache_control);

/** All breakpoints in the order of the prompt: tools, then messages with what stands in their results. */
function marksIn({ head, messages }: Checked): { at?: number; cache?: Cache }[] {
  const tools = (head?.tools ?? []).filter(isMarked).map(({ cache }) => ({ cache }));
  const parts = (part: Part, at: number): { at: number; cache?: Cache }[] => [
    ...(part.type === 'tool_result' ? part.parts.flatMap((inner) => parts(inner, at)) : []),
    ...(part.type !== 'native' && isMarked(part) ? [{ at, cache: part.cache }] : []),
  ];
  return [...tools, ...messages.flatMap((message, at) => message.parts.flatMap((part) => parts(part, at)))];
}

const tooMany: Rule = {
  name: 'cache-breakpoints',
  formats: ['anthropic'],
  check(request): Finding[] {
    const marks = marksIn(request);
    if (marks.length <= MOST) return [];
    const what = `there are ${marks.length} cache breakpoints, but at most ${MOST} are allowed`;
    return [{ rule: 'cache-breakpoints', message: marks[MOST]?.at, what, mend: `keep the last ${MOST}` }];
  },
  repair(request) {
    const marks = marksIn(request);
    if (marks.length <= MOST) return undefined;
    const spare = new Spare(marks.length - MOST);
    const head = request.head && spare.head(request.head);
    const messages = request.messages.map((message) => spare.message(message));
    const did = [{ rule: 'cache-breakpoints', did: `kept the last ${MOST} of ${marks.length} breakpoints` }];
    return { request: { ...request, head, messages }, did };
  },
};

/** Takes the first breakpoints away, as many as there are too many. */
class Spare {
  #left: number;

  constructor(count: number) {
    this.#left = count;
  }

  head(head: Head): Head {
    return this.#left === 0 ? head : { ...head, tools: head.tools?.map((tool) => this.#without(tool)) };
  }

  message(message: Message): Message {
    if (this.#left === 0) return message;
    const parts = message.parts.map((part) => this.#part(part));
    return parts.every((part, i) => part === message.parts[i]) ? message : { ...message, parts };
  }

  #part(part: Part): Part {
    if (part.type === 'native') return part;
    if (part.type !== 'tool_result') return this.#without(part);
    const parts = part.parts.map((inner) => this.#part(inner));
    return this.#without(parts.every((inner, i) => inner === part.parts[i]) ? part : { ...part, parts });
  }

  #without<T extends Marked>(value: T): T {
    if (this.#left === 0 || !isMarked(value)) return value;
    this.#left -= 1;
    return unmarked(value);
  }
}

function unmarked<T extends Marked>(value: T): T {
  const { cache_control: _, ...kept } = value.ext?.anthropic ?? {};
  return { ...value, cache: undefined, ext: value.ext && { ...value.ext, anthropic: kept } };
}

/** `cache_control cannot be set for thinking blocks`, `… for empty text blocks`, `… for tools with defer_loading`. */
const forbidden: Rule = {
  name: 'cache-place',
  formats: ['anthropic'],
  check({ head, messages }): Finding[] {
    const about = { rule: 'cache-place', mend: 'remove it' };
    const tools = (head?.tools ?? []).filter((tool) => isMarked(tool) && tool.ext?.anthropic?.defer_loading === true);
    return [
      ...tools.map((tool) => ({ ...about, what: `the deferred tool "${tool.name}" has a cache breakpoint` })),
      ...messages.flatMap((message, i) =>
        message.parts
          .filter(isForbidden)
          .map((part) => ({ ...about, message: i, what: `a ${wordFor(part)} has a cache breakpoint` })),
      ),
    ];
  },
  repair(request) {
    const found = forbidden.check(request);
    if (found.length === 0) return undefined;
    const messages = request.messages.map((message) =>
      message.parts.some(isForbidden)
        ? {
            ...message,
            parts: message.parts.map((part) => (isForbidden(part) && part.type !== 'native' ? unmarked(part) : part)),
          }
        : message,
    );
    const isDeferred = (tool: Marked): boolean => isMarked(tool) && tool.ext?.anthropic?.defer_loading === true;
    const tools = request.head?.tools?.map((tool) => (isDeferred(tool) ? unmarked(tool) : tool));
    const did = found.map(({ message, what }) => ({
      rule: 'cache-place',
      message,
      did: `took a breakpoint away: ${what}`,
    }));
    return { request: { ...request, head: request.head && { ...request.head, tools }, messages }, did };
  },
};

const isForbidden = (part: Part): boolean =>
  part.type !== 'native' && isMarked(part) && (part.type === 'reasoning' || (part.type === 'text' && part.text === ''));

const wordFor = (part: Part): string => (part.type === 'reasoning' ? 'thought' : 'blank text');

/** `a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block` */
const longerFirst: Rule = {
  name: 'cache-ttl',
  formats: ['anthropic'],
  check(request): Finding[] {
    const marks = marksIn(request);
    const short = marks.findIndex(({ cache }) => cache !== undefined && cache.ttl !== '1h');
    const late = short < 0 ? -1 : marks.findIndex(({ cache }, i) => i > short && cache?.ttl === '1h');
    if (late < 0) return [];
    return [
      {
        rule: 'cache-ttl',
        message: marks[late]?.at,
        what: 'a one-hour cache breakpoint follows a shorter one',
        mend: 'put the longer ones first',
      },
    ];
  },
  /** The prompt's own breakpoints become short ones: those behind a shorter one may not last longer. */
  repair(request) {
    if (longerFirst.check(request).length === 0) return undefined;
    const did = [{ rule: 'cache-ttl', did: 'changed every cache breakpoint to the short lifetime' }];
    const short = <T extends { readonly cache?: Cache }>(part: T): T =>
      part.cache?.ttl === '1h' ? { ...part, cache: {} } : part;
    const head = request.head && { ...request.head, tools: request.head.tools?.map(short) };
    const messages = request.messages.map((message) => ({
      ...message,
      parts: message.parts.map((part) => (part.type === 'native' ? part : short(part))),
    }));
    return { request: { ...request, head, messages }, did };
  },
};

export const cache: readonly Rule[] = [forbidden, tooMany, longerFirst];
