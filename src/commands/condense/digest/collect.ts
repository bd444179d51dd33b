// What is worth remembering of entries that go: read once, oldest first.
import type { Message, Part, ToolCallPart, ToolResultPart } from '../../../lib/conversation/types.ts';
import { accessOf } from '../accesses.ts';
import { textOf } from '../clip.ts';
import { pathOf } from '../placeholder.ts';
import { firstError, loudError } from './errors.ts';
import { eachName, type NameKind } from './names.ts';
import { type Past, readDigest } from './text.ts';

/** A name counts less the longer ago it was met: half of it after so many entries. */
const HALF_LIFE = { name: 400, fact: 1000 };

/** Above this many names the least of them are forgotten, so that memory stays bounded. */
const MANY = 60_000;

/** Scores grow with the place of a mention, so that the latest count most; above this power of two all are scaled down. */
const HIGHEST = 500;

/** How much a mention says about what will be needed again: what people and models write counts more than what tools print. */
const WEIGHT = { said: 4, error: 4, argument: 3, answer: 3, result: 1, reasoning: 1 };

/** Ids and numbers that the user told are nowhere else. */
const TOLD = 6;

/** Digits that a plain number must have to be remembered: what tools print is full of line numbers and sizes. */
const digitsFor = (weight: number): number => (weight >= WEIGHT.said ? 4 : weight >= WEIGHT.argument ? 5 : 7);

const NUMBER = /^\d+$/;

export class Collected implements Past {
  readonly requests: string[] = [];
  readonly answers: string[] = [];
  readonly errors: string[] = [];
  readonly commands: string[] = [];
  readonly summaries: string[] = [];
  /** Files with how often which tool named them; the latest last. */
  readonly files = new Map<string, Map<string, number>>();
  readonly #scores = { name: new Map<string, number>(), fact: new Map<string, number>() };
  /** The place whose mentions count as they are, for each kind. */
  readonly #origin = { name: 0, fact: 0 };
  #at = 0;
  #seen = new Set<string>();
  #calls = new Map<string, ToolCallPart>();
  #answer = '';
  #namesOnly = false;
  #far = false;

  /** Takes an entry that goes, or whose names alone do: the rest of it stays. Of one that is `far` back, what tools printed is not read. */
  add(message: Message, at: number, names: boolean, far: boolean): void {
    this.#at = at;
    this.#seen = new Set();
    this.#namesOnly = names;
    this.#far = far;
    const past = readDigest(message);
    if (past) this.#addPast(past);
    else for (const part of message.parts) this.#part(part, message);
  }

  /** No more of a turn will come: what was said last in it is its answer. */
  end(): void {
    this.#answered();
  }

