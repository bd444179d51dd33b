// How many tokens a text, a message, or a whole request takes with a model.

import type { FormatName, Head, Message, Part, Tool } from '../conversation/types.ts';
import type { Json } from '../json/values.ts';
import type { Encoding } from './encoder.ts';
import { encoderNamed } from './encoders.late.ts';
import { type Family, familyOf } from './families.ts';
import { mediaTokens } from './media.ts';
import { toolText } from './tool-text.ts';

/** How many tokens of an encoding a text is. */
export type TextCount = (text: string, encoding: Encoding) => number;

/** The encoder is loaded when something is counted: a program that is only asked for a bound starts without it. */
export const countExactly: TextCount = (text, encoding) => {
  return encoderNamed(encoding).count(text);
};

/** Counts in the tokens of one family of models. `scale` corrects an estimate by what a provider has reported (see calibrate.ts). */
export class Counter {
  readonly family: Family;
  readonly scale: number;
  readonly #count: TextCount;

  /** `count`: for those who keep counts, or want a bound. */
  constructor(family: Family, scale = 1, count = countExactly) {
    this.family = family;
    this.scale = scale;
    this.#count = count;
  }

  /** Whether the count of a text is exact. What an API puts around texts is known from recorded requests. */
  get exact(): boolean {
    return this.family.factor === 1 && this.scale === 1;
  }

  scaled(scale: number): Counter {
    return scale === this.scale ? this : new Counter(this.family, scale, this.#count);
  }

  text(text: string): number {
    return text === '' ? 0 : this.#count(text, this.family.encoding) * this.family.factor * this.scale;
  }

  /** A message with all its parts and its framing. Not a whole number: add first, then round up. */
  message(message: Message): number {
    const { framing } = this.family;
    const named = message.name === undefined ? 0 : this.text(message.name) + this.scale;
    let sum = framing.message * this.scale + named;
    for (const part of message.parts) sum += this.part(part);
    return sum;
  }

  part(part: Part): number {
    switch (part.type) {
      case 'text':
      case 'refusal':
        return this.text(part.text);
      case 'reasoning':
        return this.text(part.text ?? '') + ((part.redacted?.length ?? 0) / 5) * this.scale;
      case 'tool_call':
        return this.text(part.name) + this.text(argumentsOf(part)) + this.family.framing.call * this.scale;
      case 'tool_result':
        return part.by === 'provider'
          ? this.json(part.ext)
          : part.parts.reduce((sum, inner) => sum + this.part(inner), 0);
      case 'media':
        if (part.source.type === 'text') return this.text(part.source.text);
        if (part.source.type === 'parts') return part.source.parts.reduce((sum, inner) => sum + this.part(inner), 0);
        return mediaTokens(part, this.family) * this.scale;
      case 'native':
        return this.json(part.value);
    }
  }

  /** What a request takes besides its messages: tools, the schema of the answer, and the request itself. */
  head({ tools, toolChoice, responseFormat }: Head): number {
    const { framing } = this.family;
    const schema =
      responseFormat?.schema === undefined ? 0 : this.json(responseFormat.schema) + framing.forced * this.scale;
    const defined = (tools ?? []).reduce((sum, tool) => sum + this.tool(tool), 0);
    const forced = toolChoice?.mode === 'required' ? framing.forced : 0;
    return (framing.request + (defined > 0 ? framing.tools + forced : 0)) * this.scale + defined + schema;
  }

  /** OpenAI's models see a type, others the JSON Schema. A tool that the provider defines is longer than its name. */
  tool(tool: Tool): number {
    if (tool.type === 'provider') return 400 * this.scale;
    if (this.exact) return this.text(toolText(tool)) + 8;
    return this.text(jsonOf(tool)) * 1.1 + 8 * this.scale;
  }

  json(value: unknown): number {
    return value === undefined ? 0 : this.text(JSON.stringify(value));
  }
}

const definitions = new WeakMap<Tool, string>();

/** A definition as JSON: kept, since it is long, and asked for by each family. */
function jsonOf(tool: Tool): string {
  const { name, description, schema } = tool;
  const json = definitions.get(tool) ?? JSON.stringify({ name, description, input_schema: schema });
  definitions.set(tool, json);
  return json;
}

/** The arguments as they are sent: the spelling they came in, where it is kept. */
function argumentsOf({
  input,
  text,
  form,
}: {
  input?: Json;
  text?: string;
  form?: { readonly [format: FormatName]: string };
}): string {
  if (input === undefined) return text ?? '';
  for (const format in form) if (form[format]?.[0] === '{') return form[format];
  return JSON.stringify(input);
}

const counters = new Map<Family, Counter>();

/** The counter for a model, or for one that is not known but spoken to in a dialect. */
export function counterFor(model: string | undefined, format?: FormatName): Counter {
  const family = familyOf(model, format);
  const known = counters.get(family) ?? new Counter(family);
  counters.set(family, known);
  return known;
}
