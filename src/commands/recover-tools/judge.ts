// Which of the candidates in a text are calls.
import { coerceTexts, conform } from '../../lib/grammars/coerce.ts';
import type { Candidate, Verdict } from '../../lib/grammars/scanned.ts';
import { Schema } from '../../lib/grammars/schema.ts';
import type { Toolset } from '../../lib/grammars/toolset.ts';
import type { Arguments, Repair, Spoken } from '../../lib/grammars/types.ts';
import { isObject, type Json, type JsonObject } from '../../lib/json/values.ts';

type Confidence = 'high' | 'medium' | 'low';

/** A call with the tool's own name and typed arguments. */
export interface Call {
  readonly name: string;
  readonly input: Json;
  readonly id?: string;
  /** The conversation lists its tools, and this is none of them. */
  readonly unknown: boolean;
  readonly repairs: readonly Repair[];
}

export interface Judged extends Candidate {
  readonly calls: readonly Call[];
  readonly format: string;
  readonly confidence: Confidence;
}

/** Why a candidate was left in the text. */
export interface Left {
  readonly format: string;
  readonly start: number;
  readonly end: number;
  readonly why: string;
  /** The text ends within its arguments. */
  readonly cut?: true;
}

export interface Rules {
  readonly tools: Toolset;
  /** The formats that are looked for; all without it. */
  readonly formats?: ReadonlySet<string>;
  /** Only calls that are delimited, well-formed and advertised. */
  readonly strict: boolean;
  /** Calls that repeat what a user or a tool said are taken as well. */
  readonly trustQuotes: boolean;
  /** Whether a call stands in an earlier text of a user or a tool. */
  readonly copied: (call: Call) => boolean;
}

export class Judge {
  readonly #rules: Rules;
  readonly judged = new Map<Candidate, Judged>();
  readonly left: Left[] = [];

  constructor(rules: Rules) {
    this.#rules = rules;
  }

