// What providers have reported corrects our estimates: the prompt of one answer is longer than that of the one before by what came between.
import type { Message } from '../conversation/types.ts';

/** Tokens that our own estimate weighs, so that a few short answers do not overturn it. */
const PRIOR = 20_000;

/** A difference beyond these ratios is none of counting: something was left out of the prompt, or put into it. */
const [LEAST, MOST] = [0.4, 2.5];

/** Steps in which the correction moves, so that it stands still between most messages. */
const STEP = 0.02;

/** Takes messages in order, each with its estimated tokens, and tells what to multiply estimates by. */
export class Calibration {
  #reported = PRIOR;
  #estimated = PRIOR;
  #since = 0;
  #prompt: number | undefined;
  #model: string | undefined;

  add(message: Message, tokens: number): void {
    const prompt = promptOf(message);
    if (prompt !== undefined) {
      if (this.#prompt !== undefined && message.by?.model === this.#model)
        this.#compare(prompt - this.#prompt, this.#since);
      this.#prompt = prompt;
      this.#model = message.by?.model;
      this.#since = 0;
    }
    // Providers leave earlier reasoning out of the prompt, or not.
    if (message.parts.some((part) => part.type === 'reasoning')) this.#prompt = undefined;
    this.#since += tokens;
  }

  get scale(): number {
    return Math.ceil(this.#reported / this.#estimated / STEP - 0.5) * STEP;
  }

  #compare(reported: number, estimated: number): void {
    if (reported < LEAST * estimated || reported > MOST * estimated) return;
    this.#reported += reported;
    this.#estimated += estimated;
  }
}

function promptOf({ role, usage }: Message): number | undefined {
  if (role !== 'assistant' || usage?.input === undefined) return undefined;
  return usage.input + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0);
}