  /** Takes what was collected of later entries. */
  absorb(later: Collected): void {
    this.#addLists(later);
    for (const kind of ['name', 'fact'] as const) {
      if ((later.#origin[kind] - this.#origin[kind]) / HALF_LIFE[kind] > HIGHEST)
        this.#rescale(kind, later.#origin[kind]);
      const factor = 2 ** ((later.#origin[kind] - this.#origin[kind]) / HALF_LIFE[kind]);
      const scores = this.#scores[kind];
      for (const [name, score] of later.#scores[kind]) scores.set(name, (scores.get(name) ?? 0) + score * factor);
      if (scores.size > MANY) forget(scores);
    }
  }

  /** The names of one kind, each with its score. */
  scores(kind: NameKind): ReadonlyMap<string, number> {
    return this.#scores[kind];
  }

  #part(part: Part, { role }: Message): void {
    if (part.type === 'text' && role === 'user') this.#said(part.text);
    else if (part.type === 'text' || part.type === 'refusal') this.#says(part.text);
    else if (part.type === 'reasoning') this.#names(part.text ?? '', WEIGHT.reasoning);
    else if (part.type === 'tool_call') this.#call(part);
    else if (part.type === 'tool_result') this.#result(part);
    else if (part.type === 'media' && part.source.type === 'text') this.#names(part.source.text, WEIGHT.result);
  }

  #said(text: string): void {
    this.#answered();
    if (text.trim() !== '' && !this.#namesOnly) this.requests.push(text.trim());
    this.#names(text, WEIGHT.said, true);
  }

  #says(text: string): void {
    if (text.trim() !== '' && !this.#namesOnly) this.#answer = text.trim();
    this.#names(text, WEIGHT.answer);
  }

  /** The last text of a turn is its answer. */
  #answered(): void {
    if (this.#answer !== '') this.answers.push(this.#answer);
    this.#answer = '';
  }

  #call(call: ToolCallPart): void {
    this.#calls.set(call.id, call);
    this.#strings(call.input ?? call.text ?? '', WEIGHT.argument);
    if (this.#namesOnly) return;
    const path = pathOf(call);
    const command = commandOf(call);
    if (path !== undefined) this.#file(path, call.name);
    else if (command !== undefined) this.commands.push(command);
  }

  #file(path: string, tool: string): void {
    const tools = this.files.get(path) ?? new Map<string, number>();
    tools.set(tool, (tools.get(tool) ?? 0) + 1);
    this.files.delete(path);
    this.files.set(path, tools);
  }

  #result(result: ToolResultPart): void {
    const call = this.#calls.get(result.callId);
    this.#calls.delete(result.callId);
    const text = textOf(result.parts);
    const reads = call !== undefined && accessOf(call) !== undefined;
    const error = result.error ? firstError(text, true) : reads ? undefined : loudError(text);
    if (error !== undefined) {
      if (!this.#namesOnly) this.errors.push(call ? `${call.name}: ${error}` : error);
      this.#names(error, WEIGHT.error);
    }
    this.#names(text, WEIGHT.result);
  }

  #strings(value: unknown, weight: number): void {
    if (typeof value === 'string') this.#names(value, weight);
    else if (typeof value === 'object' && value !== null)
      for (const item of Object.values(value)) this.#strings(item, weight);
  }

  /** Once for each entry: a table that repeats a name does not make it more important. */
  #names(text: string, weight: number, told = false): void {
    if (this.#far && weight === WEIGHT.result) return;
    eachName(text, (name, kind) => {
      if (this.#seen.has(name) || (kind === 'fact' && name.length < digitsFor(weight) && NUMBER.test(name))) return;
      this.#seen.add(name);
      this.#score(name, kind, weight, told);
    });
  }

  #score(name: string, kind: NameKind, weight: number, told: boolean): void {
    const scores = this.#scores[kind];
    if ((this.#at - this.#origin[kind]) / HALF_LIFE[kind] > HIGHEST) this.#rescale(kind, this.#at);
    scores.set(name, (scores.get(name) ?? 0) + weight * this.#weightOf(kind) * (kind === 'fact' && told ? TOLD : 1));
    if (scores.size > MANY) forget(scores);
  }

  /** Grows with the place of a mention. */
  #weightOf(kind: NameKind): number {
    return 2 ** ((this.#at - this.#origin[kind]) / HALF_LIFE[kind]);
  }

  #rescale(kind: NameKind, to: number): void {
    const scores = this.#scores[kind];
    const factor = 2 ** ((this.#origin[kind] - to) / HALF_LIFE[kind]);
    for (const [name, score] of scores) scores.set(name, score * factor);
    this.#origin[kind] = to;
  }

  /** What an earlier digest remembers is remembered again. */
  #addPast(past: Past): void {
    this.#addLists(past);
    for (const kind of ['name', 'fact'] as const)
      for (const [name, score] of past.scores(kind))
        this.#scores[kind].set(name, (this.#scores[kind].get(name) ?? 0) + score);
  }

  #addLists({ requests, answers, errors, commands, summaries, files }: Past): void {
    for (const text of requests) this.requests.push(text);
    for (const text of answers) this.answers.push(text);
    for (const text of errors) this.errors.push(text);
    for (const text of commands) this.commands.push(text);
    for (const text of summaries) this.summaries.push(text);
    for (const [path, tools] of files) {
      const merged = new Map([...(this.files.get(path) ?? []), ...tools]);
      this.files.delete(path);
      this.files.set(path, merged);
    }
  }
}

/** Keeps the better half. */
function forget(scores: Map<string, number>): void {
  const sorted = Float64Array.from(scores.values()).sort();
  const middle = sorted[sorted.length >> 1] as number;
  for (const [name, score] of scores) if (score <= middle) scores.delete(name);
}

/** A command line in a call's arguments. */
function commandOf({ input, text }: ToolCallPart): string | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return text;
  for (const key of ['command', 'cmd', 'script', 'query', 'pattern', 'code']) {
    const value = input[key];
    if (typeof value === 'string') return value;
    if (Array.isArray(value)) return value.filter((word) => typeof word === 'string').join(' ');
  }
  return undefined;
}
