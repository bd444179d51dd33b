// Tools in a prompt, for models that have none of their own: what is asked for here is what the scanner reads. A chunk of its own.

import type { Tool, ToolChoice } from '../conversation/types.ts';
import { EXIT, Failure } from '../failure/failure.ts';
import type { Json, JsonObject } from '../json/values.ts';
import { formatFor } from './prompt-family.ts';
import { GRAMMARS } from './table.ts';
import { Toolset } from './toolset.ts';
import type { Grammar, Written } from './types.ts';

/** A result as the model will read it. */
interface WrittenResult {
  readonly name: string;
  readonly id?: string;
  readonly text: string;
}

/** What the model may do with the tools. */
interface Choice {
  readonly choice?: ToolChoice;
  /** More than one call in a reply. */
  readonly parallel: boolean;
}

/** One format, written. */
export interface ToolPrompt {
  /** The format's name. */
  readonly format: string;
  /** Texts at which the model should be stopped: it would make up what follows. */
  readonly stop: readonly string[];
  /** The tools and how to call them, for the system prompt. The same tools give the same text. */
  instructions(tools: readonly Tool[], choice: Choice): string;
  calls(calls: readonly Written[], tools: readonly Tool[]): string;
  result(result: WrittenResult): string;
}

/** The names of the formats that can be written. */
export function writable(): string[] {
  return [...new Set(GRAMMARS.filter(({ write }) => write !== undefined).map(({ name }) => name))];
}

/**
 * The prompt in a format: by its name, the beginning of its name, or, if none is given, by the model that will read it. Throws a Failure (64)
 * for a format that cannot be written.
 */
export function toolPrompt(format: string | undefined, model: string | undefined): ToolPrompt {
  const wanted = format ?? formatFor(model);
  const names = writable();
  const name = names.includes(wanted) ? wanted : names.find((known) => known.startsWith(wanted));
  const grammar = GRAMMARS.find((one) => one.name === name && one.write !== undefined);
  if (grammar === undefined)
    throw new Failure(EXIT.usage, `option --tools-to-prompt: there is no writable format "${wanted}"`, {
      hint: 'see ai-recover-tools --list-formats',
    });
  return new Prompt(grammar);
}

class Prompt implements ToolPrompt {
  readonly #grammar: Grammar;

  constructor(grammar: Grammar) {
    this.#grammar = grammar;
  }

  get format(): string {
    return this.#grammar.name;
  }

  get stop(): readonly string[] {
    return STOPS.get(this.format) ?? [];
  }

  instructions(tools: readonly Tool[], { choice, parallel }: Choice): string {
    const one = this.calls([EXAMPLE], [EXAMPLE_TOOL]);
    return [
      '# Tools',
      `You can call these tools. Each line is the definition of one of them; "parameters" is a JSON Schema.`,
      `<tools>\n${tools.map((tool) => inTag(JSON.stringify(definition(tool)), 'tools')).join('\n')}\n</tools>`,
      'To call a tool, write a call exactly in this form, with the name and the arguments of the tool that you need:',
      one,
      parallel
        ? `You may write several calls, one after the other: ${SEVERAL}`
        : 'Write at most one call in a reply, and nothing after it.',
      `The result of a call comes with the next message, in this form:\n${this.result(RESULT)}\nNever write a result yourself.`,
      ...demand(choice),
    ].join('\n\n');
  }

  calls(calls: readonly Written[], tools: readonly Tool[]): string {
    return this.#grammar.write?.(calls, new Toolset(tools)) ?? '';
  }

  result(result: WrittenResult): string {
    const { writeResult } = this.#grammar;
    if (writeResult) return writeResult(result);
    return `<tool_response name="${result.name}">\n${inTag(result.text, 'tool_response')}\n</tool_response>`;
  }
}

const SEVERAL = 'stop when the calls are written, and wait for their results.';
const EXAMPLE: Written = { name: 'tool_name', input: { first_parameter: 'text', second_parameter: 2 } };
const EXAMPLE_TOOL: Tool = {
  type: 'function',
  name: 'tool_name',
  schema: {
    type: 'object',
    properties: { first_parameter: { type: 'string' }, second_parameter: { type: 'integer' } },
  },
};
const RESULT: WrittenResult = { name: 'tool_name', text: 'the result' };

/** Formats whose results the model would otherwise make up itself. */
const STOPS: ReadonlyMap<string, readonly string[]> = new Map([
  ['react', ['\nObservation:']],
  ['qwen-agent', ['✿RESULT✿']],
]);

/** A tool's definition as most APIs spell it. */
export function definition({ name, description, schema, type }: Tool): JsonObject {
  const parameters: Json = type === 'custom' ? FREE_TEXT : (schema ?? { type: 'object', properties: {} });
  return { name, ...(description !== undefined && { description }), parameters };
}

/** A tool that takes free text has one parameter. */
const FREE_TEXT: JsonObject = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] };

function demand(choice: ToolChoice | undefined): string[] {
  const names = choice?.names ?? [];
  if (choice?.mode === 'required' && names.length === 1) return [`You must call ${names[0]} in your next reply.`];
  if (choice?.mode === 'required' && names.length > 1)
    return [`You must call one of these tools in your next reply: ${names.join(', ')}.`];
  if (choice?.mode === 'required') return ['You must call a tool in your next reply.'];
  return names.length > 0 ? [`Call no other tools than these: ${names.join(', ')}.`] : [];
}

/** A text in which a tag cannot end or begin. */
function inTag(text: string, tag: string): string {
  return text.replace(new RegExp(`<(?=/?${tag}\\b)`, 'gi'), '&lt;');
}
