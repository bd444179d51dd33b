// What was met lately. An endless stream needs no more memory than a long one.

/** So many keys are kept at least. No request to any API has so many calls. */
const KEPT = 1 << 14;

/** A map that forgets what was neither set nor asked for while so many other keys were: up to twice as many are kept. */
export class Recent<V> {
  #young = new Map<string, V>();
  #old = new Map<string, V>();

  get(key: string): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined || this.#old.size === 0) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  set(key: string, value: V): void {
    if (this.#young.size >= KEPT) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }

  delete(key: string): void {
    this.#young.delete(key);
    if (this.#old.size > 0) this.#old.delete(key);
  }

  get isEmpty(): boolean {
    return this.#young.size === 0 && this.#old.size === 0;
  }
}
