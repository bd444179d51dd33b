// Every family of models that wants something of its own, and the changes that a conversation needs for one of them and its API.
import { type Adapt, type Adaptation, type Ahead, inTurn, type Read } from '../formats/adapt.ts';
import { ARRIVED } from '../formats/arrived.ts';
import { HAS } from '../formats/traits.ts';
import type { FormatName, Head, Lose } from '../ir/types.ts';
import { goodAnswers } from './answer-format.ts';
import { calledTools } from './called-tools.ts';
import { claude } from './claude.ts';
import { goodCustomTools } from './custom-tools.ts';
import { deepseek } from './deepseek.ts';
import { failedResults } from './failed-results.ts';
import { type Family, modelName } from './family.ts';
import { fromGateways } from './gateways.ts';
import { gemini } from './gemini.ts';
import { gemma } from './gemma.ts';
import { glm } from './glm.ts';
import { gpt } from './gpt.ts';
import { gptOss } from './gpt-oss.ts';
import { grok } from './grok.ts';
import { goodIds } from './ids.ts';
import { kimi } from './kimi.ts';
import { llama } from './llama.ts';
import { goodMedia } from './media.ts';
import { minimax } from './minimax.ts';
import { mistral, mistralTurns } from './mistral.ts';
import { goodNames } from './names.ts';
import { olderLimit } from './older-limit.ts';
import { SystemMarked, systemPlaced } from './placement.ts';
import { qwen } from './qwen.ts';
import { goodRanges } from './ranges.ts';
import { goodSchemas } from './schemas.ts';
import { signatures } from './signatures.ts';
import { thinkingBounds } from './thinking-bounds.ts';
import { Orphans, readable, UserFirst } from './turns.ts';
import type { Adapter } from './types.ts';

export const ADAPTERS: readonly Adapter[] = [
  claude,
  deepseek,
  gemini,
  gemma,
  glm,
  gpt,
  gptOss,
  grok,
  kimi,
  llama,
  minimax,
  mistral,
  qwen,
];

export interface AdaptOptions {
  /** The model that will read the conversation; the head's without it. */
  readonly model?: string;
  /** Changes before all others: other names for tools, say. */
  readonly first?: readonly ((to: FormatName) => Adaptation)[];
  /** For a conversation at once: it is a whole request, and not a part of one. */
  readonly whole?: boolean;
}

/** The changes for a conversation on its way into a dialect: those of the model's family, then those of the API. */
export function adaptTo(options: AdaptOptions = {}): Adapt {
  return (to) => new ForTarget(to, options);
}

/** The family of a conversation's model is known once its head is read. */
class ForTarget implements Required<Adaptation> {
  readonly minds = HAS.any;
  readonly #to: FormatName;
  readonly #options: AdaptOptions;
  #own: Required<Adaptation> | undefined;
  #foreign: Required<Adaptation> | undefined;

  constructor(to: FormatName, options: AdaptOptions) {
    this.#to = to;
    this.#options = options;
  }

  get leads(): boolean {
    return this.#own?.leads ?? false;
  }

  head(head: Head, lose: Lose, from: FormatName, ahead?: Ahead): Head {
    this.#open(head.model);
    return this.#chain(from).head(head, lose, from, ahead);
  }

  read(read: Read, lose: Lose): Read | readonly Read[] {
    return this.#chain(read.from).read(read, lose);
  }

  end(lose: Lose): readonly Read[] {
    return [...(this.#own?.end(lose) ?? []), ...(this.#foreign?.end(lose) ?? [])];
  }

  /** What already is in the dialect keeps to its API's rules, or its owner repairs it; a model is adapted to where it was named. */
  #chain(from: FormatName): Required<Adaptation> {
    if (this.#own === undefined) this.#open(undefined);
    return (from === this.#to ? this.#own : this.#foreign) as Required<Adaptation>;
  }

  #open(inHead: string | undefined): void {
    const to = this.#to;
    const model = this.#options.model ?? inHead;
    const name = modelName(model);
    const family = ADAPTERS.filter((adapter) => name && adapter.families.includes(name.family));
    const opened = family
      .map((adapter) => name && adapter.open(name, to))
      .filter((adaptation) => adaptation !== undefined);
    const wanted = to === 'openai' && name && OLDER.has(name.family) ? [...opened, olderLimit] : opened;
    const first = (this.#options.first ?? []).map((open) => open(to));
    this.#own = inTurn([...first, ...(this.#options.model === undefined ? [] : wanted)]);
    this.#foreign = inTurn([ARRIVED, fromGateways(to), ...first, ...wanted, ...forApi(to, model)]);
  }
}

/** Families that others serve in OpenAI's dialect. */
const OLDER = new Set<Family>(['deepseek', 'gemma', 'glm', 'gpt-oss', 'kimi', 'llama', 'minimax', 'mistral', 'qwen']);

function forApi(to: FormatName, model: string | undefined): Adaptation[] {
  return [
    signatures(to, model),
    goodCustomTools(to),
    readable(to),
    new Orphans(),
    goodMedia(to),
    ...failedResults(to),
    ...ordered(to, model),
    ...(to === 'gemini' || to === 'bedrock' ? [new UserFirst(to, model)] : []),
    calledTools(to),
    goodNames(to),
    goodIds(to, model),
    goodSchemas(to),
    goodRanges(to),
    thinkingBounds(to),
    goodAnswers(to),
  ];
}

/** The order of turns that an API asks for. */
function ordered(to: FormatName, model: string | undefined): Adaptation[] {
  if (to === 'anthropic') return [systemPlaced(model)];
  if (to === 'gemini') return [new SystemMarked()];
  return to === 'mistral' ? mistralTurns() : [];
}

/** A conversation at once: what ai-complete asks before it writes a request. */
export function adapted(
  request: { readonly head: Head; readonly messages: readonly Read['message'][] },
  from: FormatName,
  to: FormatName,
  lose: Lose,
  options: AdaptOptions = {},
): { head: Head; messages: Read['message'][] } {
  const adaptation = adaptTo(options)(to);
  const head = adaptation.head(request.head, lose, from, options.whole ? () => request.messages : undefined);
  const reads = request.messages.flatMap((message) => adaptation.read?.({ message, from, recs: [] }, lose) ?? []);
  const left = [...reads, ...(adaptation.end?.(lose) ?? [])].filter((read) => !read.gone);
  return { head, messages: left.map((read) => read.message) };
}
