// The tree that the lines of a log make, and the way from a line to its root.
import { isObject, type JsonObject } from '../../../json/values.ts';
import type { Line } from './lines.ts';

interface Relinked {
  /** The boundary that keeps a message: it counts for branches that end behind it. */
  readonly from: number;
  readonly parent: Line;
}

/**
 * Messages point to their parent. A compaction begins a new tree: its boundary, the summary, then the messages that were kept word for word, which
 * stay where they are in the file and are only listed in the boundary.
 */
export class Tree {
  readonly #byUuid = new Map<string, Line>();
  readonly #relinked = new Map<Line, Relinked[]>();
  /** The places of the boundaries that relink messages, in order. */
  readonly relinking: number[] = [];
  /** For each line the last one of its thread before it. */
  readonly #before = new Map<Line, Line>();
  /** The sessions whose messages say what they follow. */
  readonly #linked = new Set<string | undefined>();
  /** Steps that may be spent on looking for kept messages: a file that names them badly must not cost more than its length. */
  #steps: number;

  constructor(lines: readonly Line[]) {
    this.#steps = 4 * lines.length;
    const last = new Map<string, Line>();
    for (const line of lines) {
      if (line.uuid !== undefined) this.#byUuid.set(line.uuid, line);
      if (line.kind === 'other') continue;
      const thread = `${line.side ?? MAIN}\0${line.session}`;
      const before = last.get(thread);
      if (before) this.#before.set(line, before);
      last.set(thread, line);
    }
    for (const { parent, kind, session } of lines)
      if (typeof parent === 'string' && kind !== 'other') this.#linked.add(session);
    for (const line of lines) if (line.kind === 'boundary') this.#keep(line, lines);
  }

  line(uuid: string): Line | undefined {
    return this.#byUuid.get(uuid);
  }

  /** The lines from the root to `leaf`. Linear: a line is on the way once, even if the links go in a circle. */
  path(leaf: Line): Line[] {
    const path: Line[] = [];
    const seen = new Set<Line>();
    for (let line: Line | undefined = leaf; line && !seen.has(line); line = this.parent(line, leaf)) {
      seen.add(line);
      path.push(line);
    }
    return path.reverse();
  }

  /** The parent of a line, on a branch that ends with `leaf`. */
  parent(line: Line, leaf: Line): Line | undefined {
    const kept = this.#relinked.get(line)?.findLast(({ from }) => from < leaf.index);
    if (kept) return kept.parent;
    if (line.kind === 'boundary') return undefined;
    // Sessions without any link are in order: old ones, and the output of `claude -p`.
    if (!this.#linked.has(line.session)) return this.#before.get(line);
    if (typeof line.parent === 'string') {
      const parent = this.#byUuid.get(line.parent);
      if (parent && parent !== line) return parent;
      return this.#before.get(line);
    }
    // A prompt begins a tree. What answers something cannot, nor can a line that does not say.
    const answers = line.kind === 'assistant' || line.answers !== undefined;
    const begins = line.parent === null && !answers;
    return begins || line.kind === 'other' ? undefined : this.#before.get(line);
  }

  /** Hangs the messages that a compaction kept behind its summary. */
  #keep(boundary: Line, lines: readonly Line[]): void {
    const { compactMetadata, compact_metadata } = boundary.value;
    const about = isObject(compactMetadata) ? compactMetadata : isObject(compact_metadata) ? compact_metadata : {};
    const kept = this.#kept(about);
    const anchor = this.#anchor(about);
    const tail = kept.at(-1);
    if (anchor === undefined || tail === undefined) return;
    this.relinking.push(boundary.index);
    kept.forEach((line, i) => this.#relink(line, boundary.index, kept[i - 1] ?? anchor));
    const set = new Set(kept);
    for (let i = boundary.index + 1; i < lines.length; i++) {
      const line = lines[i] as Line;
      if (line.kind === 'boundary') break;
      if (line.parent === anchor.uuid && !set.has(line)) this.#relink(line, boundary.index, tail);
    }
  }

  #relink(line: Line, from: number, parent: Line): void {
    const list = this.#relinked.get(line);
    if (list) list.push({ from, parent });
    else this.#relinked.set(line, [{ from, parent }]);
  }

  #anchor({ preservedMessages, preserved_messages, preservedSegment }: JsonObject): Line | undefined {
    for (const part of [preservedMessages, preserved_messages, preservedSegment]) {
      const uuid = isObject(part) ? (part.anchorUuid ?? part.anchor_uuid) : undefined;
      if (typeof uuid === 'string') return this.#byUuid.get(uuid);
    }
    return undefined;
  }

  /** The kept messages: a list, or all from a tail up to a head. */
  #kept({ preservedMessages, preserved_messages, preservedSegment }: JsonObject): Line[] {
    for (const part of [preservedMessages, preserved_messages]) {
      if (!isObject(part) || !Array.isArray(part.uuids)) continue;
      return part.uuids.flatMap((uuid) => (typeof uuid === 'string' ? (this.#byUuid.get(uuid) ?? []) : []));
    }
    const { headUuid, tailUuid } = isObject(preservedSegment) ? preservedSegment : {};
    const head = typeof headUuid === 'string' ? this.#byUuid.get(headUuid) : undefined;
    const tail = typeof tailUuid === 'string' ? this.#byUuid.get(tailUuid) : undefined;
    if (!head || !tail) return [];
    const kept: Line[] = [];
    for (let line: Line | undefined = tail; line && this.#steps > 0; line = this.parent(line, tail)) {
      this.#steps -= 1;
      if (line.kind !== 'other') kept.push(line);
      if (line === head) return kept.reverse();
    }
    return [];
  }
}

/** The name of the main thread; no sub-agent is called so. */
const MAIN = '\0';
