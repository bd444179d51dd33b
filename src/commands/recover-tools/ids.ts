// Ids for recovered calls: the text's own where it is new to the conversation, else one made of the call and its place.
import type { Format } from '../../lib/formats/types.ts';
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
    return (call) => this.#take(this.#used, this.#used, call, number, format.name);
  }

  ofStream(number: number): (call: Call) => string {
    this.#streamed = new Set(this.#streamed);
    return (call) => this.#take(this.#used, this.#streamed, call, number, '');
  }

  #take(
    used: ReadonlySet<string>,
    into: Set<string>,
    { name, input, id }: Call,
    number: number,
    format: string,
  ): string {
    const isNew = (candidate: string) => !used.has(candidate) && !into.has(candidate);
    if (id !== undefined && isNew(id) && isAllowed(id, format)) {
      into.add(id);
      return id;
    }
    // Taken when it is needed: loading it costs as much as the rest of the program.
    const { createHash } = process.getBuiltinModule('node:crypto');
    for (let again = 0; ; again += 1) {
      const digest = createHash('sha256')
        .update(`${number}\0${again}\0${name}\0${JSON.stringify(input)}`)
        .digest('hex');
      const made = format === 'mistral' ? digest.slice(0, 9) : `call_${digest.slice(0, 12)}`;
      if (!isNew(made)) continue;
      into.add(made);
      return made;
    }
  }
}

/** Mistral's API wants nine letters and digits; others take what a model makes up, within reason. */
function isAllowed(id: string, format: string): boolean {
  return format === 'mistral' ? /^[a-zA-Z0-9]{9}$/.test(id) : /^[\w.:-]{1,64}$/.test(id);
}
