// Names of tools that the API takes, everywhere in a conversation. The old ones are kept under `_meta.names`, and come back with it.
import { type Adaptation, eachMessage } from '../formats/adapt.ts';
import { isObject, type JsonObject } from '../ir/json.ts';
import type { FormatName, Head, Lose, Message } from '../ir/types.ts';
import { LIMITS, type Spelling } from './limits.ts';
import { Renames } from './renames.ts';
import { headRenamed, messageRenamed } from './tool-names.ts';

/** Every tool's name as the API wants it. */
export function goodNames(to: FormatName): Adaptation {
  const state = new Names(LIMITS[to]?.names);
  return eachMessage(
    (head, lose) => state.head(head, lose),
    (message, lose) => state.message(message, lose),
  );
}

class Names {
  readonly #spelling: Spelling | undefined;
  readonly #renames: Renames | undefined;
  /** Old names by the new ones that an earlier conversion gave. */
  readonly #old = new Map<string, string>();

  constructor(spelling: Spelling | undefined) {
    this.#spelling = spelling;
    this.#renames = spelling && new Renames(spelling);
  }

  head(head: Head, lose: Lose): Head {
    const { renamed, given, meta } = this.#rename(head.meta, lose);
    return withMap(headRenamed(head, renamed), meta, given);
  }

  message(message: Message, lose: Lose): Message {
    if (!message.parts.some(({ type }) => type === 'tool_call' || type === 'tool_result')) return message;
    const { renamed, given, meta } = this.#rename(message.meta, lose);
    return withMap(messageRenamed(message, renamed), meta, given);
  }

  #rename(meta: JsonObject | undefined, lose: Lose) {
    const learned = this.#learn(meta);
    const given = new Map<string, string>();
    const renamed = (name: string): string => {
      const old = this.#old.get(name) ?? name;
      const now = this.#renames?.of(old) ?? old;
      if (now === old) return now;
      if (!given.has(now)) lose(`tool name ${old}`, this.#why(old), 'renamed');
      given.set(now, old);
      return now;
    };
    return { renamed, given, meta: learned };
  }

  #why(old: string): string {
    const { pattern, most, words } = this.#spelling as Spelling;
    if (!pattern.test(old)) return `it must be ${words} (the old one is in _meta.names)`;
    return `${old.length > most ? `it may have ${most} characters` : 'another has it'} (the old one is in _meta.names)`;
  }

  #learn(meta: JsonObject | undefined): JsonObject | undefined {
    const { names, ...rest } = meta ?? {};
    if (!isObject(names)) return meta;
    for (const [name, old] of Object.entries(names)) if (typeof old === 'string') this.#old.set(name, old);
    return Object.keys(rest).length > 0 ? rest : undefined;
  }
}

/** The head or message with its map, where there is one. The same object where nothing changed. */
function withMap<T extends { readonly meta?: JsonObject }>(
  value: T,
  meta: JsonObject | undefined,
  given: Map<string, string>,
): T {
  if (given.size > 0) return { ...value, meta: { ...meta, names: Object.fromEntries(given) } };
  return value.meta === meta ? value : { ...value, meta };
}
