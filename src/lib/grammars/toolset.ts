// The tools of a conversation, as calls name them.

import type { Tool } from '../conversation/types.ts';
import type { Json } from '../json/values.ts';

/** What became of a name: the tool's own, and whether the text spelled it otherwise. */
interface Resolved {
  readonly name: string;
  readonly tool?: Tool;
  readonly mended: boolean;
}

/** Names that every object has: never a tool that nobody declared. */
const INHERITED = new Set(Object.getOwnPropertyNames(Object.prototype));

/** Longer names are none. */
const LONGEST = 512;

/** What stands for a name in a description of a format: `$FUNCTION_NAME`, `<name>`, `{{name}}`. */
const PLACEHOLDER = /^[$<{%]/;

/** What some formats and gateways put before a name. */
const PREFIX = /^(?:functions?|tools?|default_api|multi_tool_use|assistant to=functions|to=functions)[.:/]/;

export class Toolset {
  /** Whether the conversation says which tools there are. */
  readonly known: boolean;
  readonly #byName: Map<string, Tool>;
  /** The name that was asked for last: readers ask one after another. */
  #last: { readonly spoken: string; readonly found: Resolved | undefined } | undefined;
  #byLetters: Map<string, Tool | undefined> | undefined;

  constructor(tools: readonly Tool[] | undefined) {
    this.known = tools !== undefined;
    this.#byName = new Map(tools?.map((tool) => [tool.name, tool]));
  }

  get names(): Iterable<string> {
    return this.#byName.keys();
  }

  get size(): number {
    return this.#byName.size;
  }

  has(name: string): boolean {
    return this.#byName.has(name);
  }

  /** JSON Schema of a tool's input. */
  schema(name: string): Json | undefined {
    return this.#byName.get(name)?.schema;
  }

  /**
   * The tool that a name means: the name itself, without what formats put around it, in another case, or with other separators. A name that
   * fits no tool comes back as it is. undefined: it can be no tool's name.
   */
  resolve(spoken: string): Resolved | undefined {
    const tool = this.#byName.get(spoken);
    if (tool) return { name: spoken, tool, mended: false };
    if (spoken.length > LONGEST) return undefined;
    if (this.#last?.spoken !== spoken) this.#last = { spoken, found: this.#resolve(spoken) };
    return this.#last.found;
  }

  #resolve(spoken: string): Resolved | undefined {
    const trimmed = spoken.trim();
    if (trimmed === '' || INHERITED.has(trimmed)) return undefined;
    for (const name of [trimmed, ...spellings(trimmed)]) {
      const found = this.#byName.get(name) ?? this.#like(name);
      if (found) return { name: found.name, tool: found, mended: true };
    }
    return PLACEHOLDER.test(trimmed) ? undefined : { name: trimmed, mended: false };
  }

  /** The only tool with the same letters and digits. */
  #like(name: string): Tool | undefined {
    this.#byLetters ??= index(this.#byName.values());
    return this.#byLetters.get(letters(name));
  }

  /** The tool whose name `text` begins with, longest first. */
  startOf(text: string): string | undefined {
    let best: string | undefined;
    for (const name of this.#byName.keys()) if (text.startsWith(name) && name.length > (best?.length ?? 0)) best = name;
    return best;
  }

  /** The only tool whose schema has all of these keys. */
  byKeys(keys: readonly string[]): string | undefined {
    const fitting = [...this.#byName.values()].filter((tool) =>
      keys.every((key) => Object.hasOwn(properties(tool), key)),
    );
    return fitting.length === 1 && keys.length > 0 ? fitting[0]?.name : undefined;
  }
}

function properties(tool: Tool): object {
  const found = (tool.schema as { properties?: unknown } | undefined)?.properties;
  return typeof found === 'object' && found !== null ? found : {};
}

function spellings(name: string): string[] {
  const bare = name
    .replace(/<\|[^|>]*\|>(?:commentary|analysis)?/g, '')
    .replace(/^["'`]+|["'`]+$/g, '')
    .trim();
  const inner = bare.replace(PREFIX, '');
  const unnumbered = inner.replace(/[:.]\d+$/, '');
  return [...new Set([bare, inner, unnumbered])].filter((spelling) => spelling !== '' && spelling !== name);
}

const letters = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '_');

/** Tools by their letters; undefined where two tools share them. */
function index(tools: Iterable<Tool>): Map<string, Tool | undefined> {
  const found = new Map<string, Tool | undefined>();
  for (const tool of tools) found.set(letters(tool.name), found.has(letters(tool.name)) ? undefined : tool);
  return found;
}
