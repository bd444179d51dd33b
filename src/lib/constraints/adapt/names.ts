// Names of tools that the API takes, everywhere in a conversation. The old ones are kept in `_meta`, and come back with it.

import { Recent } from '../../collections/lru-map.ts';
import { HAS } from '../../conversation/message-traits.ts';
import type { FormatName, Head, Lose, Part } from '../../conversation/types.ts';
import type { Adaptation, Read } from '../../conversion/adaptation.ts';
import { renamedIn, withRenamed } from '../../dialects/codec/renamed-ids.ts';
import { headRenamed, messageRenamed } from '../../dialects/codec/tool-names.ts';
import type { Spelling } from '../../dialects/constraints.ts';
import { constraintsOf } from '../../dialects/table.ts';
import type { JsonObject } from '../../json/values.ts';
import { Renames } from './renames.ts';

/** Every tool's name as the API wants it. */
export function goodNames(to: FormatName): Adaptation {
  return new Names(to, constraintsOf(to).names);
}

class Names implements Adaptation {
  readonly #to: FormatName;
  readonly #inResults: boolean;
  readonly #spelling: Spelling | undefined;
  readonly #renames: Renames | undefined;
  /** Old names by the new ones that an earlier conversion gave. */
  readonly #old = new Recent<string>();
  /** Old names that are good here, since they came from here. */
  readonly #home = new Recent<true>();
  readonly #good = new Recent<true>();
  readonly appliesTo = HAS.calls | HAS.results | HAS.meta;

  constructor(to: FormatName, spelling: Spelling | undefined) {
    this.#to = to;
    this.#inResults = constraintsOf(to).namesInResults === true;
    this.#spelling = spelling;
    this.#renames = spelling && new Renames(spelling);
  }

  head(head: Head, lose: Lose, from: FormatName): Head {
    this.#learn(head.meta, from);
    const given = new Map<string, string>();
    const now = headRenamed(head, (name) => this.#name(name, given, lose));
    return now === head ? head : { ...now, meta: withRenamed(head.meta, 'names', from, given) };
  }

  read(read: Read, lose: Lose): Read {
    const { message, from } = read;
    if (this.#old.isEmpty && message.meta === undefined && message.parts.every((part) => this.#isGood(part)))
      return read;
    this.#learn(message.meta, from);
    const given = new Map<string, string>();
    const now = messageRenamed(message, (name, part) =>
      part.type === 'tool_result' && !this.#inResults ? name : this.#name(name, given, lose),
    );
    if (now === message) return read;
    return { ...read, message: { ...now, meta: withRenamed(message.meta, 'names', from, given) } };
  }

  /** Whether nothing of it is to be renamed, as far as can be told without the others. */
  #isGood(part: Part): boolean {
    if (part.type !== 'tool_call' && !(part.type === 'tool_result' && this.#inResults)) return true;
    return part.name === undefined || this.#isGoodName(part.name);
  }

  #isGoodName(name: string): boolean {
    if (this.#good.has(name)) return true;
    const good = this.#renames === undefined || this.#renames.of(name) === name;
    if (good) this.#good.set(name, true);
    return good;
  }

  #name(name: string, given: Map<string, string>, lose: Lose): string {
    const old = this.#old.get(name) ?? name;
    const now = this.#home.has(old) ? old : (this.#renames?.of(old) ?? old);
    if (now === old) return now;
    if (!given.has(now)) lose(`tool name ${old}`, this.#why(old), 'renamed');
    given.set(now, old);
    return now;
  }

  #why(old: string): string {
    const { pattern, most, words } = this.#spelling as Spelling;
    if (!pattern.test(old)) return `it must be ${words} (the old one is in _meta.renamed)`;
    return `${old.length > most ? `it may have ${most} characters` : 'another has it'} (the old one is in _meta.renamed)`;
  }

  #learn(meta: JsonObject | undefined, from: FormatName): void {
    if (from === this.#to) return;
    const { of, old } = renamedIn(meta, 'names');
    for (const [name, before] of old) {
      this.#old.set(name, before);
      if (of === this.#to) this.#home.set(before, true);
    }
  }
}
