// The frontier: what is newer stays as it is, what is older is trimmed or dropped. It is chosen so that it stands still for a while, and so
// that a larger budget never keeps less.
import type { Layout } from './layout.ts';
import { digestRoom, type Room, shareOut } from './room.ts';

export interface Frontier {
  /** In eighths of an entry: entries from `position / 8` on are whole; of one in whose middle it is, only a part of its results stays. */
  readonly position: number;
  /** What the conversation takes with it at most, up to the end that it was found for. Tokens. */
  readonly size: number;
  /** Where the conversation was when it had to move here: all that is decided depends on what came before. An entry's index. */
  readonly since: number;
  /** What a digest may take at most. Tokens. */
  readonly digest: number;
}

export const EIGHTHS = 8;

/** How far below the limit a frontier may stay, so that it need not move with every message. Share of the limit. */
const SLACK = 0.045;
/** The same where a budget is filled up. */
const TIGHT = 0.01;

/** Results smaller than this are not cut in eighths. Tokens. */
const LARGE = 800;

/** The best frontier for the entries before `end` in `limit` tokens, `digest` of them at most for a digest; undefined if none fits. */
export function findFrontier(layout: Layout, end: number, limit: number, digest?: number): Frontier | undefined {
  const cap = digest ?? Number.POSITIVE_INFINITY;
  const least = limit * (1 - (digest === undefined ? SLACK : TIGHT));
  return find(layout, end, limit, least, least, cap) ?? find(layout, end, limit, 0, least, cap);
}

/** `skipped`: sizes below this are not looked at, in the hope that a larger one fits. */
function find(
  layout: Layout,
  end: number,
  limit: number,
  skipped: number,
  least: number,
  digest: number,
): Frontier | undefined {
  let best: { position: number; size: number } | undefined;
  let next = Number.POSITIVE_INFINITY;
  for (const candidate of candidates(layout, end, limit, skipped, digest)) {
    if (candidate.size > limit) {
      next = candidate.size;
      break;
    }
    if (best === undefined || best.size < least || roundness(candidate.position) > roundness(best.position))
      best = candidate;
  }
  return best && { ...best, digest, since: sinceWhen(layout, end, best, next, least, limit) };
}

/** The number of times that 2 divides a position: of the positions in an interval exactly one is the roundest, and it stays the longest. */
const roundness = (position: number): number => (position === 0 ? 64 : 31 - Math.clz32(position & -position));

/** The earliest end at which this frontier would have been chosen: it had come within the slack, or the next older one no longer fitted. */
function sinceWhen(
  layout: Layout,
  end: number,
  best: { position: number; size: number },
  next: number,
  least: number,
  limit: number,
): number {
  const first = Math.ceil(best.position / EIGHTHS) + 1;
  let since = end;
  for (let over = 0; since > first; since--) {
    over += layout.tokens(since - 1);
    if (best.size - over < least && next - over <= limit) break;
  }
  return since;
}

interface Candidate {
  readonly position: number;
  readonly size: number;
}

/** Frontiers from the newest to the oldest, each with the size of what it leaves: sizes only grow. */
function* candidates(
  layout: Layout,
  end: number,
  limit: number,
  skipped: number,
  digest: number,
): Generator<Candidate> {
  const { policy } = layout;
  const pinned = layout.head + layout.pinnedTokens(end);
  const walk = new Walk(layout, end, pinned, shareOut(limit - pinned, digest));
  const trims = policy.trims.length > 0;
  const clips = policy.trims.some(({ name }) => name === 'clip');
  walk.skipTo(skipped);
  for (;;) {
    const { at } = walk;
    if (layout.stepStart(at) === at || at === end || trims) yield { position: at * EIGHTHS, size: walk.size() };
    if (at === 0) return;
    walk.back();
    if (clips && isLarge(layout, walk.at))
      for (let eighth = EIGHTHS - 1; eighth > 0; eighth--)
        yield { position: walk.at * EIGHTHS + eighth, size: walk.size() - (layout.tokens(walk.at) * eighth) / EIGHTHS };
  }
}

