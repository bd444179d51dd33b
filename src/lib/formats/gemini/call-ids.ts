// Calls without an id: the API pairs them with their results by order and name, within a turn.

/** Gives ids to the calls, or to the results, of one content, in order: the same name gets the same ids on both sides. */
export class CallIds {
  readonly #counts = new Map<string, number>();

  next(name: string): string {
    const count = this.#counts.get(name) ?? 0;
    this.#counts.set(name, count + 1);
    return `call_${name}_${count}`;
  }
}
