// Ids for recovered calls: the text's own where it is new to the conversation, else one made of the call and its place.
import type { Format } from '../../lib/dialects/types.ts';
import type { Call } from './judge.ts';

export class CallIds {
  readonly #used: Set<string>;
  /** Given to the deltas of the message that is being streamed; that message will give them again. */
  #streamed = new Set<string>();

  /** `used`: the ids that the conversation has. */
  constructor(used: Set<string>) {
    this.#used = used;
  }

  /** Gives the ids of one message, by its number in the conversation. */
  ofMessage(number: number, format: Format): (call: Call) => string {
    this.#streamed = new Set();
    const taker = new Taker(number, format.name);
    return (call) => taker.take(call, this.#used, this.#used);
  }

  ofStream(number: number): (call: Call) => string {
    this.#streamed = new Set(this.#streamed);
    const taker = new Taker(number, '');
    return (call) => taker.take(call, this.#used, this.#streamed);
  }
}

class Taker {
  readonly #number: number;
  readonly #format: string;
  /** How often each call was made in this message. */
  readonly #made = new Map<string, number>();

  constructor(number: number, format: string) {
    this.#number = number;
    this.#format = format;
  }

  /** An id that is in neither set; it is put into the second. */
  take({ name, input, id }: Call, used: ReadonlySet<string>, into: Set<string>): string {
    const isNew = (candidate: string) => !used.has(candidate) && !into.has(candidate);
    const own = id !== undefined && isNew(id) && isAllowed(id, this.#format) ? id : undefined;
    const taken = own ?? this.#derived(`${this.#number}\0${name}\0${JSON.stringify(input)}`, isNew);
    into.add(taken);
    return taken;
  }

  #derived(call: string, isNew: (id: string) => boolean): string {
    // Taken when it is needed: loading it costs as much as the rest of the program.
    const { createHash } = process.getBuiltinModule('node:crypto');
    for (let again = this.#made.get(call) ?? 0; ; again += 1) {
      const digest = createHash('sha256').update(`${call}\0${again}`).digest('hex');
      const id = this.#format === 'mistral' ? digest.slice(0, 9) : `call_${digest.slice(0, 12)}`;
      this.#made.set(call, again + 1);
      if (isNew(id)) return id;
    }
  }
}

/** Mistral's API wants nine letters and digits; others take what a model makes up, within reason. */
function isAllowed(id: string, format: string): boolean {
  return format === 'mistral' ? /^[a-zA-Z0-9]{9}$/.test(id) : /^[\w.:-]{1,64}$/.test(id);
}
