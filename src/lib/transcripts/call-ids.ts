// Ids and names of calls, where another agent hands them to an API that takes fewer characters.

const ALLOWED = /^[a-zA-Z0-9_-]+$/;

/** Renames what would be refused, the same way for a call and its result; what is allowed stays as it is. */
export class CallNames {
  readonly #longest: number;
  /** The present name of each id. An id that comes again is another call: its result follows it. */
  readonly #now = new Map<string, string>();
  readonly #taken = new Set<string>();
  readonly #count = new Map<string, number>();

  constructor(longest: number) {
    this.#longest = longest;
  }

  /** The id of a call: allowed, and no other call's. */
  call(id: string): string {
    const wanted = this.#allowed(id, 'call');
    let given = wanted;
    while (this.#taken.has(given)) given = this.#another(wanted);
    this.#taken.add(given);
    this.#now.set(id, given);
    return given;
  }

  #another(wanted: string): string {
    const count = (this.#count.get(wanted) ?? 1) + 1;
    this.#count.set(wanted, count);
    const ending = `_${count}`;
    return `${wanted.slice(0, this.#longest - ending.length)}${ending}`;
  }

  /** The id of the call that a result answers. */
  result(id: string): string {
    return this.#now.get(id) ?? this.#allowed(id, 'call');
  }

  tool(name: string): string {
    return this.#allowed(name, 'tool');
  }

  #allowed(name: string, none: string): string {
    if (name.length <= this.#longest && ALLOWED.test(name)) return name;
    const plain = name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, this.#longest);
    return plain === '' ? none : plain;
  }
}
