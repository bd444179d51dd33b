// The recovery of one conversation: loaded when its first text is met that can hold a call.

import type { Delta } from '../../lib/conversation/delta.ts';
import type { Tool } from '../../lib/conversation/types.ts';
import type { Format, Kind } from '../../lib/dialects/types.ts';
import { EXIT, Failure, placeOf } from '../../lib/failure/failure.ts';
import { GRAMMARS } from '../../lib/grammars/table.ts';
import { Toolset } from '../../lib/grammars/toolset.ts';
import type { Rec } from '../../lib/json/record.ts';
import { isObject, type Json, type JsonObject } from '../../lib/json/values.ts';
import { nearest } from '../../lib/text/nearest.ts';
import { DeltaStream } from './delta-stream.ts';
import { explanations } from './explain.ts';
import { History } from './history.ts';
import { CallIds } from './ids.ts';
import { MessageRecovery } from './message.ts';
import type { TextRules } from './text.ts';
import { plainTool, readTools } from './tools-file.ts';

export interface Settings {
  /** Names of formats, or beginnings of names; empty: all. */
  readonly formats: readonly string[];
  readonly toolsFile?: string;
  readonly strict: boolean;
  readonly salvage: boolean;
  readonly trustQuotes: boolean;
  readonly inReasoning: boolean;
  readonly explain?: (text: string) => void;
}

/** What is counted outside, for every message. */
interface Counted {
  readonly messages: number;
  readonly ids: Set<string>;
}

type Head = { readonly native: JsonObject; readonly format: Format } | undefined;

export type { ConversationRecovery };

/** The recovery of the next conversation. `head` as it came; `counted` goes on counting. */
export function openRecovery(settings: Settings, head: Head, counted: Counted): ConversationRecovery {
  return new ConversationRecovery(settings, head, counted);
}

class ConversationRecovery {
  readonly #settings: Settings;
  readonly #counted: Counted;
  readonly #rules: Omit<TextRules, 'last'>;
  readonly #history: History;
  readonly #ids: CallIds;
  #stream: DeltaStream | undefined;

  constructor(settings: Settings, head: Head, counted: Counted) {
    this.#settings = settings;
    this.#counted = counted;
    const tools = toolset(settings, head);
    this.#history = new History(tools);
    this.#ids = new CallIds(counted.ids);
    const { strict, salvage, trustQuotes, inReasoning } = settings;
    const formats = settings.formats.length > 0 ? formatsNamed(settings.formats) : undefined;
    const copied = (call: Parameters<History['has']>[0]) => this.#history.has(call);
    this.#rules = { tools, formats, strict, salvage, trustQuotes, inReasoning, copied };
  }

  /** Takes what users and tools said. `read`: it is too much to be kept as it is. */
  hear(values: readonly Json[], read: boolean): void {
    for (const value of values) this.#history.add(value);
    if (read) this.#history.read();
  }

  /** The message with its calls made real, or the same object. */
  recover(native: JsonObject, format: Format, kind: Kind, rec: Rec): JsonObject {
    const ids = this.#ids.ofMessage(this.#counted.messages, format);
    const { native: after, report } = new MessageRecovery(format, this.#rules, ids).run(native, kind);
    const { explain } = this.#settings;
    if (explain) for (const line of explanations(report)) explain(`${placeOf(rec) ?? '-'}: ${line}`);
    return after ?? native;
  }

  takeDelta(delta: Delta): readonly Delta[] {
    this.#stream ??= new DeltaStream(this.#rules, this.#ids.ofStream(this.#counted.messages + 1));
    return this.#stream.take(delta);
  }

  endDeltas(): readonly Delta[] {
    const last = this.#stream?.end() ?? [];
    this.#stream = undefined;
    return last;
  }
}

/** The tools of the head and those of the file; nothing is known where there is neither. */
function toolset({ toolsFile }: Settings, head: Head): Toolset {
  const own = head && (head.format.readHead(head.native).head.tools ?? toolsInPrompt(head.native));
  const more = toolsFile === undefined ? undefined : readTools(toolsFile);
  return new Toolset(own || more ? [...(more ?? []), ...(own ?? [])] : undefined);
}

/** Tools that ai-transform wrote into the prompt: the head remembers them. */
function toolsInPrompt({ _meta }: JsonObject): readonly Tool[] | undefined {
  const { tools } = isObject(_meta) && isObject(_meta.tools_in_prompt) ? _meta.tools_in_prompt : {};
  if (!Array.isArray(tools)) return undefined;
  return tools.flatMap((tool) => (isObject(tool) ? [plainTool(tool, '_meta.tools_in_prompt')] : []));
}

/** The formats whose names are given, or begin so. Throws a Failure (64) for a name that fits none. */
function formatsNamed(names: readonly string[]): ReadonlySet<string> {
  return new Set(
    names.flatMap((name) => {
      const found = formats().filter((format) => format.startsWith(name));
      if (found.length > 0) return found.includes(name) ? [name] : found;
      const close = nearest(name, formats());
      const hint = close === undefined ? 'see --list-formats' : `did you mean ${close}? see --list-formats`;
      throw new Failure(EXIT.usage, `option --format: there is no format "${name}"`, { hint });
    }),
  );
}

/** The names of formats that are told apart by what is read, not by a grammar. */
const READ_ONLY = ['python-fence', 'flat-json', 'tool-tag-json', 'yaml-xml', 'attrs-tag'];

function formats(): string[] {
  return [...new Set([...GRAMMARS.map(({ name }) => name), ...READ_ONLY])];
}

/** One line per format: its name, whether it can be written, and who writes so. */
export function listFormats(): string {
  const lines = [...new Set(GRAMMARS.map(({ name }) => name))].map((name) => {
    const all = GRAMMARS.filter((grammar) => grammar.name === name);
    const written = all.some(({ write }) => write !== undefined) ? 'read, write' : 'read';
    return `${name}\t${written}\t${all.find(({ summary }) => summary !== '')?.summary ?? ''}\n`;
  });
  return lines.sort().join('');
}
