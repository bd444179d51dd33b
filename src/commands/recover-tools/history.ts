// What users and tools have said in the conversation: a call that stands there was copied, and is not the model's own.
import { mayHoldCall } from '../../lib/grammars/may-hold.ts';
import { Scanner } from '../../lib/grammars/scanner.ts';
import { Source } from '../../lib/grammars/source.ts';
import type { Toolset } from '../../lib/grammars/toolset.ts';
import type { Json } from '../../lib/json/values.ts';
import { type Call, Judge } from './judge.ts';

export class History {
  readonly #calls = new Set<string>();
  #texts: string[] = [];
  readonly #tools: Toolset;

  constructor(tools: Toolset) {
    this.#tools = tools;
  }

  /** Takes all texts of a record of a user or a tool. */
  add(value: Json | undefined): void {
    for (const text of stringsIn(value)) {
      if (mayHoldCall(text)) this.#texts.push(text);
    }
  }

  /** Whether a user or a tool has said this call. */
  has(call: Call): boolean {
    this.read();
    return this.#calls.has(keyOf(call));
  }

  /** Looks through the texts; their calls are kept, and they are not. */
  read(): void {
    const texts = this.#texts;
    this.#texts = [];
    for (const text of texts) for (const call of callsIn(text, this.#tools)) this.#calls.add(keyOf(call));
  }
}

/** Every call that a text spells, quoted or not. */
function callsIn(text: string, tools: Toolset): Call[] {
  const all = { tools, strict: false, trustQuotes: true, copied: () => false };
  const judge = new Judge(all);
  new Scanner(new Source(text, tools), { inReasoning: true }, (candidate) =>
    judge.decide({ ...candidate, quoted: undefined, fenced: undefined }),
  ).run();
  return [...judge.judged.values()].flatMap(({ calls }) => calls);
}

const keyOf = ({ name, input }: Call): string => `${name}\0${JSON.stringify(input)}`;

/** The strings within a value, long enough for a call. */
function* stringsIn(value: Json | undefined): Generator<string> {
  if (typeof value === 'string') {
    if (value.length > 4) yield value;
  } else if (typeof value === 'object' && value !== null) {
    for (const item of Object.values(value)) yield* stringsIn(item);
  }
}
