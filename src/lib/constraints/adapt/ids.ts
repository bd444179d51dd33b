// Ids of calls that the API takes. The old ones are kept in `_meta`, and come back with the conversation.

import { Recent } from '../../collections/lru-map.ts';
import { HAS } from '../../conversation/message-traits.ts';
import { isFamily } from '../../conversation/model-name.ts';
import type { FormatName, Lose, Part } from '../../conversation/types.ts';
import type { Adaptation, Read } from '../../conversion/adaptation.ts';
import { renamedIn, withRenamed } from '../../dialects/codec/renamed-ids.ts';
import type { Spelling } from '../../dialects/constraints.ts';
import { constraintsOf } from '../../dialects/table.ts';
import type { JsonObject } from '../../json/values.ts';
import { Renames } from './renames.ts';

/** How ids are spelled for a model behind an API. OpenAI's own bound is not that of the servers that speak its dialect. */
export function idSpelling(to: FormatName, model: string | undefined): Spelling | undefined {
  const { ids, otherServers } = constraintsOf(to);
  return otherServers && ids && !isFamily(model, 'gpt') ? { ...ids, most: otherServers.idLength } : ids;
}

/** Every id as the API wants it. An id that comes again after it was answered gets another where ids must be unique. */
export function goodIds(to: FormatName, model?: string): Adaptation {
  const state = new Ids(to, idSpelling(to, model) ?? ANY);
  return {
    head: (head) => head,
    appliesTo: HAS.calls | HAS.results,
    read: (read, lose) => state.read(read, lose),
  };
}

const ANY: Spelling = { pattern: /^/, most: Number.POSITIVE_INFINITY, words: 'any characters' };

/** More calls without an id than any real turn has: beyond that the oldest are forgotten. */
const MOST = 10_000;

type WithId =
  | { readonly type: 'tool_call'; readonly id: string }
  | { readonly type: 'tool_result'; readonly callId: string };

const idOf = (part: WithId): string => (part.type === 'tool_call' ? part.id : part.callId);

const hasId = (part: Part): part is Part & WithId =>
  (part.type === 'tool_call' || part.type === 'tool_result') && !('by' in part && part.by === 'provider');

class Ids {
  readonly #to: FormatName;
  readonly #renames: Renames;
  readonly #unique: boolean;
  readonly #spelling: Spelling;
  /** Calls without an id wait for their results in order. */
  readonly #nameless: string[] = [];
  #count = 0;
  /** Old ids by the new ones that an earlier conversion gave. */
  readonly #old = new Recent<string>();
  /** Old ids that are good here, since they came from here. */
  readonly #home = new Recent<true>();

  constructor(to: FormatName, spelling: Spelling) {
    this.#to = to;
    this.#spelling = spelling;
    this.#unique = constraintsOf(to).uniqueIds === true;
    this.#renames = new Renames(spelling);
  }

  read(read: Read, lose: Lose): Read {
    const { message } = read;
    const renamed = this.#renamed(message.parts, message.meta, read.from, lose);
    if (renamed === undefined) return read;
    const meta = withRenamed(message.meta, 'ids', read.from, new Map(renamed.given));
    return { ...read, message: { ...message, parts: renamed.parts, meta } };
  }

  /** undefined where all ids stay. */
  #renamed(
    parts: readonly Part[],
    meta: JsonObject | undefined,
    from: FormatName,
    lose: Lose,
  ): { readonly parts: readonly Part[]; readonly given: [now: string, old: string][] } | undefined {
    let changed: Part[] | undefined;
    const given: [now: string, old: string][] = [];
    let learned = meta === undefined;
    for (let i = 0; i < parts.length; i += 1) {
      const part = parts[i] as Part;
      if (!hasId(part)) continue;
      if (!learned) this.#learn(meta, from);
      learned = true;
      const id = idOf(part);
      const old = this.#old.isEmpty ? id : (this.#old.get(id) ?? id);
      const name = part.type === 'tool_call' ? this.#call(old) : this.#result(old);
      if (name !== old) {
        lose('tool call id', old === '' ? 'a call needs one' : this.#why(old), 'renamed');
        given.push([name, old]);
      }
      if (name === id) continue;
      changed ??= [...parts];
      changed[i] = part.type === 'tool_call' ? { ...part, id: name } : { ...part, callId: name };
    }
    return changed && { parts: changed, given };
  }

  /** Results follow their calls, which bring the old ids along. */
  #learn(meta: JsonObject | undefined, from: FormatName): void {
    const { of, old } = renamedIn(meta, 'ids');
    if (from === this.#to) return;
    for (const [name, id] of old) {
      this.#old.set(name, id);
      if (of === this.#to) this.#home.set(id, true);
    }
  }

  #why(old: string): string {
    const { most, words, pattern } = this.#spelling;
    if (!pattern.test(old)) return `it must be ${words} (the old one is in _meta.renamed)`;
    if (old.length > most) return `at most ${most} characters are allowed (the old one is in _meta.renamed)`;
    return 'it must be unique (the old one is in _meta.renamed)';
  }

  #call(old: string): string {
    if (!this.#home.isEmpty && this.#home.has(old)) return old;
    if (old === '') {
      this.#count += 1;
      const name = this.#renames.of(`call_${this.#count}`);
      this.#nameless.push(name);
      if (this.#nameless.length > MOST) this.#nameless.shift();
      return name;
    }
    return this.#unique ? this.#renames.next(old) : this.#renames.of(old);
  }

  #result(old: string): string {
    if (!this.#home.isEmpty && this.#home.has(old)) return old;
    if (old === '') return this.#nameless.shift() ?? old;
    return this.#unique ? this.#renames.close(old) : this.#renames.of(old);
  }
}
