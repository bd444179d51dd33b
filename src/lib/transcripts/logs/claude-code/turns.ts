// Replies that were split over lines are put together again, and every call gets its answer.
import { callsOf, type Line } from './lines.ts';
import type { Tree } from './tree.ts';

/** A log, and where to find things in it. */
export interface Log {
  readonly lines: readonly Line[];
  readonly tree: Tree;
  /** The uuids of lines that were taken back. */
  readonly gone: ReadonlySet<string>;
  /** The line that answers a call. */
  readonly answers: ReadonlyMap<string, Line>;
  /** The lines that a reply was split over, by the id of its message. */
  readonly pieces: ReadonlyMap<string, readonly Line[]>;
}

export type Turn =
  | { readonly type: 'reply'; readonly lines: readonly Line[] }
  | { readonly type: 'said'; readonly line: Line };

interface Reply {
  readonly type: 'reply';
  readonly lines: Line[];
}

/**
 * The turns of a branch. Calls that ran side by side are siblings in the tree: the way to the leaf passes one of them and its answer only. The
 * others belong to the same reply and come along.
 */
export function turnsOf(path: readonly Line[], log: Log): Turn[] {
  const turns = joined(path, log);
  const answered = onPath(path);
  const done = new Set<Line>();
  const looked = new Set<string>();
  return turns.flatMap((turn): Turn[] => {
    if (turn.type === 'said') return done.has(turn.line) ? [] : [turn];
    const lines = withSiblings(turn.lines, log, looked);
    const answers: Turn[] = [];
    for (const id of lines.flatMap(callsOf)) {
      const line = answered.get(id) ?? log.answers.get(id);
      if (line === undefined || done.has(line) || isGone(line, log)) continue;
      done.add(line);
      answers.push({ type: 'said', line });
    }
    return [{ type: 'reply', lines }, ...answers];
  });
}

/** Lines of one reply become one turn. What a person says ends it; answers and records of other kinds stand between its pieces. */
function joined(path: readonly Line[], log: Log): (Reply | Turn)[] {
  const turns: (Reply | Turn)[] = [];
  const open = new Map<string, Reply>();
  for (const line of path) {
    if (isGone(line, log) || line.value.isApiErrorMessage === true) continue;
    if (line.kind === 'user') {
      if (line.answers === undefined) open.clear();
      turns.push({ type: 'said', line });
    }
    if (line.kind !== 'assistant') continue;
    const id = line.message?.id;
    const reply = typeof id === 'string' ? open.get(id) : undefined;
    if (reply) reply.lines.push(line);
    else {
      const begun: Reply = { type: 'reply', lines: [line] };
      if (typeof id === 'string') open.set(id, begun);
      turns.push(begun);
    }
  }
  return turns;
}

const isGone = ({ uuid }: Line, { gone }: Log): boolean => uuid !== undefined && gone.has(uuid);

function onPath(path: readonly Line[]): Map<string, Line> {
  const answered = new Map<string, Line>();
  for (const line of path) for (const id of line.answers ?? []) if (!answered.has(id)) answered.set(id, line);
  return answered;
}

/** The reply with the calls of it that stand beside the branch. They are looked for once for each id. */
function withSiblings(lines: readonly Line[], log: Log, looked: Set<string>): readonly Line[] {
  const id = lines[0]?.message?.id;
  if (typeof id !== 'string' || looked.has(id)) return lines;
  looked.add(id);
  const all = log.pieces.get(id) ?? [];
  if (all.length <= lines.length) return lines;
  const on = new Set(lines);
  const calls = new Set(lines.flatMap(callsOf));
  const siblings = all.filter((line) => {
    if (on.has(line) || isGone(line, log)) return false;
    const own = callsOf(line);
    if (own.length === 0 || own.some((call) => calls.has(call))) return false;
    for (const call of own) calls.add(call);
    return true;
  });
  return siblings.length === 0 ? lines : [...lines, ...siblings].sort((a, b) => a.index - b.index);
}