  decide(candidate: Candidate): Verdict {
    const format = formatOf(candidate);
    if (this.#rules.formats && !this.#rules.formats.has(format)) return 'pass';
    const { calls, cut } = candidate.reading;
    if (candidate.quoted) return this.#leave(candidate, format, `it stands ${candidate.quoted}`, 'leave');
    if (cut !== undefined)
      this.left.push({ format, start: cut, end: candidate.end, why: 'its arguments are truncated', cut: true });
    if (calls.length === 0) return cut === undefined ? 'leave' : 'pass';
    const found = calls.map((call) => this.#finish(call)).filter((call) => call !== undefined);
    const wanted = found.filter((call) => this.#isWanted(call, candidate));
    if (found.length === 0) return this.#leave(candidate, format, 'no tool can have this name', 'pass');
    if (wanted.length === 0)
      return this.#leave(
        candidate,
        format,
        this.#whyNot(found, candidate),
        candidate.reading.listed ? 'leave' : 'pass',
      );
    const confidence = this.#confidence(wanted, candidate);
    if (this.#rules.strict && confidence !== 'high')
      return this.#leave(candidate, format, 'it is not delimited, well-formed and advertised (--strict)', 'leave');
    this.judged.set(candidate, { ...candidate, calls: wanted, format, confidence });
    return 'take';
  }

  #leave({ start, end }: Candidate, format: string, why: string, verdict: Verdict): Verdict {
    this.left.push({ format, start, end, why });
    return verdict;
  }

  #finish(spoken: Spoken): Call | undefined {
    const { tools } = this.#rules;
    const resolved = tools.resolve(spoken.name);
    if (resolved === undefined) return undefined;
    const given = typed(spoken.arguments, resolved.tool?.schema);
    if (given === undefined) return undefined;
    const repairs = new Set([...(spoken.repairs ?? []), ...given.repairs]);
    if (resolved.mended) repairs.add('name mended');
    return {
      name: resolved.name,
      input: given.value,
      ...(spoken.id !== undefined && { id: spoken.id }),
      unknown: tools.known && resolved.tool === undefined,
      repairs: [...repairs],
    };
  }

  #isWanted(call: Call, { grammar, reading, fenced }: Candidate): boolean {
    const bare = !grammar.delimited || reading.advertised === true || fenced === true;
    if ((bare && call.unknown) || (reading.listed && !this.#rules.tools.known)) return false;
    if (this.#rules.trustQuotes || (grammar.delimited && !call.unknown && this.#rules.tools.known)) return true;
    return !this.#rules.copied(call);
  }

  #whyNot(calls: readonly Call[], { grammar }: Candidate): string {
    const names = calls.map(({ name }) => name).join(', ');
    if (calls.every(({ unknown }) => unknown) && !grammar.delimited) return `no tool is called ${names}`;
    return calls.every(({ unknown }) => unknown)
      ? `no tool is called ${names}, or it was copied`
      : 'a user or a tool said it before';
  }

  #confidence(calls: readonly Call[], { grammar, reading, fenced }: Candidate): Confidence {
    const guessed = calls.some(({ repairs }) => repairs.includes('arguments cut off'));
    const known = this.#rules.tools.known && calls.every(({ unknown }) => !unknown);
    if (guessed || (!grammar.delimited && !known)) return 'low';
    const clean = calls.every(({ repairs }) => repairs.length === 0);
    return grammar.delimited && reading.advertised !== true && !fenced && clean && known ? 'high' : 'medium';
  }
}

/** The format's name: of what is fenced and has no mark of its own, the fence's. */
function formatOf({ grammar, reading, fenced }: Candidate): string {
  const name = reading.format ?? grammar.name;
  if (!fenced || grammar.delimited) return name;
  return name === 'pythonic' ? 'python-fence' : name === 'bare-json' ? 'json-fence' : name;
}

interface Typed {
  readonly value: Json;
  readonly repairs: readonly Repair[];
}

/** The arguments as the tool takes them. undefined: they cannot be told. */
function typed(given: Arguments, schema: Json | undefined): Typed | undefined {
  switch (given.type) {
    case 'json':
      return conformed(
        typeof given.value === 'string' ? (single(given.value, schema) ?? given.value) : given.value,
        schema,
      );
    case 'raw':
      return { value: single(given.text, schema) ?? { [given.key ?? 'input']: given.text }, repairs: [] };
    case 'texts': {
      const { value, unfit } = coerceTexts(given.entries, schema);
      return { value: unwrapped(value, schema), repairs: unfit.length > 0 ? ['value not of its type'] : [] };
    }
    case 'positions':
      return positioned(given.values, given.named, schema);
  }
}

function conformed(value: Json, schema: Json | undefined): Typed {
  const after = conform(value, schema, new Schema(schema));
  return { value: after, repairs: after === value ? [] : ['value typed by the schema'] };
}

/** One text as the tool's only parameter, or the only one that it requires. */
function single(text: string, schema: Json | undefined): JsonObject | undefined {
  const keys = new Schema(schema).keys();
  const required = isObject(schema) && Array.isArray(schema.required) ? schema.required : [];
  const key = keys.length === 1 ? keys[0] : required.length === 1 ? String(required[0]) : undefined;
  return key === undefined ? undefined : coerceTexts([{ key, text }], schema).value;
}

const HOLDERS = new Set(['arguments', 'input', 'parameters', 'params', 'args']);

/** `{"arguments": {…}}` where the tool has no such parameter: what it holds. */
function unwrapped(value: JsonObject, schema: Json | undefined): JsonObject {
  const [entry, ...others] = Object.entries(value);
  if (entry === undefined || others.length > 0 || !HOLDERS.has(entry[0])) return value;
  const keys = new Schema(schema).keys();
  if (keys.length === 0 ? entry[0] !== 'arguments' : keys.includes(entry[0])) return value;
  const inner = typeof entry[1] === 'string' ? parsed(entry[1]) : entry[1];
  return isObject(inner) ? inner : value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function positioned(values: readonly Json[], named: JsonObject, schema: Json | undefined): Typed | undefined {
  const keys = new Schema(schema).keys().filter((key) => !Object.hasOwn(named, key));
  if (values.length > keys.length) return undefined;
  const placed = values.map((value, i): [string, Json] => [keys[i] ?? '', value]);
  return { value: Object.fromEntries([...placed, ...Object.entries(named)]), repairs: [] };
}