/** Whether an entry is mostly results, and large enough to be cut. */
function isLarge(layout: Layout, at: number): boolean {
  if (layout.tokens(at) < LARGE || !layout.message(at)?.parts.some((part) => part.type === 'tool_result')) return false;
  return (
    layout
      .message(at)
      ?.parts.every(
        (part) =>
          part.type === 'tool_result' && layout.policy.rule(layout.call(at, part.callId)?.name ?? '') !== 'keep',
      ) ?? false
  );
}

/** A frontier on its way from the end to the beginning, with running sums of what is whole and what is trimmed. */
class Walk {
  at: number;
  readonly #layout: Layout;
  readonly #pinned: number;
  readonly #room: Room;
  /** The first entry of the trimmed ones. */
  #from: number;
  #whole: number;
  #trimmed = 0;
  /** Entries from here to the frontier are trimmed whatever they take: the step that it is in the middle of, and the last one. */
  #must: number;
  /** What the others take of the room. */
  #counted = 0;
  readonly #lastWork: number;

  constructor(layout: Layout, end: number, pinned: number, room: Room) {
    this.#layout = layout;
    this.#pinned = pinned;
    this.#room = {
      ...room,
      trimmed: layout.policy.window ? (layout.policy.trims.length > 0 ? room.trimmed : 0) : Number.POSITIVE_INFINITY,
    };
    this.at = Math.min(layout.openFrom(end), layout.keptFrom(end));
    this.#whole = 0;
    for (let at = this.at; at < end; at++) this.#whole += layout.tokens(at);
    const last = layout.lastStep(end);
    this.#lastWork = last?.kind === 'work' ? last.from : end;
    this.#from = this.at;
    this.#must = this.at;
  }

  /** Goes back to where the size may first be `least`: what is newer is too small, and need not be trimmed to know it. */
  skipTo(least: number): void {
    const { trimmed, digest, requests } = this.#room;
    const most = this.#pinned + trimmed + digest + requests;
    while (this.at > 0 && most + this.#whole + this.#layout.tokens(this.at - 1) < least) {
      this.at -= 1;
      this.#whole += this.#layout.tokens(this.at);
    }
    this.#from = this.at;
    this.#must = this.at;
    this.#extend();
  }

  /** One entry further back: it is whole now. */
  back(): void {
    this.at -= 1;
    this.#whole += this.#layout.tokens(this.at);
    if (this.#from > this.at) this.#from = this.at;
    else this.#trimmed -= this.#reduced(this.at);
    this.#extend();
  }

  size(): number {
    const { sizes, policy } = this.#layout;
    const from = this.#from;
    const ask = from > 0 ? this.#layout.lastAsk(from) : undefined;
    const asked = ask && ask.from < from && !this.#layout.isPinned(ask.from) ? sizes.sum(ask.from, ask.to) : 0;
    const lost = Math.max(0, sizes.charsBefore(this.at) - 4 * this.#trimmed);
    const digest = policy.digest ? digestRoom(this.#room, lost, this.#said(from)).tokens : 0;
    return this.#pinned + this.#whole + this.#trimmed + asked + digest;
  }

  #extend(): void {
    const must = Math.min(this.#must, this.#layout.stepStart(this.at), this.#lastWork);
    for (let at = this.#must - 1; at >= Math.max(must, this.#from); at--) this.#counted -= this.#reduced(at);
    this.#must = must;
    while (this.#from > 0) {
      const more = this.#reduced(this.#from - 1);
      const counts = this.#from <= must;
      if (counts && this.#counted + more > this.#room.trimmed) return;
      this.#from -= 1;
      this.#trimmed += more;
      if (counts) this.#counted += more;
    }
  }

  #reduced(at: number): number {
    return this.#layout.isPinned(at) ? 0 : this.#layout.trimmed(at, true).tokens;
  }

  #said(before: number): number {
    return this.#layout.saidBefore(before);
  }
}
