// Which conversations a log holds: the live branch, others, and the threads of sub-agents.

import type { LogOptions } from '../../../dialects/types.ts';
import { findSelected } from '../../select.ts';
import type { Line } from './lines.ts';
import type { Tree } from './tree.ts';

/** A conversation: the line that it ends with, and the sub-agent that led it. */
export interface Thread {
  readonly leaf: Line;
  readonly agent?: string;
}

/** The conversations that are asked for, the live one first. `gone` are lines that were taken back. */
export function threads(
  lines: readonly Line[],
  tree: Tree,
  gone: ReadonlySet<string>,
  { all, select }: LogOptions,
): Thread[] {
  const said = lines.filter((line) => isSaid(line) && !(line.uuid !== undefined && gone.has(line.uuid)));
  if (select !== undefined) return selected(select, lines, said, tree);
  const main = said.filter(({ side }) => side === undefined);
  const spoken = main.length > 0 ? main : said;
  const live = sessions(spoken, tree);
  if (!all) return live.map((leaf) => thread(leaf, spoken !== main));
  const taken = new Set(live.flatMap((leaf) => tree.path(leaf)));
  const ends = new Set([...leaves(spoken, tree), ...beforeCompactions(lines, spoken)]);
  const others = [...ends]
    .filter((leaf) => !live.includes(leaf) && isApart(leaf, taken, tree))
    .sort((a, b) => a.index - b.index);
  const agents = spoken === main ? agentLeaves(said, tree) : [];
  return [
    ...[...live, ...others].map((leaf) => thread(leaf, spoken !== main)),
    ...agents.map((leaf) => thread(leaf, true)),
  ];
}

const isSaid = ({ kind }: Line): boolean => kind === 'user' || kind === 'assistant';

function thread(leaf: Line, side: boolean): Thread {
  return side && leaf.side ? { leaf, agent: leaf.side } : { leaf };
}

/**
 * The last line of each session of the file, oldest session first. One that another goes on from is part of that. Every line is passed at most
 * once.
 */
function sessions(spoken: readonly Line[], tree: Tree): Line[] {
  const last = new Map<string | undefined, Line>();
  for (const line of spoken) last.set(line.session, line);
  const passed = new Set<Line>();
  const found: Line[] = [];
  for (const leaf of [...last.values()].sort((a, b) => b.index - a.index)) {
    if (!joinsPassed(leaf, tree, passed)) found.push(leaf);
  }
  return found.reverse();
}

function joinsPassed(leaf: Line, tree: Tree, passed: Set<Line>): boolean {
  const own = new Set<Line>();
  for (let line: Line | undefined = leaf; line; line = tree.parent(line, leaf)) {
    if (own.has(line)) return false;
    if (passed.has(line)) return true;
    passed.add(line);
    own.add(line);
  }
  return false;
}

/** The lines that nothing follows, in the order of the file. Other records between two messages do not part them. */
function leaves(spoken: readonly Line[], tree: Tree): Line[] {
  const followed = new Set<Line>();
  const wanted = new Set(spoken);
  const passed = new Set<Line>();
  for (const leaf of spoken.toReversed())
    for (let line = tree.parent(leaf, leaf); line && !passed.has(line); line = tree.parent(line, leaf)) {
      passed.add(line);
      if (!wanted.has(line)) continue;
      followed.add(line);
      break;
    }
  return spoken.filter((line) => !followed.has(line));
}

/** The last line before each compaction: the conversation as it was then. */
function beforeCompactions(lines: readonly Line[], spoken: readonly Line[]): Line[] {
  const wanted = new Set(spoken);
  let last: Line | undefined;
  return lines.flatMap((line) => {
    if (wanted.has(line)) last = line;
    return line.kind === 'boundary' && last ? [last] : [];
  });
}

/** Whether the way to a line holds something that the live branches do not. An answer that stands beside its branch is none. */
function isApart(leaf: Line, taken: ReadonlySet<Line>, tree: Tree): boolean {
  if (!taken.has(leaf)) return leaf.answers === undefined;
  return tree.path(leaf).some((line) => !taken.has(line));
}

/** The last line of each sub-agent. Where the log does not name them, each tree is one. */
function agentLeaves(said: readonly Line[], tree: Tree): Line[] {
  const named = new Map<string, Line>();
  for (const line of said) if (line.side) named.set(line.side, line);
  const unnamed = said.filter(({ side }) => side === '');
  return [...named.values(), ...leaves(unnamed, tree)].sort((a, b) => a.index - b.index);
}

/** The branch that holds a record, to its end; or a session, or a sub-agent's thread. */
function selected(select: string, lines: readonly Line[], said: readonly Line[], tree: Tree): Thread[] {
  const named = said.findLast(({ side, session }) => side === select || (side === undefined && session === select));
  if (named) return [thread(named, named.side !== undefined)];
  const ids = lines.map(({ rec, uuid, message }) => ({
    rec,
    ids: [uuid, typeof message?.id === 'string' ? message.id : undefined],
  }));
  const line = lines[findSelected(select, ids)];
  if (line === undefined) return [];
  return [thread(end(line, said, tree), line.side !== undefined)];
}

/**
 * The last line of the file that stands on a branch through `line`. A compaction relinks messages, so that what is known of the way to a line
 * counts only for branches that end on the same side of it.
 */
function end(line: Line, said: readonly Line[], tree: Tree): Line {
  let missed = new Set<Line>();
  let side = tree.relinking.length;
  let steps = 20 * said.length;
  for (const leaf of said.toReversed()) {
    if (leaf.index < line.index || steps < 0) break;
    const before = side;
    while (side > 0 && (tree.relinking[side - 1] as number) >= leaf.index) side -= 1;
    if (side !== before) missed = new Set();
    const way = new Set<Line>();
    for (let at: Line | undefined = leaf; at && !missed.has(at) && !way.has(at); at = tree.parent(at, leaf)) {
      if (at === line) return leaf;
      way.add(at);
      steps -= 1;
    }
    for (const each of way) missed.add(each);
  }
  return line;
}
