// The changes that a conversation needs for a model and its API.

import { HAS } from '../../conversation/message-traits.ts';
import { type Family, modelName } from '../../conversation/model-name.ts';
import type { FormatName, Head, Lose } from '../../conversation/types.ts';
import { type Adaptation, type Ahead, type InTurn, inTurn, type Read } from '../../conversion/adaptation.ts';
import { ARRIVED } from '../../conversion/undo-adaptations.ts';
import { constraintsOf } from '../../dialects/table.ts';
import { mistralTurns } from '../families/mistral.ts';
import { ADAPTERS } from '../families/table.ts';
import type { AdaptOptions } from './adapt.ts';
import { goodAnswers } from './answer-format.ts';
import { calledTools } from './called-tools.ts';
import { goodCustomTools } from './custom-tools.ts';
import { failedResults } from './failed-results.ts';
import { fromGateways } from './gateways.ts';
import { goodIds } from './ids.ts';
import { goodMedia, standardBytes } from './media.ts';
import { goodNames } from './names.ts';
import { olderLimit } from './older-limit.ts';
import { SystemMarked, systemPlaced } from './placement.ts';
import { goodRanges } from './ranges.ts';
import { goodSchemas } from './schemas.ts';
import { signatures } from './signatures.ts';
import { thinkingBounds } from './thinking-bounds.ts';
import { Orphans, readable, UserFirst } from './turns.ts';

/** The changes for the next conversation on its way into `to`. */
export function openFor(to: FormatName, options: AdaptOptions): Adaptation {
  return new ForTarget(to, options);
}

/** The family of a conversation's model is known once its head is read. */
class ForTarget implements InTurn {
  readonly appliesTo = HAS.any;
  readonly #to: FormatName;
  readonly #options: AdaptOptions;
  #own: InTurn | undefined;
  #foreign: InTurn | undefined;

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
  #chain(from: FormatName): InTurn {
    if (this.#own === undefined) this.#open(undefined);
    return (from === this.#to ? this.#own : this.#foreign) as InTurn;
  }

  #open(inHead: string | undefined): void {
    const to = this.#to;
    const model = this.#options.model ?? inHead;
    const name = modelName(model);
    const family = ADAPTERS.filter((adapter) => name && adapter.families.includes(name.family));
    const opened = family
      .map((adapter) => name && adapter.open(name, to))
      .filter((adaptation) => adaptation !== undefined);
    const wanted = constraintsOf(to).otherServers && name && OLDER.has(name.family) ? [...opened, olderLimit] : opened;
    const first = (this.#options.first ?? []).map((open) => open(to));
    this.#own = inTurn([
      ...first,
      ...(this.#options.model === undefined ? [] : [...wanted, signatures(to, model), standardBytes(to)]),
    ]);
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
    standardBytes(to),
    goodMedia(to),
    ...failedResults(to),
    ...ordered(to, model),
    ...(constraintsOf(to).userFirst ? [new UserFirst(to, model)] : []),
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
  const { laterSystem, assistantAfterResults } = constraintsOf(to);
  if (laterSystem !== undefined) return [laterSystem === 'marked' ? new SystemMarked() : systemPlaced(model)];
  return assistantAfterResults ? mistralTurns() : [];
}
